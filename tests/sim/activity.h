// What the simulated device runs, and why the simulated host was late.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/entry.h"

namespace gpuledger::sim {

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kAlways = std::numeric_limits<int64_t>::min();

struct Activity {
  int64_t start_ns = 0, end_ns = 0;
  // Of the call that launched it; kAlways: before the recording.
  int64_t launch_ns = kAlways, return_ns = kAlways;
  int64_t order = 0;  // of the launch
  int32_t process = 0, stream = 0;
  Entry entry = Entry::compute_other;
  Cause cause = Cause::none;
  bool loads = false;  // its launch call loaded it
};

// From `start_ns` to the next segment the host of one process does one thing.
struct Segment {
  int64_t start_ns = 0;
  Entry entry = Entry::idle_launch;
  Cause cause = Cause::none;
};

// A call that keeps the host waiting for the device.
struct Blocking {
  int64_t start_ns = 0, end_ns = 0;
  int32_t process = 0;
  Cause cause = Cause::none;
};

}  // namespace gpuledger::sim
