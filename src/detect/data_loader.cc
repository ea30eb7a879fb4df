#include "detect/data_loader.h"

#include <algorithm>
#include <set>

#include "detect/places.h"
#include "detect/thresholds.h"

namespace gpuledger {
namespace {

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Does this call of the loader fetch its batch itself? Told by the annotation,
// or by the fetcher's frame below it.
bool fetches_itself(const DeviceFacts& facts, uint32_t row) {
  constexpr uint32_t kLookedAt = 256;
  const HostRows& host = facts.timeline().host;
  const auto end = static_cast<uint32_t>(
      std::min<size_t>(host.size(), size_t{row} + kLookedAt));
  for (uint32_t r = row; r < end && host.thread[r] == host.thread[row] &&
                         host.start_ns[r] <= host.end_ns[row];
       ++r) {
    const std::string_view name = facts.host_name(r);
    if (holds(name, "_SingleProcessDataLoaderIter") ||
        holds(name, "_utils/fetch.py"))
      return true;
    if (holds(name, "_MultiProcessingDataLoaderIter")) return false;
  }
  return false;
}

}  // namespace

std::optional<Finding> find_loader_single_process(const DeviceFacts& facts) {
  const HostRows& host = facts.timeline().host;
  std::set<uint32_t> loader_rows, others;
  const auto is_loader = [&](const Charge& charge) {
    if (charge.owner == kNoRow || others.count(charge.owner)) return false;
    if (loader_rows.count(charge.owner)) return true;
    const bool is = fetches_itself(facts, charge.owner);
    (is ? loader_rows : others).insert(charge.owner);
    return is;
  };
  const std::vector<Charge> charges =
      charges_of(facts, {Account::idle_data}, is_loader);
  const int64_t lost_ns = total_ns(charges);
  if (facts.share(lost_ns) <= kLoaderIdleMin_ratio) return std::nullopt;

  int64_t loader_ns = 0;
  for (uint32_t row : loader_rows)
    loader_ns += std::min(host.end_ns[row], facts.inner_end_ns) -
                 std::max(host.start_ns[row], facts.inner_start_ns);
  Finding finding;
  finding.lost_ns_per_step = facts.per_step(lost_ns);
  finding.lost_ratio = facts.share(lost_ns);
  finding.evidence = {
      measure("gpu_idle_in_loader_ns_per_step",
              static_cast<double>(facts.per_step(lost_ns)), "ns"),
      measure("loader_ns_per_step",
              static_cast<double>(facts.per_step(loader_ns)), "ns"),
      measure("loader_calls_per_step",
              static_cast<double>(loader_rows.size()) /
                  static_cast<double>(facts.inner_steps),
              "count"),
      longest_charges(facts, "longest_wait_ns", charges)};
  finding.where = where_of(facts, charges);
  return finding;
}

}  // namespace gpuledger
