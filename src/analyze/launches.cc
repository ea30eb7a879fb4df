#include "analyze/launches.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "analyze/api_class.h"

namespace gpuledger {
namespace {

// Calls by correlation: open addressing, with a chain of the (few) processes
// that use the same id.
class CallsByCorrelation {
 public:
  explicit CallsByCorrelation(size_t calls)
      : slots_(std::bit_ceil(calls * 2 + 16)), mask_(slots_.size() - 1) {
    entries_.reserve(calls);
  }

  struct Entry {
    uint64_t correlation;
    uint32_t call;
    uint32_t process;
    uint32_t next;  // entry index + 1, 0: end
  };

  // Keeps, per process, the outermost call: the one that started first.
  void add(uint64_t correlation, uint32_t call, uint32_t process,
           const HostRows& host) {
    uint32_t& slot = slots_[find_slot(correlation)];
    for (uint32_t e = slot; e != 0; e = entries_[e - 1].next) {
      Entry& entry = entries_[e - 1];
      if (entry.process != process) continue;
      if (host.start_ns[call] < host.start_ns[entry.call]) entry.call = call;
      return;
    }
    entries_.push_back({correlation, call, process, slot});
    slot = static_cast<uint32_t>(entries_.size());
  }

  const Entry* first(uint64_t correlation) const {
    const uint32_t e = slots_[find_slot(correlation)];
    return e == 0 ? nullptr : &entries_[e - 1];
  }
  const Entry* next(const Entry* entry) const {
    return entry->next == 0 ? nullptr : &entries_[entry->next - 1];
  }

 private:
  size_t find_slot(uint64_t correlation) const {
    size_t i = (correlation * 0x9E3779B97F4A7C15u) >> 20 & mask_;
    while (slots_[i] != 0 && entries_[slots_[i] - 1].correlation != correlation)
      i = (i + 1) & mask_;
    return i;
  }

  std::vector<uint32_t> slots_;  // entry index + 1, 0: free
  size_t mask_;
  std::vector<Entry> entries_;
};

CallsByCorrelation index_calls(const Timeline& timeline) {
  const HostRows& host = timeline.host;
  size_t calls = 0;
  for (size_t i = 0; i < host.size(); ++i)
    calls += host.correlation[i] != kNoCorrelation;
  CallsByCorrelation index(calls);
  for (uint32_t i = 0; i < host.size(); ++i)
    if (host.correlation[i] != kNoCorrelation)
      index.add(host.correlation[i], i,
                timeline.threads[host.thread[i]].process, host);
  return index;
}

bool may_launch(const Timeline& timeline, uint32_t call, uint32_t row) {
  const ApiClass api =
      classify_api(timeline.names.text(timeline.host.name[call]));
  switch (timeline.device.kind[row]) {
    case ActivityKind::copy:
      return !api.launch || api.graph_launch;
    case ActivityKind::set:
      return !api.launch || api.graph_launch;
    case ActivityKind::kernel:
      return !api.copy && !api.set;
  }
  return true;
}

// Rows whose correlation several processes use, all of one correlation: calls
// and activities are paired in order of time, each call once (a graph launch
// as often as needed).
void match_ambiguous(const Timeline& timeline, std::vector<uint32_t> calls,
                     std::span<const uint32_t> rows, Launches& launches) {
  const auto& start_ns = timeline.host.start_ns;
  std::sort(calls.begin(), calls.end(),
            [&](uint32_t a, uint32_t b) { return start_ns[a] < start_ns[b]; });
  for (uint32_t row : rows) {
    auto chosen = calls.end();
    for (auto it = calls.begin(); it != calls.end(); ++it) {
      if (!may_launch(timeline, *it, row)) continue;
      if (chosen == calls.end()) chosen = it;
      if (start_ns[*it] <= timeline.device.start_ns[row]) {
        chosen = it;
        break;
      }
    }
    if (chosen == calls.end()) continue;
    launches.call[row] = *chosen;
    const auto name = timeline.names.text(timeline.host.name[*chosen]);
    if (!classify_api(name).graph_launch) calls.erase(chosen);
  }
}

void match_all_ambiguous(const Timeline& timeline,
                         const CallsByCorrelation& index,
                         std::vector<uint32_t>& rows, Launches& launches) {
  const auto& correlation = timeline.device.correlation;
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    if (correlation[a] != correlation[b])
      return correlation[a] < correlation[b];
    return timeline.device.start_ns[a] < timeline.device.start_ns[b];
  });
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin;
    while (end < rows.size() &&
           correlation[rows[end]] == correlation[rows[begin]])
      ++end;
    std::vector<uint32_t> calls;
    for (const auto* entry = index.first(correlation[rows[begin]]);
         entry != nullptr; entry = index.next(entry))
      calls.push_back(entry->call);
    match_ambiguous(timeline, std::move(calls),
                    std::span(rows).subspan(begin, end - begin), launches);
    begin = end;
  }
}

