// Where the steps of a training job begin and end, on the host and on each
// device. Sources in order of trust: docs/ledger.md, "Steps".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/kernel_labels.h"
#include "analyze/launches.h"
#include "analyze/name_table.h"
#include "analyze/process_rows.h"
#include "model/report.h"
#include "model/timeline.h"

namespace gpuledger {

struct HostStep {
  std::string label;              // ProfilerStep#7, or the index from 0
  std::optional<int64_t> number;  // of the annotation
  int64_t start_ns = 0, end_ns = 0;
};

// The steps of one process; they tile the time from the first to the last.
struct HostSteps {
  StepSource source = StepSource::none;
  std::string range_name;    // where source is range
  uint32_t thread = kNoRow;  // that the ranges are on
  std::vector<HostStep> steps;
  std::vector<uint32_t> rows;  // the step ranges themselves: they are no frames
};

// Sources 1 to 3: step annotations, recurring ranges, optimizer steps.
HostSteps find_host_steps(const Timeline& timeline, const NameTable& names,
                          const ProcessRows& process);

// A kernel sequence that repeats on a device: a step if the unit holds a loss
// or optimizer kernel (source 4), else a cycle (a layer, a token).
struct KernelPeriod {
  int64_t kernels = 0;  // of one unit
  bool is_step = false;
  std::vector<uint32_t> firsts;  // device row that starts each whole unit
  uint32_t last = kNoRow;        // device row that ends the last whole unit
};
std::optional<KernelPeriod> find_period(const Timeline& timeline,
                                        const ActivityLabels& labels,
                                        RowRange device_rows);
HostSteps steps_from_period(const Timeline& timeline, const Launches& launches,
                            const KernelPeriod& period);

// Device time of each host boundary: the later of it and the end of the last
// compute kernel (any activity, if there is none) whose launch began before.
// Returns one more value than there are steps; empty without steps.
std::vector<int64_t> device_boundaries(const Timeline& timeline,
                                       const Launches& launches,
                                       const ActivityLabels& labels,
                                       RowRange device_rows,
                                       const HostSteps& steps);

}  // namespace gpuledger
