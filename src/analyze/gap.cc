#include "analyze/gap.h"

#include <algorithm>

#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

void append(std::vector<Piece>& pieces, const Piece& piece) {
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.start_ns == piece.start_ns) {
      last = piece;
      return;
    }
    if (last.owner == piece.owner && last.account == piece.account &&
        last.note == piece.note)
      return;
  }
  pieces.push_back(piece);
}

// The profiler's own rows, in time order and without overlap; the time between
// them is marked unattributed.
std::vector<Piece> collect_overhead(const HostActivityInput& in) {
  const HostRows& host = in.timeline.host;
  std::vector<Piece> pieces{{INT64_MIN, kNoRow, Account::unattributed, {}}};
  for (uint32_t row : in.overhead_rows) {
    const int64_t start_ns =
        std::max(host.start_ns[row], pieces.back().start_ns);
    if (host.end_ns[row] <= start_ns) continue;
    append(pieces,
           {start_ns, row, in.names.overhead_account(host.name[row]), {}});
    pieces.push_back({host.end_ns[row], kNoRow, Account::unattributed, {}});
  }
  return pieces;
}

bool is_launch(Account account) {
  return account == Account::idle_launch_api ||
         account == Account::idle_launch_dispatch ||
         account == Account::idle_launch_between ||
         account == Account::idle_launch_latency;
}

}  // namespace

GapClassifier::GapClassifier(const BookInput& input, const IntervalUnion& busy)
    : in_(input), busy_(busy), overhead_(collect_overhead(input.host)) {}

uint32_t GapClassifier::process_of(uint32_t call) const {
  const Timeline& timeline = in_.host.timeline;
  return timeline.threads[timeline.host.thread[call]].process;
}

void GapClassifier::classify(const Gap& gap, std::vector<Piece>& pieces) {
  const HostRows& host = in_.host.timeline.host;
  const Launches& launches = in_.host.launches;
  const Stretch whole{gap.start_ns, gap.end_ns};
  if (gap.after == kNoRow && in_.step_thread == kNoRow) {
    append(pieces, {gap.start_ns, kNoRow, Account::idle_tail, {}});
    return;
  }
  if (gap.after == kNoRow) {
    walk(whole, in_.step_thread, kNoRow, kNoRow, pieces);
    return;
  }
  const uint32_t call = launches.call[gap.after];
  if (launches.state[gap.after] == LaunchState::lost || holds_lost_call(gap)) {
    append(pieces, {gap.start_ns, kNoRow, Account::unattributed, {}});
    return;
  }
  int64_t host_end_ns = gap.start_ns;  // carried over: all device part
  if (call != kNoRow)
    host_end_ns = std::clamp(host.end_ns[call], gap.start_ns, gap.end_ns);
  host_part({gap.start_ns, host_end_ns}, call, pieces);
  device_part({host_end_ns, gap.end_ns}, call, host_end_ns > gap.start_ns,
              pieces);
}

// Is a launch call that left no activity issued between the launches of the
// gap's neighbours?
bool GapClassifier::holds_lost_call(const Gap& gap) const {
  if (in_.lost_calls.empty() || gap.before == kNoRow) return false;
  const auto& start_ns = in_.host.timeline.host.start_ns;
  const auto launch_ns = [&](uint32_t row) {
    const uint32_t call = in_.host.launches.call[row];
    return call == kNoRow ? INT64_MIN : start_ns[call];
  };
  const auto [first_ns, last_ns] =
      std::minmax({launch_ns(gap.before), launch_ns(gap.after)});
  const auto lost = std::partition_point(
      in_.lost_calls.begin(), in_.lost_calls.end(),
      [&, first = first_ns](uint32_t row) { return start_ns[row] <= first; });
  return lost != in_.lost_calls.end() && start_ns[*lost] < last_ns;
}

void GapClassifier::host_part(Stretch part, uint32_t call,
                              std::vector<Piece>& pieces) {
  if (part.start_ns >= part.end_ns) return;
  const uint32_t thread = in_.host.timeline.host.thread[call];
  auto next = std::partition_point(
      overhead_.begin(), overhead_.end(),
      [&](const Piece& piece) { return piece.start_ns <= part.start_ns; });
  for (int64_t now_ns = part.start_ns; now_ns < part.end_ns; ++next) {
    const Piece& overhead = *(next - 1);
    const int64_t until_ns = next == overhead_.end()
                                 ? part.end_ns
                                 : std::min(part.end_ns, next->start_ns);
    if (overhead.owner != kNoRow)
      append(pieces, {now_ns, overhead.owner, overhead.account, {}});
    else
      walk({now_ns, until_ns}, thread, previous_launch_thread(call), call,
           pieces);
    now_ns = until_ns;
  }
}

