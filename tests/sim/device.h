// The streams of one device: each runs its work in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/activity.h"

namespace gpuledger::sim {

class DeviceModel {
 public:
  explicit DeviceModel(int64_t streams) : free_ns_(streams, kAlways) {}

  // When work that is available at `ready_ns` starts. `gap_ns` passes on the
  // device between one piece of work of a stream and the next.
  int64_t place(int32_t stream, int64_t ready_ns, int64_t gap_ns,
                int64_t dur_ns) {
    int64_t& free_ns = free_ns_[stream];
    const int64_t after_ns = free_ns == kAlways ? kAlways : free_ns + gap_ns;
    const int64_t start_ns = std::max(ready_ns, after_ns);
    free_ns = start_ns + dur_ns;
    return start_ns;
  }

  // What `stream` does from now on waits for what `other` holds now.
  void wait(int32_t stream, int32_t other) {
    free_ns_[stream] = std::max(free_ns_[stream], free_ns_[other]);
  }

  int64_t stream_end_ns(int32_t stream) const { return free_ns_[stream]; }
  int64_t end_ns() const {
    return *std::max_element(free_ns_.begin(), free_ns_.end());
  }

 private:
  std::vector<int64_t> free_ns_;  // kAlways: never used
};

}  // namespace gpuledger::sim
