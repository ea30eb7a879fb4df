// Cuts the steps and the window of a device out of its book.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/book.h"
#include "analyze/steps.h"
#include "model/analyze_options.h"

namespace gpuledger {

struct DeviceStep {
  std::string label;
  std::optional<int64_t> number;
  int64_t start_ns = 0, end_ns = 0;            // on the device
  int64_t host_start_ns = 0, host_end_ns = 0;  // on the host
};

struct DeviceWindow {
  int64_t start_ns = 0, end_ns = 0;
  std::string source;             // steps, device, selection
  std::vector<DeviceStep> steps;  // tile the window; empty without steps
};

// `active`: from the first activity to the end of the last, of all devices of
// the process. Steps are those of `host_steps`, as `--steps`, `--from`, `--to`
// and `--window` choose; a lead-in that is unattributed is cut off.
DeviceWindow choose_window(const Timeline& timeline, const DeviceBook& book,
                           const HostSteps& host_steps,
                           const std::vector<int64_t>& boundaries,
                           Interval active, const AnalyzeOptions& options);

// The steps that findings take their share from: without the first and the
// last where there are at least three.
struct InnerSteps {
  int64_t start_ns = 0, end_ns = 0, count = 1;
};
InnerSteps inner_steps(const DeviceWindow& window);

}  // namespace gpuledger
