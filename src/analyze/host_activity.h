// What each host thread was doing, instant by instant: the label that an idle
// device would get if it waited for that thread then (rules a to e of
// docs/ledger.md). It does not depend on any gap, so it is computed once.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/launches.h"
#include "analyze/name_table.h"
#include "analyze/order.h"
#include "analyze/process_rows.h"
#include "base/intervals.h"
#include "model/account.h"
#include "model/timeline.h"

namespace gpuledger {

// Per host row. Asynchronous copies of pageable (or unknown) host memory block
// if the copy began before the call returned.
std::vector<Blocking> find_blocking(const Timeline& timeline,
                                    const Launches& launches,
                                    const NameTable& names);

// Holds from start_ns to the start of the thread's next segment.
struct HostSegment {
  int64_t start_ns = 0;
  uint32_t owner = kNoRow;  // the row that the label comes from
  Account account = Account::idle_host_unseen;
  bool framed = false;         // some operator, call, range or frame is open
  bool blocking_copy = false;  // inside a copy call that blocks
};

struct HostActivity {
  // Per thread; the first segment starts at INT64_MIN.
  std::vector<std::vector<HostSegment>> threads;
};

struct HostActivityInput {
  const Timeline& timeline;
  const Order& order;
  const Launches& launches;
  const NameTable& names;
  const std::vector<Blocking>& blocking;
  const std::vector<ProcessRows>& processes;
  const std::vector<uint32_t>& overhead_rows;  // of the profiler, by start
  // Per device: when any activity ran.
  const std::vector<IntervalUnion>& busy;
  // Per host row: a range that marks a step; it is no frame.
  const std::vector<uint8_t>& step_row;
};

// The rows of kind overhead, by start.
std::vector<uint32_t> find_overhead(const Timeline& timeline);

HostActivity label_host(const HostActivityInput& input);

// The index of the segment that holds at `time_ns` on a thread.
size_t segment_index(const HostActivity& activity, uint32_t thread,
                     int64_t time_ns);
inline const HostSegment& segment_at(const HostActivity& activity,
                                     uint32_t thread, int64_t time_ns) {
  return activity.threads[thread][segment_index(activity, thread, time_ns)];
}

}  // namespace gpuledger
