// From the names of files to one report: read, order, steps, verdict, ledger,
// findings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/analyze_options.h"
#include "model/report.h"

namespace gpuledger {

struct Diagnosis {
  Report report;  // of the inputs that could be read; no inputs: none could
  std::vector<Error> failed_inputs;
  std::vector<std::pair<std::string, double>> phase_seconds;
};

// Fails only where the request makes no sense for these inputs (--steps that
// selects nothing). An input that cannot be read is in failed_inputs.
Result<Diagnosis> diagnose(const std::vector<std::string>& inputs,
                           const AnalyzeOptions& options);

}  // namespace gpuledger