// The thread of the launch before `call`: autograd and main thread hand over.
uint32_t GapClassifier::previous_launch_thread(uint32_t call) const {
  const HostRows& host = in_.host.timeline.host;
  const auto& rows = in_.host.processes[process_of(call)].launches;
  const auto it = std::partition_point(
      rows.begin(), rows.end(),
      [&](uint32_t row) { return host.start_ns[row] < host.start_ns[call]; });
  return it == rows.begin() ? kNoRow : host.thread[*(it - 1)];
}

// Labels [start, end) by what `thread` did; where it has nothing open, by what
// `other` (or kNoRow) did if that has.
void GapClassifier::walk(Stretch part, uint32_t thread, uint32_t other,
                         uint32_t call, std::vector<Piece>& pieces) {
  const auto& segments = in_.activity.threads[thread];
  size_t i = segment_index(in_.activity, thread, part.start_ns);
  for (int64_t now_ns = part.start_ns; now_ns < part.end_ns; ++i) {
    const int64_t until_ns =
        i + 1 < segments.size()
            ? std::min(part.end_ns, segments[i + 1].start_ns)
            : part.end_ns;
    if (segments[i].framed || other == kNoRow || other == thread) {
      emit({now_ns, until_ns}, segments[i], call, pieces);
      now_ns = until_ns;
      continue;
    }
    const auto& others = in_.activity.threads[other];
    size_t j = segment_index(in_.activity, other, now_ns);
    for (; now_ns < until_ns; ++j) {
      const int64_t stop_ns = j + 1 < others.size()
                                  ? std::min(until_ns, others[j + 1].start_ns)
                                  : until_ns;
      emit({now_ns, stop_ns}, others[j].framed ? others[j] : segments[i], call,
           pieces);
      now_ns = stop_ns;
    }
  }
}

void GapClassifier::emit(Stretch part, const HostSegment& segment,
                         uint32_t call, std::vector<Piece>& pieces) {
  Account account = segment.account;
  if (call == kNoRow) {  // nothing is launched any more
    if (!segment.framed || is_launch(account)) account = Account::idle_tail;
    append(pieces, {part.start_ns, segment.owner, account, {}});
    return;
  }
  if (account == Account::idle_sync_wait && segment.blocking_copy &&
      segment.owner == call)
    account = Account::idle_sync_copy;
  const uint32_t owner = segment.owner == kNoRow ? call : segment.owner;
  if (is_launch(account))
    emit_launch(part, account, owner, process_of(call), pieces);
  else
    append(pieces, {part.start_ns, owner, account, {}});
}

// Launch time pays for lead that blocking calls have destroyed.
void GapClassifier::emit_launch(Stretch part, Account account, uint32_t owner,
                                uint32_t process, std::vector<Piece>& pieces) {
  auto debt = debts_.find(process);
  if (debt == debts_.end()) {
    const RowRange rows = in_.host.order.devices[in_.device];
    debt = debts_
               .emplace(process,
                        LeadDebt(in_.host, in_.activity, process, rows, busy_))
               .first;
  }
  for (const auto& payment :
       debt->second.pay(part.start_ns, part.end_ns - part.start_ns)) {
    append(pieces,
           {part.start_ns, payment.call, Account::idle_sync_refill, {}});
    part.start_ns += payment.ns;
  }
  if (part.start_ns < part.end_ns)
    append(pieces, {part.start_ns, owner, account, {}});
}

void GapClassifier::device_part(Stretch part, uint32_t call, bool after_host,
                                std::vector<Piece>& pieces) {
  if (part.start_ns >= part.end_ns) return;
  const HostRows& host = in_.host.timeline.host;
  if (call != kNoRow) {
    const HostSegment& segment =
        segment_at(in_.activity, host.thread[call], host.start_ns[call]);
    if (segment.owner == call &&
        segment.account == Account::idle_compile_load) {
      append(pieces, {part.start_ns, call, Account::idle_compile_load, {}});
      return;
    }
  }
  const int64_t expected_ns =
      std::min(part.end_ns, part.start_ns + kLaunchLatencyMax_ns);
  if (after_host)
    emit_launch({part.start_ns, expected_ns}, Account::idle_launch_latency,
                call, process_of(call), pieces);
  else
    append(pieces, {part.start_ns, call, Account::idle_queue, {}});
  if (expected_ns < part.end_ns)
    append(pieces, {expected_ns, call, Account::unattributed,
                    call == kNoRow ? PieceNote::none : PieceNote::late_start});
}

}  // namespace gpuledger
