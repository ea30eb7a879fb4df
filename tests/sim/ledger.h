// The books of one device, kept while the simulation runs. Each nanosecond is
// entered when it is over, from what runs on the device at that moment or from
// the cause that the host model injected.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/activity.h"

namespace gpuledger::sim {

// What the hosts did, shared by the ledgers of all devices. Kept only as far
// back as an open gap may reach.
class HostLog {
 public:
  explicit HostLog(int32_t processes) : segments_(processes) {}

  void add(int32_t process, Segment segment);
  void forget_before(int64_t time_ns);

  // Calls visit(start_ns, end_ns, segment) for what `process` did in the span.
  template <class Visit>
  void walk(int32_t process, int64_t start_ns, int64_t end_ns,
            Visit visit) const {
    const auto& row = segments_[process];
    auto first = std::upper_bound(
        row.begin(), row.end(), start_ns,
        [](int64_t ns, const Segment& s) { return ns < s.start_ns; });
    if (first != row.begin()) --first;
    for (size_t i = first - row.begin();
         i < row.size() && row[i].start_ns < end_ns; ++i) {
      const int64_t next_ns = i + 1 < row.size() ? row[i + 1].start_ns : end_ns;
      const int64_t from_ns = std::max(start_ns, row[i].start_ns);
      const int64_t to_ns = std::min(end_ns, next_ns);
      if (from_ns < to_ns) visit(from_ns, to_ns, row[i]);
    }
  }

 private:
  std::vector<std::deque<Segment>> segments_;
};

struct StepBooks {
  std::string label;
  int64_t start_ns = 0, end_ns = kNever;
  Totals totals{};
  // Time lost to each injected cause.
  std::array<int64_t, kCauseCount> lost_ns{};
};

class Ledger {
 public:
  explicit Ledger(const HostLog& hosts, int32_t processes)
      : hosts_(hosts), debts_(processes) {}

  // The first step begins, or one step ends and the next begins, at the later
  // of `host_ns` and the end of the last compute kernel launched so far.
  void begin_step(int64_t host_ns, std::string label);
  // The last step ends; one that would begin there is none.
  void end_steps(int64_t host_ns);
  // Without steps: the window begins no later than `start_ns`.
  void open_window(int64_t start_ns);
  // Keeps totals of the whole window only.
  void keep_totals_only() { totals_only_ = true; }

  void add(const Activity& activity);
  void block(const Blocking& call);
  void forgive_debt(int32_t process, int64_t time_ns);

  // Books everything before `time_ns`; nothing that starts earlier may follow.
  void advance(int64_t time_ns);
  void finish(int64_t end_ns);

  // The earliest moment of the host that may still be asked for.
  int64_t oldest_needed_ns() const { return gap_ns_; }
  int64_t last_end_ns() const { return last_end_ns_; }
  const std::vector<StepBooks>& steps() const { return steps_; }
  int64_t window_start_ns() const { return window_start_ns_; }

 private:
  struct Later {
    bool operator()(const Activity& a, const Activity& b) const {
      return std::tie(a.start_ns, a.order) > std::tie(b.start_ns, b.order);
    }
  };
  // What changes a process's debt, in time order.
  struct Mark {
    int64_t time_ns;
    int64_t order;
    enum class Kind : uint8_t { block, unblock, forgive } kind;
    int32_t process;
    Cause cause;
    bool operator>(const Mark& other) const {
      return std::tie(time_ns, order) > std::tie(other.time_ns, other.order);
    }
  };
  struct Share {
    Cause cause;
    int64_t ns;
  };
  // Lead that blocking calls destroyed, oldest first.
  struct Debt {
    std::deque<Share> shares;
    int64_t busy_at_block_ns = 0;
  };
  struct Owed {  // falls due inside an open gap
    int64_t time_ns;
    int32_t process;
    Share share;
  };

  int64_t boundary_ns(int64_t host_ns);
  void book(int64_t from_ns, int64_t to_ns, Entry entry, Cause cause);
  void book_running(int64_t to_ns);
  void close_gap(const Activity& next);
  void book_host(int32_t process, int64_t from_ns, int64_t to_ns, bool tail);
  void book_launch(int32_t process, int64_t from_ns, int64_t to_ns,
                   Cause cause);
  void settle_due(int32_t process, int64_t time_ns);
  void apply(const Mark& mark);
  void start(const Activity& activity);
  void end_running(int64_t time_ns);
  int64_t next_end_ns() const;

  const HostLog& hosts_;
  std::vector<Debt> debts_;
  std::vector<Owed> owed_;
  std::priority_queue<Activity, std::vector<Activity>, Later> upcoming_;
  std::priority_queue<Mark, std::vector<Mark>, std::greater<>> marks_;
  std::vector<Activity> running_;
  // Launch and end of compute kernels that no boundary has passed yet.
  std::vector<std::pair<int64_t, int64_t>> unpassed_;
  std::vector<StepBooks> steps_;
  size_t booking_ = 0;  // the step that is being booked
  int64_t now_ns_ = kAlways, gap_ns_ = kAlways;
  int64_t busy_ns_ = 0, mark_order_ = 0;
  int64_t last_compute_ns_ = kAlways, last_end_ns_ = kAlways;
  int64_t window_start_ns_ = kNever;
  bool totals_only_ = false;
};

}  // namespace gpuledger::sim
