// The lead that blocking calls destroy (docs/ledger.md, "Lost lead"). A sync on
// a busy device costs nothing but the host's lead; the launch gaps that follow
// pay for it until the lead is won back.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "analyze/host_activity.h"
#include "analyze/launches.h"
#include "base/intervals.h"
#include "model/timeline.h"

namespace gpuledger {

// The debt of one process towards one device, moved forward in time.
class LeadDebt {
 public:
  struct Payment {
    uint32_t call;  // the blocking call that is paid for
    int64_t ns;
  };

  // `process`'s calls towards the device that ran `device_rows`, of which
  // `busy` tells when.
  LeadDebt(const HostActivityInput& host, const HostActivity& activity,
           uint32_t process, RowRange device_rows, const IntervalUnion& busy);

  // Takes in all blocking calls that returned by `now`, then pays up to
  // `length_ns` of the debt, oldest call first. Times must not decrease.
  std::vector<Payment> pay(int64_t now_ns, int64_t length_ns);

 private:
  struct Event {
    int64_t time_ns;
    uint32_t call;  // kNoRow: the queue was full, the lead is whole again
    int64_t debt_ns;
  };
  void find_full_queues(const HostActivityInput& in, uint32_t process,
                        RowRange device_rows);

  std::vector<Event> events_;  // in time order
  size_t next_ = 0;
  std::deque<Payment> debts_;
};

}  // namespace gpuledger
