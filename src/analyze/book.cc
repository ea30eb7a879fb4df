#include "analyze/book.h"

#include <algorithm>
#include <array>
#include <queue>

#include "analyze/gap.h"

namespace gpuledger {
namespace {

// When some compute kernel was launched and waited to start.
IntervalUnion compute_waiting(const BookInput& in, RowRange rows) {
  const HostRows& host = in.host.timeline.host;
  const DeviceRows& device = in.host.timeline.device;
  std::vector<Interval> waits;
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    if (in.labels.family[row] != KernelFamily::compute) continue;
    const LaunchState state = in.host.launches.state[row];
    if (state == LaunchState::lost) continue;
    const int64_t launched_ns = state == LaunchState::carried
                                    ? in.host.timeline.first_ns
                                    : host.end_ns[in.host.launches.call[row]];
    if (launched_ns < device.start_ns[row])
      waits.push_back({launched_ns, device.start_ns[row]});
  }
  std::sort(
      waits.begin(), waits.end(),
      [](const Interval& a, const Interval& b) { return a.start < b.start; });
  IntervalUnion united;
  for (const Interval& wait : waits) united.add(wait.start, wait.end);
  return united;
}

// Sweeps a device's activities in time order. At each instant the earliest
// started activity of the first family that runs any decides the account.
class DeviceSweep {
 public:
  DeviceSweep(const BookInput& input)
      : in_(input),
        rows_(input.host.order.devices[input.device]),
        next_(rows_.begin),
        waiting_(compute_waiting(input, rows_)),
        gaps_(input, input.host.busy[input.device]) {}

  DeviceBook run() {
    const Timeline& timeline = in_.host.timeline;
    int64_t now_ns = timeline.first_ns;
    book_.end_ns = timeline.last_ns;
    while (now_ns < book_.end_ns) {
      start_until(now_ns);
      now_ns = book_from(now_ns);
    }
    return std::move(book_);
  }

 private:
  static constexpr size_t kRanks = 3;  // compute, communication, copies
  using Running = std::priority_queue<uint32_t, std::vector<uint32_t>,
                                      std::greater<uint32_t>>;

  size_t rank_of(uint32_t row) const {
    switch (in_.labels.family[row]) {
      case KernelFamily::compute:
        return 0;
      case KernelFamily::communication:
        return 1;
      case KernelFamily::copy:
      case KernelFamily::set:
        return 2;
    }
    return 2;
  }

  int64_t start_of(uint32_t row) const {
    return in_.host.timeline.device.start_ns[row];
  }
  int64_t end_of(uint32_t row) const {
    return in_.host.timeline.device.end_ns[row];
  }

  void start(uint32_t row) {
    running_[rank_of(row)].push(row);
    if (last_ended_ == kNoRow || end_of(row) >= end_of(last_ended_))
      last_ended_ = row;
  }

  void start_until(int64_t now_ns) {
    for (; next_ < rows_.end && start_of(next_) <= now_ns; ++next_)
      start(next_);
    for (Running& running : running_)
      while (!running.empty() && end_of(running.top()) <= now_ns) running.pop();
  }

  // Books from `now` to the next change; returns when that is.
  int64_t book_from(int64_t now_ns) {
    for (size_t rank = 0; rank < kRanks; ++rank) {
      if (running_[rank].empty()) continue;
      const uint32_t row = running_[rank].top();
      int64_t until_ns = end_of(row);
      // A row of an earlier rank takes over as soon as it starts.
      for (; next_ < rows_.end && start_of(next_) < until_ns; ++next_) {
        if (rank_of(next_) < rank && end_of(next_) > start_of(next_)) {
          until_ns = start_of(next_);
          break;
        }
        start(next_);
      }
      book_busy(now_ns, until_ns, row, rank);
      return until_ns;
    }
    const bool more = next_ < rows_.end;
    const int64_t until_ns = more ? start_of(next_) : book_.end_ns;
    gaps_.classify({now_ns, until_ns, last_ended_, first_launched_at_next()},
                   book_.pieces);
    return until_ns;
  }

  // Of the rows that start together, the one that was launched first.
  uint32_t first_launched_at_next() const {
    if (next_ == rows_.end) return kNoRow;
    const auto& launch_ns = in_.host.timeline.host.start_ns;
    const auto& call = in_.host.launches.call;
    const auto launched = [&](uint32_t row) {
      return call[row] == kNoRow ? INT64_MIN : launch_ns[call[row]];
    };
    uint32_t first = next_;
    for (uint32_t row = next_ + 1;
         row < rows_.end && start_of(row) == start_of(next_); ++row)
      if (launched(row) < launched(first)) first = row;
    return first;
  }

  void book_busy(int64_t start_ns, int64_t end_ns, uint32_t row, size_t rank) {
    const Account account = in_.labels.account[row];
    if (rank == 0) {
      book_.pieces.push_back({start_ns, row, account, PieceNote::none});
      return;
    }
    // Without a launch record nothing is known of the host.
    const bool launched = in_.host.launches.state[row] == LaunchState::launched;
    // Split at the edges of the time in which compute kernels waited.
    const auto& waits = waiting_.spans();
    while (wait_ < waits.size() && waits[wait_].end <= start_ns) ++wait_;
    size_t w = wait_;
    for (int64_t now_ns = start_ns; now_ns < end_ns;) {
      const bool some = w < waits.size();
      const bool waited = some && waits[w].start <= now_ns;
      const int64_t edge_ns = !some    ? end_ns
                              : waited ? waits[w].end
                                       : waits[w].start;
      book_.pieces.push_back(
          {now_ns, row, account,
           waited || !launched ? PieceNote::none : PieceNote::host_late});
      now_ns = std::min(end_ns, edge_ns);
      if (waited) ++w;
    }
  }

  const BookInput& in_;
  RowRange rows_;
  uint32_t next_;
  IntervalUnion waiting_;
  size_t wait_ = 0;
  GapClassifier gaps_;
  std::array<Running, kRanks> running_;
  uint32_t last_ended_ = kNoRow;  // of the rows so far, the one that ends last
  DeviceBook book_;
};

}  // namespace

size_t DeviceBook::piece_at(int64_t time_ns) const {
  const auto after = std::partition_point(
      pieces.begin(), pieces.end(),
      [time_ns](const Piece& piece) { return piece.start_ns <= time_ns; });
  return static_cast<size_t>(after - pieces.begin()) -
         (after != pieces.begin());
}

AccountTotals DeviceBook::totals(int64_t from_ns, int64_t to_ns) const {
  AccountTotals totals;
  if (from_ns >= to_ns) return totals;
  for (size_t i = piece_at(from_ns);
       i < pieces.size() && pieces[i].start_ns < to_ns; ++i)
    totals[pieces[i].account] += std::min(piece_end_ns(i), to_ns) -
                                 std::max(pieces[i].start_ns, from_ns);
  return totals;
}

DeviceBook book_device(const BookInput& input) {
  return DeviceSweep(input).run();
}

}  // namespace gpuledger
