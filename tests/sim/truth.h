// truth.json: what a reader of the trace should find.
#pragma once

#include <cstdint>
#include <string>

#include "sim/simulate.h"

namespace gpuledger::sim {

struct TruthHeader {
  std::string scenario;  // file name
  uint64_t seed = 1;
  int64_t resolution_ns = 1;
  // The earliest row of the trace, in simulated and in epoch time.
  int64_t first_ns = 0, origin_ns = 0;
};

// Runs the scenario again without each of its causes.
std::string truth_json(const Scenario& scenario, const RunOptions& options,
                       const Books& books, const TruthHeader& header);

}  // namespace gpuledger::sim
