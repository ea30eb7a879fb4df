// The stages of one trace: order, join, steps, labels, books, verdict. A
// newcomer reads analyze_trace() from top to bottom.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyze/verdict.h"
#include "base/result.h"
#include "detect/detector.h"
#include "diagnose/window.h"
#include "model/analyze_options.h"
#include "model/report.h"

namespace gpuledger {

// What one trace adds to the report.
struct TraceResult {
  Verdict verdict;
  std::vector<DeviceReport> devices;
  StepsReport steps;
  std::optional<CycleReport> cycle;
  std::vector<KernelReport> kernels;
  std::optional<HostReport> host;
  Detection detection;
};

using PhaseTimer = std::function<void(const char* phase)>;

// `rank`: what its devices are called by, where the trace names no rank.
// Fails with ErrorCode::usage if the options select nothing of it.
Result<TraceResult> analyze_trace(Timeline& timeline, int64_t rank,
                                  const AnalyzeOptions& options,
                                  const PhaseTimer& finished);

}  // namespace gpuledger
