// From a device's book and window to its part of the report.
#pragma once

#include <vector>

#include "analyze/book.h"
#include "analyze/kernel_labels.h"
#include "diagnose/window.h"
#include "model/report.h"

namespace gpuledger {

// `believed`: idle time can be believed; else it is printed as unattributed.
DeviceReport report_device(const Timeline& timeline, const DeviceBook& book,
                           const DeviceWindow& window, bool believed);

// The largest kernels of the window by total time, and one row "other".
std::vector<KernelReport> report_kernels(const Timeline& timeline,
                                         const ActivityLabels& labels,
                                         RowRange device_rows,
                                         const DeviceWindow& window,
                                         const std::string& device_id);

// Counts and percentiles over the steps of all devices.
StepsReport report_steps(const std::vector<DeviceReport>& devices,
                         StepSource source, std::string_view range_name);

}  // namespace gpuledger
