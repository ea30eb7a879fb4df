// The gap that most tests of gaps look at: it opens at 100 us, when a kernel
// ends whose launch returned long ago, and closes with the next activity.
#pragma once

#include <algorithm>
#include <string>

#include "analyze/book_for_test.h"

namespace gpuledger {

inline constexpr std::string_view kLoader =
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

inline Drawing busy_until_100us() {
  Drawing d;
  d.launch("gemm", {0, 2_us}, {4_us, 100_us});
  return d;
}

inline Interval gap_at_100us(const Booked& booked) {
  const DeviceRows& device = booked.timeline.device;
  int64_t end_ns = booked.timeline.last_ns;
  for (size_t row = 0; row < device.size(); ++row)
    if (device.start_ns[row] > 100_us)
      end_ns = std::min(end_ns, device.start_ns[row]);
  return {100_us, end_ns};
}

inline std::string gap_of(const Drawing& drawing, uint32_t tail_thread = 0) {
  const Booked booked(drawing, tail_thread);
  return booked.ledger(gap_at_100us(booked));
}

}  // namespace gpuledger
