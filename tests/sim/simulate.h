// Runs a scenario and returns its books.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ledger.h"
#include "sim/scenario.h"
#include "sim/trace_writer.h"

namespace gpuledger::sim {

struct DeviceBooks {
  int64_t window_start_ns = 0, window_ns = 0;
  Totals totals{};
  std::vector<StepBooks> steps;
};

struct Books {
  std::vector<DeviceBooks> devices;
  int64_t end_ns = 0;         // of the recording
  std::vector<int64_t> pids;  // of the processes
};

struct RunOptions {
  uint64_t seed = 1;
  int64_t bytes = 0;  // steps repeat until the trace is at least that long
};

// `writer` may be null: then only the books are kept.
Books simulate(const Scenario& scenario, const RunOptions& options,
               TraceWriter* writer);

// Means over the steps between the first and the last, and over devices.
int64_t mean_step_ns(const Books& books);
int64_t mean_lost_ns(const Books& books, Cause cause);

}  // namespace gpuledger::sim
