#include "analyze/host_activity.h"

#include <algorithm>

#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

// What is open on a thread, as seen from its innermost row.
struct OpenState {
  uint32_t profiler = kNoRow;  // some frame of the profiler
  uint32_t special = kNoRow;   // outermost frame of data, checkpoint, gc, jit
  uint32_t api = kNoRow;       // innermost call
  uint32_t op = kNoRow;        // innermost operator
  Account special_account = Account::idle_data;
  bool framed = false;
};

struct OpenRow {
  uint32_t row = kNoRow;
  int64_t end_ns = 0;
  OpenState state;  // with this row open
};

// More rows open at once than any program has: the oldest are let go, so that
// made-up input costs no more than its size.
constexpr size_t kDeepestStack = 1000;

class ThreadLabeller {
 public:
  // `profiler`: when the driver did work for the profiler.
  ThreadLabeller(const HostActivityInput& input,
                 const std::vector<uint32_t>& first_of_name,
                 const IntervalUnion& profiler)
      : in_(input), first_of_name_(first_of_name), profiler_(profiler) {}

  std::vector<HostSegment> label(RowRange rows) {
    collect_launches(rows);
    start_segment(INT64_MIN, true);
    for (uint32_t row = rows.begin; row < rows.end; ++row) {
      close_until(in_.timeline.host.start_ns[row]);
      open(row);
    }
    close_until(INT64_MAX);
    finish_stretch(INT64_MAX);
    return std::move(segments_);
  }

 private:
  void collect_launches(RowRange rows) {
    for (uint32_t row = rows.begin; row < rows.end; ++row)
      if (in_.launches.activities[row] > 0) launches_.push_back(row);
  }

  bool is_boundary(uint32_t row) const {
    const HostKind kind = in_.timeline.host.kind[row];
    return kind == HostKind::op || kind == HostKind::api;
  }

  void open(uint32_t row) {
    if (in_.step_row[row]) return;
    const HostRows& host = in_.timeline.host;
    OpenState state = stack_.empty() ? OpenState{} : stack_.back().state;
    apply(row, state);
    if (stack_.size() >= kDeepestStack) stack_.erase(stack_.begin());
    crossing_ = crossing_ ||
                (!stack_.empty() && host.end_ns[row] > stack_.back().end_ns);
    stack_.push_back({row, host.end_ns[row], state});
    changed(host.start_ns[row], is_boundary(row));
  }

  void apply(uint32_t row, OpenState& state) const {
    const HostRows& host = in_.timeline.host;
    const FrameKind kind = in_.names.frame_kind(host.name[row]);
    state.framed = true;
    switch (host.kind[row]) {
      case HostKind::op:
        state.op = row;
        break;
      case HostKind::api:
        state.api = row;
        return;
      case HostKind::range:
      case HostKind::frame:
        break;
      case HostKind::overhead:
        return;
    }
    if (kind == FrameKind::profiler) state.profiler = row;
    if (state.special != kNoRow) return;
    const auto owns = [&](Account account) {
      state.special = row;
      state.special_account = account;
    };
    if (kind == FrameKind::data) owns(Account::idle_data);
    if (kind == FrameKind::checkpoint) owns(Account::idle_checkpoint);
    if (kind == FrameKind::gc) owns(Account::idle_gc);
    if (kind == FrameKind::compile_jit) owns(Account::idle_compile_jit);
  }

