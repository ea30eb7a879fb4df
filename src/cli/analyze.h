// `gpuledger analyze INPUT…`: one report of all inputs.
#pragma once

#include "cli/arguments.h"
#include "diagnose/diagnose.h"

namespace gpuledger {

int run_analyze(const Arguments& arguments);

// The same with another engine; tests pass one that reads no files.
using Diagnose = Result<Diagnosis> (*)(const std::vector<std::string>&,
                                       const AnalyzeOptions&);
int analyze_with(Diagnose engine, const AnalyzeArguments& arguments);

}  // namespace gpuledger
