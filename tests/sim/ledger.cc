#include "sim/ledger.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace gpuledger::sim {
namespace {

// A launch reaches an idle device within this time; a scenario stays far below.
constexpr int64_t kLatencyBound_ns = 50'000;

// The one of `running` whose class the device's time is booked under.
const Activity& leading(const std::vector<Activity>& running) {
  const auto rank = [](const Activity& a) {
    const int kind = is_compute(a.entry) ? 0 : is_copy(a.entry) ? 2 : 1;
    return std::tuple(kind, a.start_ns, a.stream, a.order);
  };
  return *std::min_element(
      running.begin(), running.end(),
      [&](const Activity& a, const Activity& b) { return rank(a) < rank(b); });
}

}  // namespace

void HostLog::add(int32_t process, Segment segment) {
  auto& row = segments_[process];
  if (!row.empty() && row.back().start_ns == segment.start_ns) row.pop_back();
  if (!row.empty() && row.back().entry == segment.entry &&
      row.back().cause == segment.cause)
    return;
  row.push_back(segment);
}

void HostLog::forget_before(int64_t time_ns) {
  for (auto& row : segments_)
    while (row.size() > 1 && row[1].start_ns <= time_ns) row.pop_front();
}

void Ledger::begin_step(int64_t host_ns, std::string label) {
  const int64_t start_ns = boundary_ns(host_ns);
  window_start_ns_ = std::min(window_start_ns_, start_ns);
  if (totals_only_ && !steps_.empty()) return;
  if (!steps_.empty()) steps_.back().end_ns = start_ns;
  steps_.push_back({std::move(label), start_ns, kNever, {}, {}});
}

void Ledger::end_steps(int64_t host_ns) {
  const int64_t end_ns = boundary_ns(host_ns);
  if (steps_.size() > 1 && steps_.back().start_ns == end_ns) steps_.pop_back();
  steps_.back().end_ns = end_ns;
}

int64_t Ledger::boundary_ns(int64_t host_ns) {
  std::erase_if(unpassed_, [&](const std::pair<int64_t, int64_t>& kernel) {
    if (kernel.first >= host_ns) return false;
    last_compute_ns_ = std::max(last_compute_ns_, kernel.second);
    return true;
  });
  return std::max(host_ns, last_compute_ns_);
}

void Ledger::open_window(int64_t start_ns) {
  if (steps_.empty()) steps_.push_back({"0", start_ns, kNever, {}, {}});
  steps_[0].start_ns = std::min(steps_[0].start_ns, start_ns);
  window_start_ns_ = steps_[0].start_ns;
}

void Ledger::add(const Activity& activity) {
  CHECK(activity.start_ns >= now_ns_ && activity.end_ns > activity.start_ns);
  upcoming_.push(activity);
  last_end_ns_ = std::max(last_end_ns_, activity.end_ns);
  if (is_compute(activity.entry))
    unpassed_.emplace_back(activity.launch_ns, activity.end_ns);
}

void Ledger::block(const Blocking& call) {
  marks_.push({call.start_ns, mark_order_++, Mark::Kind::block, call.process,
               call.cause});
  marks_.push({call.end_ns, mark_order_++, Mark::Kind::unblock, call.process,
               call.cause});
}

void Ledger::forgive_debt(int32_t process, int64_t time_ns) {
  marks_.push(
      {time_ns, mark_order_++, Mark::Kind::forgive, process, Cause::none});
}

void Ledger::advance(int64_t time_ns) {
  while (true) {
    const int64_t start_ns =
        upcoming_.empty() ? kNever : upcoming_.top().start_ns;
    const int64_t mark_ns = marks_.empty() ? kNever : marks_.top().time_ns;
    const int64_t end_ns = next_end_ns();
    const int64_t next_ns = std::min({start_ns, mark_ns, end_ns});
    if (next_ns > time_ns || next_ns == kNever) break;
    book_running(next_ns);
    if (end_ns == next_ns) {
      end_running(next_ns);
    } else if (mark_ns == next_ns) {
      apply(marks_.top());
      marks_.pop();
    } else {
      start(upcoming_.top());
      upcoming_.pop();
    }
  }
}

void Ledger::finish(int64_t end_ns) {
  advance(kNever - 1);
  StepBooks& last = steps_.back();
  if (last.end_ns == kNever) last.end_ns = end_ns;
  if (gap_ns_ < last.end_ns) book_host(0, gap_ns_, last.end_ns, true);
}

int64_t Ledger::next_end_ns() const {
  int64_t end_ns = kNever;
  for (const Activity& a : running_) end_ns = std::min(end_ns, a.end_ns);
  return end_ns;
}

