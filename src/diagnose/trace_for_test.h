// A drawing taken through all stages of one trace.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "analyze/timeline_for_test.h"
#include "diagnose/trace.h"

namespace gpuledger {

inline Result<TraceResult> try_analyze(const Drawing& drawing,
                                       const AnalyzeOptions& options = {},
                                       int64_t rank = 0) {
  Timeline timeline = drawing.timeline();
  return analyze_trace(timeline, rank, options, [](const char*) {});
}

inline TraceResult analyze(const Drawing& drawing,
                           const AnalyzeOptions& options = {}) {
  Result<TraceResult> result = try_analyze(drawing, options);
  EXPECT_TRUE(result);
  return result ? std::move(*result) : TraceResult{};
}

}  // namespace gpuledger
