#include "analyze/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

constexpr std::string_view kRecordAgain =
    "Record again: a few steps only (schedule(wait=1, warmup=1, active=3)), "
    "torch.cuda.synchronize() before the profiler stops, no other profiler.";

constexpr std::string_view kEndCleanly =
    "Let the profiler's context end (or call prof.stop()) before the job "
    "exits, and copy the whole file.";

// Below this share the rest of the file is worth a word.
constexpr double kAllRead_ratio = 0.995;

bool is_tracked_call(const ApiClass& api) {
  return api.launch || api.graph_launch || api.copy || api.blocking_copy;
}

// Per host row of a thread: is a stream capture open there?
std::vector<uint8_t> find_captured(const Timeline& timeline,
                                   const NameTable& names) {
  const HostRows& host = timeline.host;
  std::vector<uint8_t> captured(host.size(), 0);
  uint32_t thread = kNoRow;
  bool open = false;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.thread[row] != thread) open = false;
    thread = host.thread[row];
    if (host.kind[row] == HostKind::api) {
      const ApiClass& api = names.api(host.name[row]);
      if (api.capture_begin) open = true;
      if (api.capture_end) open = false;
    }
    captured[row] = open;
  }
  return captured;
}

// The kernels that one replay of a graph left, by name, in order of start.
using Replay = std::vector<NameId>;

std::vector<Replay> find_replays(const Timeline& timeline,
                                 const Launches& launches,
                                 const NameTable& names) {
  std::map<uint32_t, Replay> by_call;
  for (uint32_t row = 0; row < timeline.device.size(); ++row) {
    const uint32_t call = launches.call[row];
    if (call != kNoRow && names.api(timeline.host.name[call]).graph_launch)
      by_call[call].push_back(timeline.device.name[row]);
  }
  std::vector<Replay> replays;
  for (auto& [call, replay] : by_call) replays.push_back(std::move(replay));
  return replays;
}

// What a replay of `whole` leaves if its begin, its end or some of its middle
// is lost.
bool is_part(const Replay& part, const Replay& whole) {
  return (part.front() == whole.front() && part.back() == whole.back()) ||
         std::equal(part.begin(), part.end(), whole.begin()) ||
         std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

// Marks the replays that hold less than half of their graph. Those of `alike`
// begin, or end, with the same kernel.
void mark_short(const std::vector<Replay>& replays, std::vector<size_t> alike,
                std::vector<uint8_t>& is_short) {
  const auto size = [&](size_t i) { return replays[alike[i]].size(); };
  std::stable_sort(alike.begin(), alike.end(), [&](size_t a, size_t b) {
    return replays[a].size() < replays[b].size();
  });
  const Replay& median = replays[alike[alike.size() / 2]];
  for (size_t i = 0; i < alike.size(); ++i) {
    if (static_cast<double>(size(i)) >=
        kGraphCountMin_ratio * static_cast<double>(median.size()))
      break;
    // A count that recurs is a smaller graph, not a broken replay.
    const bool recurs =
        (i > 0 && size(i) == size(i - 1)) || size(i) == size(i + 1);
    if (!recurs && is_part(replays[alike[i]], median)) is_short[alike[i]] = 1;
  }
}

int64_t count_short_replays(const Timeline& timeline, const Launches& launches,
                            const NameTable& names) {
  const std::vector<Replay> replays = find_replays(timeline, launches, names);
  std::map<NameId, std::vector<size_t>> by_first, by_last;
  for (size_t i = 0; i < replays.size(); ++i) {
    by_first[replays[i].front()].push_back(i);
    by_last[replays[i].back()].push_back(i);
  }
  std::vector<uint8_t> is_short(replays.size(), 0);
  for (auto& [name, alike] : by_first) mark_short(replays, alike, is_short);
  for (auto& [name, alike] : by_last) mark_short(replays, alike, is_short);
  return std::count(is_short.begin(), is_short.end(), 1);
}

// Per process: calls from here on may have no activity because the recording
// ended before it did: no activity waited longer than this for its start.
std::vector<int64_t> recording_edges(const Timeline& timeline,
                                     const Launches& launches) {
  std::vector<int64_t> longest_wait_ns(timeline.processes.size(), 0);
  for (uint32_t row = 0; row < timeline.device.size(); ++row) {
    const uint32_t call = launches.call[row];
    if (call == kNoRow) continue;
    int64_t& longest_ns =
        longest_wait_ns[timeline.threads[timeline.host.thread[call]].process];
    longest_ns = std::max(
        longest_ns, timeline.device.end_ns[row] - timeline.host.start_ns[call]);
  }
  std::vector<int64_t> edges_ns;
  for (int64_t longest_ns : longest_wait_ns)
    edges_ns.push_back(timeline.last_ns - longest_ns);
  return edges_ns;
}

std::optional<VerdictReason> late_starts(
    const std::vector<BookedWindow>& windows) {
  double worst = 0;
  for (const BookedWindow& window : windows) {
    int64_t late_ns = 0;
    const auto& pieces = window.book->pieces;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].note != PieceNote::late_start) continue;
      const int64_t start_ns = std::max(pieces[i].start_ns, window.start_ns);
      const int64_t end_ns =
          std::min(window.book->piece_end_ns(i), window.end_ns);
      late_ns += std::max<int64_t>(0, end_ns - start_ns);
    }
    const int64_t window_ns = window.end_ns - window.start_ns;
    if (window_ns > 0)
      worst = std::max(
          worst, static_cast<double>(late_ns) / static_cast<double>(window_ns));
  }
  if (worst <= kLateStartMax_ratio) return std::nullopt;
  return VerdictReason{
      "late-starts",
      fmt::format("Launched work starts late on an idle GPU for {:.1f} % of "
                  "the window: what ran before it is not in the file.",
                  100 * worst),
      std::string(kRecordAgain)};
}