  // Closes the rows that end at or before `now`, in order of their ends.
  void close_until(int64_t now_ns) {
    while (!stack_.empty()) {
      size_t first = stack_.size() - 1;
      if (crossing_)
        for (size_t i = first; i-- > 0;)
          if (stack_[i].end_ns < stack_[first].end_ns) first = i;
      const int64_t end_ns = stack_[first].end_ns;
      if (end_ns > now_ns) return;
      const bool boundary = is_boundary(stack_[first].row);
      stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(first));
      for (size_t i = first; i < stack_.size(); ++i) {
        stack_[i].state = i == 0 ? OpenState{} : stack_[i - 1].state;
        apply(stack_[i].row, stack_[i].state);
      }
      if (stack_.empty()) crossing_ = false;
      changed(end_ns, boundary);
    }
  }

  void changed(int64_t now_ns, bool boundary) {
    if (boundary) finish_stretch(now_ns);
    start_segment(now_ns, boundary);
    if (boundary) {
      stretch_start_ns_ = now_ns;
      stretch_segment_ = segments_.size() - 1;
    }
  }

  HostSegment segment_at(int64_t now_ns) const {
    const OpenState state = stack_.empty() ? OpenState{} : stack_.back().state;
    HostSegment segment;
    segment.start_ns = now_ns;
    segment.framed = state.framed;
    if (state.profiler != kNoRow) {
      segment.owner = state.profiler;
      segment.account = Account::idle_profiler;
    } else if (state.special != kNoRow) {
      segment.owner = state.special;
      segment.account = state.special_account;
    } else if (state.api != kNoRow) {
      segment.owner = state.api;
      segment.account = account_of_call(state.api, state.op);
      segment.blocking_copy = in_.blocking[state.api] == Blocking::copy;
    } else if (state.op != kNoRow) {
      segment.owner = state.op;
      segment.account = Account::idle_launch_dispatch;
    } else {
      segment.account = Account::idle_launch_between;
    }
    return segment;
  }

  // Joins the segment before it if nothing changed and no stretch begins.
  void start_segment(int64_t now_ns, bool stretch_begins) {
    const HostSegment segment = segment_at(now_ns);
    if (!segments_.empty() && segments_.back().start_ns == now_ns) {
      segments_.back() = segment;
      return;
    }
    if (!segments_.empty() && !stretch_begins) {
      const HostSegment& last = segments_.back();
      if (last.owner == segment.owner && last.account == segment.account &&
          last.framed == segment.framed)
        return;
    }
    segments_.push_back(segment);
  }

  // A stretch without entering or leaving an operator or call has ended: if it
  // was long, it was a stall and not dispatching.
  void finish_stretch(int64_t now_ns) {
    const bool is_long = stretch_start_ns_ == INT64_MIN ||
                         now_ns == INT64_MAX ||
                         now_ns - stretch_start_ns_ >= kHostStretchMin_ns;
    if (!is_long) return;
    for (size_t i = stretch_segment_; i < segments_.size(); ++i) {
      HostSegment& segment = segments_[i];
      if (segment.account == Account::idle_launch_dispatch) {
        segment.account = next_launch_is_first(segment.owner, now_ns)
                              ? Account::idle_compile_load
                              : Account::idle_host_op;
      } else if (segment.account == Account::idle_launch_between) {
        segment.account = segment.framed ? Account::idle_host_named
                                         : Account::idle_host_unseen;
      }
    }
  }

  // Does operator `op` launch a kernel name for the first time with its first
  // launch after `now`?
  bool next_launch_is_first(uint32_t op, int64_t now_ns) const {
    const HostRows& host = in_.timeline.host;
    if (op == kNoRow) return false;
    const auto next = std::partition_point(
        launches_.begin(), launches_.end(),
        [&](uint32_t row) { return host.start_ns[row] < now_ns; });
    return next != launches_.end() && host.start_ns[*next] < host.end_ns[op] &&
           in_.launches.first_of_kernel[*next];
  }

  Account account_of_call(uint32_t call, uint32_t op) const {
    const HostRows& host = in_.timeline.host;
    const ApiClass& api = in_.names.api(host.name[call]);
    // A call that the profiler held up is not loading code.
    const int64_t duration_ns =
        host.end_ns[call] - host.start_ns[call] -
        profiler_.covered(host.start_ns[call], host.end_ns[call]);
    const bool blocking = in_.blocking[call] != Blocking::no;
    if (api.load) return Account::idle_compile_load;
    if (duration_ns >= kFirstUseCallMin_ns && !blocking && !api.alloc &&
        (first_of_name_[host.name[call]] == call ||
         in_.launches.first_of_kernel[call]))
      return Account::idle_compile_load;
    if (api.free && duration_ns >= kFirstUseFreeMin_ns && device_idle(call) &&
        next_launch_is_first(op, host.end_ns[call]))
      return Account::idle_compile_load;
    if (api.alloc) return Account::idle_alloc;
    return blocking ? Account::idle_sync_wait : Account::idle_launch_api;
  }

  bool device_idle(uint32_t call) const {
    const HostRows& host = in_.timeline.host;
    const uint32_t process = in_.timeline.threads[host.thread[call]].process;
    for (size_t d = 0; d < in_.busy.size(); ++d)
      if (in_.launches.main_process[d] == process &&
          in_.busy[d].covered(host.start_ns[call], host.end_ns[call]) > 0)
        return false;
    return true;
  }

  const HostActivityInput& in_;
  const std::vector<uint32_t>& first_of_name_;
  const IntervalUnion& profiler_;
  std::vector<uint32_t> launches_;  // calls of this thread with activities
  std::vector<OpenRow> stack_;
  bool crossing_ = false;  // some row outlives the one it began in
  std::vector<HostSegment> segments_;
  int64_t stretch_start_ns_ = INT64_MIN;
  size_t stretch_segment_ = 0;
};

