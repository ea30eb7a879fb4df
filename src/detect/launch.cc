#include "detect/launch.h"

#include <algorithm>

#include "detect/places.h"
#include "detect/thresholds.h"

namespace gpuledger {
namespace {

struct KernelStatistics {
  int64_t count = 0;
  int64_t median_ns = 0;
  double empty_queue_ratio = 0;  // launched onto an idle device
};

KernelStatistics measure_kernels(const DeviceFacts& facts) {
  const Timeline& timeline = facts.timeline();
  std::vector<int64_t> durations_ns;
  int64_t launched = 0, into_empty = 0;
  int64_t busy_until_ns = INT64_MIN;  // by what started before
  for (uint32_t row = facts.device_rows.begin; row < facts.device_rows.end;
       ++row) {
    const int64_t start_ns = timeline.device.start_ns[row];
    const int64_t end_ns = timeline.device.end_ns[row];
    const int64_t before_ns = busy_until_ns;
    busy_until_ns = std::max(busy_until_ns, end_ns);
    if (facts.labels.family[row] != KernelFamily::compute ||
        !starts_inside(facts, start_ns))
      continue;
    durations_ns.push_back(end_ns - start_ns);
    const uint32_t call = facts.host.launches.call[row];
    if (call == kNoRow) continue;
    ++launched;
    // The launch returned to a device that had run out of work.
    into_empty += timeline.host.end_ns[call] >= before_ns;
  }
  KernelStatistics statistics;
  statistics.count = static_cast<int64_t>(durations_ns.size());
  if (durations_ns.empty()) return statistics;
  const auto middle = durations_ns.begin() +
                      static_cast<std::ptrdiff_t>(durations_ns.size() / 2);
  std::nth_element(durations_ns.begin(), middle, durations_ns.end());
  statistics.median_ns = *middle;
  if (launched > 0)
    statistics.empty_queue_ratio =
        static_cast<double>(into_empty) / static_cast<double>(launched);
  return statistics;
}

}  // namespace

std::optional<Finding> find_launch_bound(const DeviceFacts& facts) {
  const int64_t lost_ns = facts.inner.within_ns("idle.launch");
  if (facts.share(lost_ns) <= kLaunchIdleMin_ratio) return std::nullopt;
  const KernelStatistics kernels = measure_kernels(facts);
  if (kernels.count == 0 || kernels.median_ns >= kTinyKernelMax_ns ||
      kernels.empty_queue_ratio <= kEmptyQueueMin_ratio)
    return std::nullopt;

  const std::vector<Charge> charges =
      charges_of(facts,
                 {Account::idle_launch_api, Account::idle_launch_dispatch,
                  Account::idle_launch_between, Account::idle_launch_latency},
                 [](const Charge&) { return true; });
  Finding finding;
  finding.lost_ns_per_step = facts.per_step(lost_ns);
  finding.lost_ratio = facts.share(lost_ns);
  const double steps = static_cast<double>(facts.inner_steps);
  finding.evidence = {
      measure("kernels_per_step", static_cast<double>(kernels.count) / steps,
              "count"),
      measure("median_kernel_ns", static_cast<double>(kernels.median_ns), "ns"),
      measure("empty_queue_ratio", kernels.empty_queue_ratio, "ratio"),
      measure("gpu_idle_for_launches_ns_per_step",
              static_cast<double>(facts.per_step(lost_ns)), "ns"),
      longest_charges(facts, "longest_gap_ns", charges)};
  finding.where = where_of(facts, charges);
  return finding;
}

}  // namespace gpuledger
