#include "analyze/process_rows.h"

#include <algorithm>

namespace gpuledger {

std::vector<ProcessRows> group_by_process(
    const Timeline& timeline, const Launches& launches,
    const std::vector<Blocking>& blocking) {
  const HostRows& host = timeline.host;
  std::vector<ProcessRows> processes(timeline.processes.size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    ProcessRows& process =
        processes[timeline.threads[host.thread[row]].process];
    if (host.kind[row] == HostKind::range) process.ranges.push_back(row);
    if (launches.activities[row] > 0) process.launches.push_back(row);
    if (blocking[row] != Blocking::no) process.syncs.push_back(row);
  }
  const auto by_start = [&](uint32_t a, uint32_t b) {
    return host.start_ns[a] < host.start_ns[b];
  };
  for (ProcessRows& process : processes)
    for (auto* rows : {&process.ranges, &process.launches, &process.syncs})
      std::stable_sort(rows->begin(), rows->end(), by_start);
  return processes;
}

}  // namespace gpuledger