// Nothing starts before it is launched, but for the rounding of its times.
void count_early_starts(Timeline& timeline, const Launches& launches) {
  constexpr int64_t kRounding_ns = 1000;
  int64_t early = 0;
  for (uint32_t row = 0; row < timeline.device.size(); ++row) {
    const uint32_t call = launches.call[row];
    early += call != kNoRow && timeline.device.start_ns[row] + kRounding_ns <
                                   timeline.host.start_ns[call];
  }
  timeline.imports.add(Import::start_before_launch, {}, early);
}

// Rows without a call are carried over while they lead their stream.
void mark_unlaunched(const Timeline& timeline, Launches& launches) {
  std::vector<uint8_t> stream_launched(timeline.streams.size(), 0);
  for (uint32_t i = 0; i < timeline.device.size(); ++i) {
    uint8_t& seen = stream_launched[timeline.device.stream[i]];
    if (launches.call[i] != kNoRow)
      seen = 1;
    else
      launches.state[i] = seen ? LaunchState::lost : LaunchState::carried;
  }
}

void mark_first_of_kernel(const Timeline& timeline, Launches& launches) {
  launches.first_of_kernel.assign(timeline.host.size(), 0);
  std::vector<uint32_t> first(timeline.names.size(), kNoRow);
  const auto& start_ns = timeline.host.start_ns;
  std::vector<uint8_t> carried(timeline.names.size(), 0);
  for (uint32_t i = 0; i < timeline.device.size(); ++i) {
    if (timeline.device.kind[i] != ActivityKind::kernel) continue;
    const NameId name = timeline.device.name[i];
    const uint32_t call = launches.call[i];
    if (call == kNoRow) {
      carried[name] = 1;
    } else if (first[name] == kNoRow ||
               start_ns[call] < start_ns[first[name]]) {
      first[name] = call;
    }
  }
  for (NameId name = 0; name < first.size(); ++name)
    if (first[name] != kNoRow && !carried[name])
      launches.first_of_kernel[first[name]] = 1;
}

void find_main_processes(const Timeline& timeline, const Order& order,
                         Launches& launches) {
  for (const RowRange& range : order.devices) {
    std::map<uint32_t, int64_t> launched;  // by process
    int64_t most = 0;
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const uint32_t call = launches.call[i];
      if (call == kNoRow) continue;
      const uint32_t thread = timeline.host.thread[call];
      most = std::max(most, ++launched[timeline.threads[thread].process]);
    }
    launches.processes.emplace_back();
    for (const auto& [process, count] : launched)
      launches.processes.back().push_back(process);
    // Processes that share a device evenly: the first in the file.
    const auto main = std::find_if(
        launched.begin(), launched.end(),
        [&](const auto& entry) { return entry.second * 10 >= most * 9; });
    launches.main_process.push_back(main == launched.end() ? 0 : main->first);
  }
}

}  // namespace

Launches find_launches(Timeline& timeline, const Order& order) {
  Launches launches;
  const size_t rows = timeline.device.size();
  launches.call.assign(rows, kNoRow);
  launches.state.assign(rows, LaunchState::launched);
  launches.activities.assign(timeline.host.size(), 0);
  const CallsByCorrelation index = index_calls(timeline);
  std::vector<uint32_t> ambiguous;
  for (uint32_t i = 0; i < rows; ++i) {
    if (timeline.device.correlation[i] == kNoCorrelation) continue;
    const auto* entry = index.first(timeline.device.correlation[i]);
    if (entry == nullptr) continue;
    if (index.next(entry) != nullptr)
      ambiguous.push_back(i);
    else
      launches.call[i] = entry->call;
  }
  timeline.imports.add(Import::correlation_ambiguous, {},
                       static_cast<int64_t>(ambiguous.size()));
  match_all_ambiguous(timeline, index, ambiguous, launches);
  for (uint32_t call : launches.call)
    if (call != kNoRow && launches.activities[call] < UINT16_MAX)
      ++launches.activities[call];
  count_early_starts(timeline, launches);
  mark_unlaunched(timeline, launches);
  mark_first_of_kernel(timeline, launches);
  find_main_processes(timeline, order, launches);
  return launches;
}

}  // namespace gpuledger
