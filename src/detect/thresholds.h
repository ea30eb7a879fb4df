// Every threshold of the detectors, with unit and source.
#pragma once

#include <cstdint>

namespace gpuledger {

// DL-01: share of the window (torch_tb_profiler warns at 5 % too).
inline constexpr double kLoaderIdleMin_ratio = 0.05;

// HD-01: pageable share of the bytes, and of the window (docs/findings/HD-01).
inline constexpr double kPageableBytesMin_ratio = 0.5;
inline constexpr double kPageableLostMin_ratio = 0.02;

// HD-03: share of the window (docs/findings/HD-03).
inline constexpr double kScalarReadLostMin_ratio = 0.01;

// LK-01: share of the window; median kernel; share of kernels that were
// launched onto a device that had run out of work.
inline constexpr double kLaunchIdleMin_ratio = 0.15;
inline constexpr int64_t kTinyKernelMax_ns = 20'000;
inline constexpr double kEmptyQueueMin_ratio = 0.5;

// Where more than this share of the window is unattributed, what is not found
// proves nothing: detectors are blocked.
inline constexpr double kUnattributedMax_ratio = 0.2;

// With more events than this that could not be read, or cannot be true, by
// count and by share, a finding is likely at most. A few shift time by little
// more than their length.
inline constexpr int64_t kLostEventsMax = 5;
inline constexpr double kLostEventsMax_ratio = 0.001;

// Severity, by share of the window.
inline constexpr double kSeverityHighMin_ratio = 0.10;
inline constexpr double kSeverityMediumMin_ratio = 0.03;

}  // namespace gpuledger
