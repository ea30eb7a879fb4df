#include "detect/transfer.h"

#include <algorithm>
#include <array>
#include <set>

#include "detect/places.h"
#include "detect/thresholds.h"

namespace gpuledger {
namespace {

// What host-to-device copies of the inner steps moved, by kind of host memory.
struct CopyTraffic {
  int64_t bytes = 0, pageable_bytes = 0;
  int64_t pageable_copies = 0, pageable_ns = 0;
};

CopyTraffic measure_traffic(const DeviceFacts& facts) {
  const DeviceRows& device = facts.timeline().device;
  CopyTraffic traffic;
  for (uint32_t row = facts.device_rows.begin; row < facts.device_rows.end;
       ++row) {
    if (device.copy[row] != CopyKind::h2d ||
        !starts_inside(facts, device.start_ns[row]))
      continue;
    traffic.bytes += device.bytes[row];
    if (device.host_memory[row] != HostMemory::pageable) continue;
    ++traffic.pageable_copies;
    traffic.pageable_bytes += device.bytes[row];
    traffic.pageable_ns += device.end_ns[row] - device.start_ns[row];
  }
  return traffic;
}

// Calls that launched a host-to-device copy from pageable memory.
std::vector<uint8_t> find_pageable_calls(const DeviceFacts& facts) {
  const DeviceRows& device = facts.timeline().device;
  std::vector<uint8_t> pageable(facts.timeline().host.size(), 0);
  for (uint32_t row = facts.device_rows.begin; row < facts.device_rows.end;
       ++row) {
    const uint32_t call = facts.host.launches.call[row];
    if (call != kNoRow && device.copy[row] == CopyKind::h2d &&
        device.host_memory[row] == HostMemory::pageable)
      pageable[call] = 1;
  }
  return pageable;
}

// Per name: is it an operator that reads a value back?
std::vector<uint8_t> find_read_names(const Timeline& timeline) {
  static constexpr std::array<std::string_view, 6> kReads = {
      "aten::item",       "aten::_local_scalar_dense",
      "aten::is_nonzero", "aten::equal",
      "aten::allclose",   "aten::__nonzero__"};
  std::vector<uint8_t> is_read(timeline.names.size(), 0);
  for (NameId name = 0; name < is_read.size(); ++name)
    is_read[name] = std::find(kReads.begin(), kReads.end(),
                              timeline.names.text(name)) != kReads.end();
  return is_read;
}

}  // namespace

std::optional<Finding> find_pageable_copies(const DeviceFacts& facts) {
  const CopyTraffic traffic = measure_traffic(facts);
  if (traffic.pageable_copies == 0 ||
      static_cast<double>(traffic.pageable_bytes) <
          kPageableBytesMin_ratio * static_cast<double>(traffic.bytes))
    return std::nullopt;
  const std::vector<uint8_t> pageable = find_pageable_calls(facts);
  const std::vector<Charge> copies = charges_of(
      facts, {Account::copy_h2d_pageable}, [](const Charge&) { return true; });
  const std::vector<Charge> waits = charges_of(
      facts,
      {Account::idle_sync_refill, Account::idle_sync_copy,
       Account::idle_sync_wait},
      [&](const Charge& c) { return c.owner != kNoRow && pageable[c.owner]; });
  const int64_t lost_ns = total_ns(copies) + total_ns(waits);
  if (facts.share(lost_ns) <= kPageableLostMin_ratio) return std::nullopt;

  Finding finding;
  finding.lost_ns_per_step = facts.per_step(lost_ns);
  finding.lost_ratio = facts.share(lost_ns);
  const double steps = static_cast<double>(facts.inner_steps);
  finding.evidence = {
      measure("pageable_copies_per_step",
              static_cast<double>(traffic.pageable_copies) / steps, "count"),
      measure("pageable_bytes_per_step",
              static_cast<double>(traffic.pageable_bytes) / steps, "bytes"),
      measure("exposed_copy_ns_per_step",
              static_cast<double>(facts.per_step(total_ns(copies))), "ns"),
      measure("lost_lead_ns_per_step",
              static_cast<double>(facts.per_step(total_ns(waits))), "ns")};
  if (traffic.pageable_ns > 0 && traffic.pageable_bytes > 0)
    finding.evidence.push_back(
        measure("pageable_rate_gb_per_s",
                static_cast<double>(traffic.pageable_bytes) /
                    static_cast<double>(traffic.pageable_ns),
                "GB/s"));
  std::vector<Charge> all = copies;
  all.insert(all.end(), waits.begin(), waits.end());
  finding.evidence.push_back(longest_charges(facts, "longest_loss_ns", all));
  finding.where = where_of(facts, all);
  return finding;
}

std::optional<Finding> find_scalar_reads(const DeviceFacts& facts) {
  const HostRows& host = facts.timeline().host;
  // A copy to the device is no read: HD-01 owns what it costs.
  const std::vector<uint8_t> pageable = find_pageable_calls(facts);
  const std::vector<uint8_t> read_names = find_read_names(facts.timeline());
  const auto is_read = [&](uint32_t row) {
    return host.kind[row] == HostKind::op && read_names[host.name[row]];
  };
  const auto inside_read = [&](uint32_t row) {
    return enclosing_row(facts, row, is_read) != kNoRow;
  };
  const std::vector<Charge> charges = charges_of(
      facts,
      {Account::idle_sync_refill, Account::idle_sync_wait,
       Account::idle_sync_copy},
      [&](const Charge& c) {
        return c.owner != kNoRow && !pageable[c.owner] && inside_read(c.owner);
      });
  const int64_t lost_ns = total_ns(charges);
  if (facts.share(lost_ns) <= kScalarReadLostMin_ratio) return std::nullopt;

  std::set<uint32_t> early;  // reads of before that cost time now
  for (const Charge& charge : charges)
    if (host.start_ns[charge.owner] < facts.inner_start_ns)
      early.insert(charge.owner);
  auto reads = static_cast<int64_t>(early.size());
  int64_t blocked_ns = 0;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (!starts_inside(facts, host.start_ns[row])) continue;
    if (is_read(row) && !inside_read(facts.host.order.parent[row])) ++reads;
    if (facts.host.blocking[row] != Blocking::no && inside_read(row))
      blocked_ns += host.end_ns[row] - host.start_ns[row];
  }
  if (reads < facts.inner_steps) return std::nullopt;
  Finding finding;
  finding.lost_ns_per_step = facts.per_step(lost_ns);
  finding.lost_ratio = facts.share(lost_ns);
  finding.evidence = {
      measure(
          "reads_per_step",
          static_cast<double>(reads) / static_cast<double>(facts.inner_steps),
          "count"),
      measure("host_blocked_ns_per_step",
              static_cast<double>(facts.per_step(blocked_ns)), "ns"),
      measure("gpu_lost_to_reads_ns_per_step",
              static_cast<double>(facts.per_step(lost_ns)), "ns"),
      longest_charges(facts, "longest_loss_ns", charges)};
  finding.where = where_of(facts, charges);
  return finding;
}

}  // namespace gpuledger