// Per name: the call that came first.
std::vector<uint32_t> find_first_calls(const Timeline& timeline) {
  std::vector<uint32_t> first(timeline.names.size(), kNoRow);
  const HostRows& host = timeline.host;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::api) continue;
    uint32_t& call = first[host.name[row]];
    if (call == kNoRow || host.start_ns[row] < host.start_ns[call]) call = row;
  }
  return first;
}

IntervalUnion find_profiler_time(const HostActivityInput& in) {
  const HostRows& host = in.timeline.host;
  IntervalUnion united;
  for (uint32_t row : in.overhead_rows)
    if (in.names.overhead_account(host.name[row]) == Account::idle_profiler)
      united.add(host.start_ns[row], host.end_ns[row]);
  return united;
}

}  // namespace

std::vector<Blocking> find_blocking(const Timeline& timeline,
                                    const Launches& launches,
                                    const NameTable& names) {
  const HostRows& host = timeline.host;
  const DeviceRows& device = timeline.device;
  std::vector<Blocking> blocking(host.size(), Blocking::no);
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::api) continue;
    const ApiClass& api = names.api(host.name[row]);
    if (api.blocking_copy)
      blocking[row] = Blocking::copy;
    else if (api.blocking_sync)
      blocking[row] = Blocking::sync;
  }
  for (uint32_t row = 0; row < device.size(); ++row) {
    const uint32_t call = launches.call[row];
    if (call == kNoRow || device.kind[row] != ActivityKind::copy) continue;
    const bool staged = device.host_memory[row] == HostMemory::pageable ||
                        device.host_memory[row] == HostMemory::unknown;
    if (staged && device.start_ns[row] < host.end_ns[call] &&
        names.api(host.name[call]).copy)
      blocking[call] = Blocking::copy;
  }
  return blocking;
}

std::vector<uint32_t> find_overhead(const Timeline& timeline) {
  const HostRows& host = timeline.host;
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < host.size(); ++row)
    if (host.kind[row] == HostKind::overhead) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    return host.start_ns[a] < host.start_ns[b];
  });
  return rows;
}

HostActivity label_host(const HostActivityInput& input) {
  HostActivity activity;
  const std::vector<uint32_t> first_of_name = find_first_calls(input.timeline);
  const IntervalUnion profiler = find_profiler_time(input);
  for (const RowRange& rows : input.order.threads)
    activity.threads.push_back(
        ThreadLabeller(input, first_of_name, profiler).label(rows));
  return activity;
}

size_t segment_index(const HostActivity& activity, uint32_t thread,
                     int64_t time_ns) {
  const auto& segments = activity.threads[thread];
  const auto after = std::partition_point(
      segments.begin(), segments.end(), [time_ns](const HostSegment& segment) {
        return segment.start_ns <= time_ns;
      });
  return static_cast<size_t>(after - segments.begin()) - 1;
}

}  // namespace gpuledger