void Ledger::book(int64_t from_ns, int64_t to_ns, Entry entry, Cause cause) {
  while (from_ns < to_ns) {
    if (steps_.empty()) return;
    StepBooks* step = &steps_[booking_];
    if (from_ns >= step->end_ns) {
      if (++booking_ < steps_.size()) continue;
      --booking_;  // after the last boundary
      return;
    }
    from_ns = std::max(from_ns, step->start_ns);
    const int64_t until_ns = std::min(to_ns, step->end_ns);
    if (from_ns >= until_ns) return;
    of(step->totals, entry) += until_ns - from_ns;
    step->lost_ns[static_cast<size_t>(cause)] += until_ns - from_ns;
    from_ns = until_ns;
  }
}

void Ledger::book_running(int64_t to_ns) {
  if (!running_.empty()) {
    const Activity& lead = leading(running_);
    book(now_ns_, to_ns, lead.entry, lead.cause);
    busy_ns_ += to_ns - now_ns_;
  }
  now_ns_ = to_ns;
}

void Ledger::end_running(int64_t time_ns) {
  std::erase_if(running_,
                [&](const Activity& a) { return a.end_ns == time_ns; });
  if (running_.empty()) gap_ns_ = time_ns;
}

void Ledger::start(const Activity& activity) {
  if (running_.empty()) close_gap(activity);
  running_.push_back(activity);
  gap_ns_ = kNever;
}

void Ledger::apply(const Mark& mark) {
  Debt& debt = debts_[mark.process];
  switch (mark.kind) {
    case Mark::Kind::block:
      debt.busy_at_block_ns = busy_ns_;
      break;
    case Mark::Kind::forgive:
      debt.shares.clear();
      break;
    case Mark::Kind::unblock:
      owed_.push_back({mark.time_ns,
                       mark.process,
                       {mark.cause, busy_ns_ - debt.busy_at_block_ns}});
      if (!running_.empty()) settle_due(mark.process, mark.time_ns);
      break;
  }
}

void Ledger::settle_due(int32_t process, int64_t time_ns) {
  std::erase_if(owed_, [&](const Owed& owed) {
    if (owed.process != process || owed.time_ns > time_ns) return false;
    if (owed.share.ns > 0) debts_[process].shares.push_back(owed.share);
    return true;
  });
}

void Ledger::close_gap(const Activity& next) {
  const int64_t from_ns = gap_ns_, to_ns = next.start_ns;
  const int64_t host_ns = std::clamp(next.return_ns, from_ns, to_ns);
  book_host(next.process, from_ns, host_ns, false);
  const bool late = host_ns > from_ns;
  if (next.loads) {
    book(host_ns, to_ns, Entry::idle_compile, Cause::none);
  } else if (to_ns - host_ns > kLatencyBound_ns) {
    book(host_ns, to_ns, Entry::unattributed, Cause::none);
  } else if (late) {
    settle_due(next.process, host_ns);
    book_launch(next.process, host_ns, to_ns, Cause::launches);
  } else {
    book(host_ns, to_ns, Entry::idle_queue, Cause::none);
  }
  for (size_t p = 0; p < debts_.size(); ++p)
    settle_due(static_cast<int32_t>(p), to_ns);
}

void Ledger::book_host(int32_t process, int64_t from_ns, int64_t to_ns,
                       bool tail) {
  hosts_.walk(process, from_ns, to_ns,
              [&](int64_t start_ns, int64_t end_ns, const Segment& segment) {
                settle_due(process, start_ns);
                if (segment.entry != Entry::idle_launch)
                  book(start_ns, end_ns, segment.entry, segment.cause);
                else if (tail)
                  book(start_ns, end_ns, Entry::idle_tail, Cause::none);
                else
                  book_launch(process, start_ns, end_ns, segment.cause);
              });
}

// Launch gaps first pay back the lead that blocking calls destroyed.
void Ledger::book_launch(int32_t process, int64_t from_ns, int64_t to_ns,
                         Cause cause) {
  auto& shares = debts_[process].shares;
  while (from_ns < to_ns && !shares.empty()) {
    Share& share = shares.front();
    const int64_t paid_ns = std::min(to_ns - from_ns, share.ns);
    book(from_ns, from_ns + paid_ns, Entry::idle_sync, share.cause);
    from_ns += paid_ns;
    share.ns -= paid_ns;
    if (share.ns == 0) shares.pop_front();
  }
  book(from_ns, to_ns, Entry::idle_launch, cause);
}

}  // namespace gpuledger::sim
