#include "diagnose/host_summary.h"

#include <algorithm>
#include <map>

#include "analyze/printable_name.h"

namespace gpuledger {
namespace {

std::string_view kind_name(HostKind kind) {
  switch (kind) {
    case HostKind::op:
      return "op";
    case HostKind::api:
      return "api";
    case HostKind::range:
      return "range";
    case HostKind::frame:
      return "frame";
    case HostKind::overhead:
      return "overhead";
  }
  return "op";
}

}  // namespace

HostReport summarise_host(const Timeline& timeline, const Order& order) {
  constexpr size_t kRows = 20;
  const HostRows& host = timeline.host;
  const auto clipped = [&](int64_t at_ns) {
    return std::clamp(at_ns, timeline.first_ns, timeline.last_ns);
  };
  // Self time: a row's length less that of the rows directly inside it.
  std::vector<int64_t> self_ns(host.size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    const int64_t start_ns = clipped(host.start_ns[row]);
    const int64_t end_ns = clipped(host.end_ns[row]);
    self_ns[row] += end_ns - start_ns;
    if (const uint32_t parent = order.parent[row]; parent != kNoRow)
      self_ns[parent] -=
          std::min(end_ns, clipped(host.end_ns[parent])) - start_ns;
  }
  struct Total {
    uint32_t row = kNoRow;  // one of them
    int64_t count = 0, ns = 0;
  };
  std::map<std::pair<NameId, HostKind>, Total> totals;
  for (uint32_t row = 0; row < host.size(); ++row) {
    Total& total = totals[{host.name[row], host.kind[row]}];
    total.row = row;
    ++total.count;
    total.ns += std::max<int64_t>(0, self_ns[row]);
  }
  HostReport report;
  report.span_ns = timeline.last_ns - timeline.first_ns;
  report.threads = static_cast<int64_t>(timeline.threads.size());
  for (const auto& [key, total] : totals)
    report.top.push_back({printable_name(timeline, total.row),
                          std::string(kind_name(key.second)), total.count,
                          total.ns});
  std::stable_sort(
      report.top.begin(), report.top.end(),
      [](const auto& a, const auto& b) { return a.self_ns > b.self_ns; });
  if (report.top.size() > kRows) report.top.resize(kRows);
  return report;
}

}  // namespace gpuledger
