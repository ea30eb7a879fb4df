#include "analyze/order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/run_merge.h"

namespace gpuledger {
namespace {

template <class T>
void permute(std::vector<T>& column, const std::vector<uint32_t>& from) {
  std::vector<T> sorted;
  sorted.reserve(from.size());
  for (uint32_t row : from) sorted.push_back(column[row]);
  column = std::move(sorted);
}

// Row numbers grouped by key (a stable counting sort), with each group's range.
std::vector<uint32_t> group_by(size_t rows, size_t groups, auto key,
                               std::vector<RowRange>& ranges) {
  ranges.assign(groups, {});
  for (uint32_t i = 0; i < rows; ++i) ++ranges[key(i)].end;
  uint32_t begin = 0;
  for (RowRange& range : ranges) {
    const uint32_t count = range.end;
    range = {begin, begin};
    begin += count;
  }
  std::vector<uint32_t> grouped(rows);
  for (uint32_t i = 0; i < rows; ++i) grouped[ranges[key(i)].end++] = i;
  return grouped;
}

void sort_host(Timeline& timeline, Order& order) {
  HostRows& host = timeline.host;
  std::vector<uint32_t> rows = group_by(
      host.size(), timeline.threads.size(),
      [&](uint32_t i) { return host.thread[i]; }, order.threads);
  const auto before = [&](uint32_t a, uint32_t b) {
    if (host.start_ns[a] != host.start_ns[b])
      return host.start_ns[a] < host.start_ns[b];
    return host.end_ns[a] > host.end_ns[b];
  };
  for (const RowRange& range : order.threads)
    merge_sorted_runs(rows, range.begin, range.end, before);
  permute(host.start_ns, rows);
  permute(host.end_ns, rows);
  permute(host.name, rows);
  permute(host.thread, rows);
  permute(host.kind, rows);
  permute(host.correlation, rows);
  // Collectives and stacks point at host rows; let them follow.
  if (timeline.collectives.empty() && timeline.call_stacks.empty()) return;
  std::vector<uint32_t> moved_to(rows.size());
  for (uint32_t i = 0; i < rows.size(); ++i) moved_to[rows[i]] = i;
  for (Collective& collective : timeline.collectives)
    collective.host_row = moved_to[collective.host_row];
  for (CallStack& stack : timeline.call_stacks)
    stack.host_row = moved_to[stack.host_row];
  std::sort(timeline.call_stacks.begin(), timeline.call_stacks.end(),
            [](const CallStack& a, const CallStack& b) {
              return a.host_row < b.host_row;
            });
}

// See host_activity.cc.
constexpr size_t kDeepestStack = 1000;

void find_parents(const Timeline& timeline, Order& order) {
  const HostRows& host = timeline.host;
  order.parent.assign(host.size(), kNoRow);
  std::vector<uint32_t> open;
  for (const RowRange& range : order.threads) {
    open.clear();
    bool crossing = false;  // some row outlived the one it began in
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const auto ended = [&](uint32_t row) {
        return host.end_ns[row] <= host.start_ns[i];
      };
      while (!open.empty() && ended(open.back())) open.pop_back();
      if (crossing) std::erase_if(open, ended);
      if (!open.empty()) {
        order.parent[i] = open.back();
        crossing = crossing || host.end_ns[i] > host.end_ns[open.back()];
      }
      if (open.size() >= kDeepestStack) open.erase(open.begin());
      open.push_back(i);
    }
  }
}

void sort_device(Timeline& timeline, Order& order) {
  DeviceRows& device = timeline.device;
  const auto& streams = timeline.streams;
  std::vector<uint32_t> rows = group_by(
      device.size(), timeline.devices.size(),
      [&](uint32_t i) { return streams[device.stream[i]].device; },
      order.devices);
  const auto before = [&](uint32_t a, uint32_t b) {
    if (device.start_ns[a] != device.start_ns[b])
      return device.start_ns[a] < device.start_ns[b];
    return streams[device.stream[a]].id < streams[device.stream[b]].id;
  };
  for (const RowRange& range : order.devices)
    merge_sorted_runs(rows, range.begin, range.end, before);

  const auto same = [&](uint32_t a, uint32_t b) {
    return device.start_ns[a] == device.start_ns[b] &&
           device.end_ns[a] == device.end_ns[b] &&
           device.stream[a] == device.stream[b] &&
           device.name[a] == device.name[b] &&
           device.correlation[a] == device.correlation[b];
  };
  std::vector<uint32_t> kept;
  kept.reserve(rows.size());
  for (RowRange& range : order.devices) {
    const auto begin = static_cast<uint32_t>(kept.size());
    for (uint32_t i = range.begin; i < range.end; ++i) {
      bool repeated = false;
      // Looking back 64 rows bounds the work on rows that all start at once.
      const size_t stop =
          std::max<size_t>(begin, kept.size() < 64 ? 0 : kept.size() - 64);
      for (size_t j = kept.size(); j > stop && !repeated; --j) {
        if (device.start_ns[kept[j - 1]] != device.start_ns[rows[i]]) break;
        repeated = same(kept[j - 1], rows[i]);
      }
      if (repeated)
        timeline.imports.add(Import::duplicate_activity);
      else
        kept.push_back(rows[i]);
    }
    range = {begin, static_cast<uint32_t>(kept.size())};
  }
  permute(device.start_ns, kept);
  permute(device.end_ns, kept);
  permute(device.name, kept);
  permute(device.stream, kept);
  permute(device.kind, kept);
  permute(device.copy, kept);
  permute(device.host_memory, kept);
  permute(device.correlation, kept);
  permute(device.bytes, kept);
}

}  // namespace

Order order_timeline(Timeline& timeline) {
  Order order;
  sort_host(timeline, order);
  find_parents(timeline, order);
  sort_device(timeline, order);
  return order;
}

}  // namespace gpuledger
