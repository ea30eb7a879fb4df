// Can this trace carry a verdict? Lost GPU activity looks exactly like idle
// time; this decides, before any finding, whether idle time may be believed.
#pragma once

#include <vector>

#include "analyze/book.h"
#include "analyze/launches.h"
#include "analyze/name_table.h"
#include "model/report.h"
#include "model/timeline.h"

namespace gpuledger {

// Kernel-launch and copy calls, away from the recording's edges, that left no
// device activity; by start. Fills and calls under stream capture leave none.
struct LostCalls {
  std::vector<uint32_t> calls;
  int64_t examined = 0;
  bool any_launch_call = false;  // anywhere in the trace
};
LostCalls find_lost_calls(const Timeline& timeline, const Launches& launches,
                          const NameTable& names);

// One device's window, for the late starts in it.
struct BookedWindow {
  const DeviceBook* book = nullptr;
  int64_t start_ns = 0, end_ns = 0;
};

Verdict judge_trace(const Timeline& timeline, const Launches& launches,
                    const NameTable& names, const LostCalls& lost,
                    const std::vector<BookedWindow>& windows);

}  // namespace gpuledger
