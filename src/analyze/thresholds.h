// Every threshold of the ledger and its verdict, with unit and source. The
// figures are a fit to real traces (docs/ledger.md); detectors keep theirs in
// detect/thresholds.h.
#pragma once

#include <cstdint>

namespace gpuledger {

// A launch reaches an idle device within this time; NVIDIA takes up to 9 us,
// ROCm up to 25 us. What is beyond has a cause that the input does not show.
inline constexpr int64_t kLaunchLatencyMax_ns = 50'000;

// A host thread that enters and leaves nothing for this long is stalled, not
// dispatching.
inline constexpr int64_t kHostStretchMin_ns = 500'000;

// A call this long is loading code if it is the first of its name or launches
// a kernel name for the first time.
inline constexpr int64_t kFirstUseCallMin_ns = 500'000;

// cudaFree of a library's initialisation on an idle device.
inline constexpr int64_t kFirstUseFreeMin_ns = 10'000'000;

// A launch queue on NVIDIA devices holds this many calls.
inline constexpr int64_t kQueueFull_calls = 1000;

// Shares of lost activity that refuse a verdict.
inline constexpr double kLateStartMax_ratio = 0.01;
inline constexpr double kLostCallsMax_ratio = 0.01;
inline constexpr int64_t kLostCallsMin = 5;
inline constexpr double kGraphCountMin_ratio = 0.5;

// Steps: a range that recurs and covers its span; a kernel sequence that
// repeats.
inline constexpr int64_t kStepRangesMin = 3;
inline constexpr double kStepCoverageMin_ratio = 0.8;
inline constexpr double kPeriodAgreementMin_ratio = 0.95;
inline constexpr int64_t kPeriodsMin = 3;

// Above this change of the host's lead over the window, neither the host's nor
// the device's step time alone is the rate.
inline constexpr double kRunAheadChangeMin_ratio = 0.05;

}  // namespace gpuledger
