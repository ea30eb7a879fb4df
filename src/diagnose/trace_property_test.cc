// For any timeline and any selection: accounts sum to the window and to each
// step, steps tile the window, findings own no more than there is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "analyze/any_drawing_for_test.h"
#include "diagnose/trace_for_test.h"

namespace gpuledger {
namespace {

AnalyzeOptions any_options() {
  AnalyzeOptions options;
  const auto some_ns = [] {
    return *rc::gen::inRange<int64_t>(0, 2'000) * 10'000;
  };
  if (*rc::gen::arbitrary<bool>())
    options.window = AnalyzeOptions::Window::device;
  else if (*rc::gen::arbitrary<bool>())
    options.steps = {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 4)};
  if (*rc::gen::inRange(0, 4) == 0) options.from_ns = some_ns();
  if (*rc::gen::inRange(0, 4) == 0)
    options.to_ns = options.from_ns.value_or(0) + some_ns();
  return options;
}

RC_GTEST_PROP(TraceResult, AddsUp, ()) {
  const auto result = try_analyze(any_drawing(), any_options());
  if (!result) {  // --steps selects nothing
    RC_ASSERT(result.error().code == ErrorCode::usage);
    return;
  }
  for (const DeviceReport& device : result->devices) {
    RC_ASSERT(device.window_ns >= 0);
    RC_ASSERT(device.accounts.total_ns() == device.window_ns);
    int64_t at_ns = device.window_start_ns;
    for (const StepReport& step : device.steps) {
      RC_ASSERT(step.start_ns == at_ns);
      RC_ASSERT(step.window_ns > 0);
      RC_ASSERT(step.accounts.total_ns() == step.window_ns);
      at_ns += step.window_ns;
    }
    if (!device.steps.empty())
      RC_ASSERT(at_ns == device.window_start_ns + device.window_ns);
    double lost_ratio = 0;
    for (const Finding& finding : result->detection.findings)
      if (finding.device == device.id) lost_ratio += finding.lost_ratio;
    RC_ASSERT(lost_ratio <= 1 + 1e-9);
  }
}

}  // namespace
}  // namespace gpuledger