VerdictReason truncation(const Timeline& timeline) {
  if (timeline.events == 0)
    return {"truncated", "The file breaks off before its first event.",
            std::string(kEndCleanly)};
  const std::string where =
      timeline.read_ratio < kAllRead_ratio
          ? fmt::format("The file breaks off: {:.0f} % of its bytes were read.",
                        100 * timeline.read_ratio)
          : fmt::format(
                "The file stops inside its list of events, after "
                "{:.1f} MB of text.",
                1e-6 * static_cast<double>(timeline.text_bytes));
  return {"truncated",
          where + " GPU rows may be missing anywhere in the window.",
          std::string(kEndCleanly)};
}

std::vector<VerdictReason> lost_reasons(
    const Timeline& timeline, const Launches& launches, const NameTable& names,
    const LostCalls& lost, const std::vector<BookedWindow>& windows) {
  std::vector<VerdictReason> reasons;
  const auto add = [&](std::string id, std::string text) {
    reasons.push_back(
        {std::move(id), std::move(text), std::string(kRecordAgain)});
  };
  if (timeline.counter_replay)
    reasons.push_back(
        {"counter_replay",
         "A counter profiler serialised and replayed the kernels: their times "
         "are not those of the job.",
         "Record without counters (no CUPTI profiler metrics)."});
  if (timeline.device.size() == 0) {
    if (lost.any_launch_call)
      add("no-device-rows",
          "The host launched GPU work, but the file holds no GPU activity.");
    return reasons;
  }
  if (auto late = late_starts(windows)) reasons.push_back(std::move(*late));
  const auto lost_count = static_cast<int64_t>(lost.calls.size());
  if (lost_count > kLostCallsMin &&
      static_cast<double>(lost_count) >
          kLostCallsMax_ratio * static_cast<double>(lost.examined))
    add("lost-calls",
        fmt::format("{} of {} launch and copy calls left no GPU activity.",
                    lost_count, lost.examined));
  if (const int64_t found = count_short_replays(timeline, launches, names))
    add("graph-under-recorded",
        fmt::format("{} CUDA graph replay{} hold{} less than half of the "
                    "graph's kernels.",
                    found, found == 1 ? "" : "s", found == 1 ? "s" : ""));
  if (const int64_t found =
          timeline.imports.of(Import::activity_time_lost).count)
    add("times-lost", fmt::format("{} GPU activit{} zero or impossible times.",
                                  found, found == 1 ? "y has" : "ies have"));
  return reasons;
}

}  // namespace

LostCalls find_lost_calls(const Timeline& timeline, const Launches& launches,
                          const NameTable& names) {
  const HostRows& host = timeline.host;
  const std::vector<uint8_t> captured = find_captured(timeline, names);
  const std::vector<int64_t> edge_ns = recording_edges(timeline, launches);
  LostCalls lost;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::api) continue;
    const bool has_activity = launches.activities[row] > 0;
    const bool tracked =
        is_tracked_call(names.api(host.name[row])) && !captured[row];
    if (!has_activity && !tracked) continue;
    lost.any_launch_call = true;
    if (host.start_ns[row] >=
        edge_ns[timeline.threads[host.thread[row]].process])
      continue;
    ++lost.examined;
    if (!has_activity) lost.calls.push_back(row);
  }
  std::stable_sort(lost.calls.begin(), lost.calls.end(),
                   [&](uint32_t a, uint32_t b) {
                     return host.start_ns[a] < host.start_ns[b];
                   });
  return lost;
}

Verdict judge_trace(const Timeline& timeline, const Launches& launches,
                    const NameTable& names, const LostCalls& lost,
                    const std::vector<BookedWindow>& windows) {
  Verdict verdict;
  if (timeline.truncated && !timeline.window_end_seen) {
    verdict.status = VerdictStatus::partial;
    verdict.reasons.push_back(truncation(timeline));
    return verdict;
  }
  verdict.reasons = lost_reasons(timeline, launches, names, lost, windows);
  if (!verdict.reasons.empty()) {
    verdict.status = VerdictStatus::gpu_activity_lost;
  } else if (timeline.device.size() == 0) {
    verdict.status = VerdictStatus::no_gpu_activity;
    verdict.reasons.push_back(
        {"no-gpu-activity",
         "Nothing was launched on a GPU while this was recorded.",
         "Record with ProfilerActivity.CUDA on a machine with a GPU, while "
         "the job trains."});
  }
  return verdict;
}

}  // namespace gpuledger
