#include "analyze/lead.h"

#include <algorithm>
#include <tuple>

#include "analyze/thresholds.h"

namespace gpuledger {

namespace {

// The profiler's own syncs cost the user nothing, and a driver call inside a
// runtime call is the same wait.
bool counts(const HostActivityInput& in, const HostActivity& activity,
            uint32_t call) {
  const uint32_t parent = in.order.parent[call];
  if (parent != kNoRow && in.timeline.host.kind[parent] == HostKind::api)
    return false;
  const HostRows& host = in.timeline.host;
  return segment_at(activity, host.thread[call], host.start_ns[call]).account !=
         Account::idle_profiler;
}

}  // namespace

LeadDebt::LeadDebt(const HostActivityInput& in, const HostActivity& activity,
                   uint32_t process, RowRange device_rows,
                   const IntervalUnion& busy) {
  const HostRows& host = in.timeline.host;
  for (uint32_t row : in.processes[process].syncs) {
    if (!counts(in, activity, row)) continue;
    const int64_t debt_ns = busy.covered(host.start_ns[row], host.end_ns[row]);
    if (debt_ns > 0) events_.push_back({host.end_ns[row], row, debt_ns});
  }
  if (!events_.empty()) find_full_queues(in, process, device_rows);
  std::stable_sort(
      events_.begin(), events_.end(),
      [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
}

// NVIDIA only: a launch that meets about a thousand calls that have not started
// waits for room. The host is as far ahead as it can be.
void LeadDebt::find_full_queues(const HostActivityInput& in, uint32_t process,
                                RowRange device_rows) {
  const Timeline& timeline = in.timeline;
  const HostRows& host = timeline.host;
  struct Launch {
    int64_t call_ns, begin_ns;
    uint32_t call;
  };
  std::vector<Launch> calls;  // one per call: its first activity
  for (uint32_t row = device_rows.begin; row < device_rows.end; ++row) {
    const uint32_t call = in.launches.call[row];
    if (call == kNoRow ||
        timeline.threads[host.thread[call]].process != process ||
        !in.names.nvidia(host.name[call]))
      continue;
    calls.push_back({host.start_ns[call], timeline.device.start_ns[row], call});
  }
  if (static_cast<int64_t>(calls.size()) < kQueueFull_calls) return;
  std::sort(calls.begin(), calls.end(), [](const Launch& a, const Launch& b) {
    return std::tie(a.call_ns, a.call, a.begin_ns) <
           std::tie(b.call_ns, b.call, b.begin_ns);
  });
  calls.erase(std::unique(calls.begin(), calls.end(),
                          [](const Launch& a, const Launch& b) {
                            return a.call == b.call;
                          }),
              calls.end());
  std::vector<int64_t> begins;
  for (const Launch& launch : calls) begins.push_back(launch.begin_ns);
  std::sort(begins.begin(), begins.end());
  size_t begun = 0;
  for (size_t issued = 0; issued < calls.size(); ++issued) {
    while (begun < begins.size() && begins[begun] <= calls[issued].call_ns)
      ++begun;
    if (static_cast<int64_t>(issued - std::min(issued, begun)) >=
        kQueueFull_calls)
      events_.push_back({host.end_ns[calls[issued].call], kNoRow, 0});
  }
}

std::vector<LeadDebt::Payment> LeadDebt::pay(int64_t now_ns,
                                             int64_t length_ns) {
  for (; next_ < events_.size() && events_[next_].time_ns <= now_ns; ++next_) {
    if (events_[next_].call == kNoRow)
      debts_.clear();
    else
      debts_.push_back({events_[next_].call, events_[next_].debt_ns});
  }
  std::vector<Payment> payments;
  while (length_ns > 0 && !debts_.empty()) {
    Payment& oldest = debts_.front();
    const int64_t paid_ns = std::min(length_ns, oldest.ns);
    payments.push_back({oldest.call, paid_ns});
    length_ns -= paid_ns;
    oldest.ns -= paid_ns;
    if (oldest.ns == 0) debts_.pop_front();
  }
  return payments;
}

}  // namespace gpuledger
