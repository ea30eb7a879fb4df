#include "analyze/name_table.h"

namespace gpuledger {

NameTable::NameTable(const Timeline& timeline) : rows_(timeline.names.size()) {
  // One name may play several parts (an operator and a kernel of one name).
  constexpr size_t kKinds = 5;
  std::vector<uint8_t> seen(rows_.size(), 0);
  const HostRows& host = timeline.host;
  for (size_t i = 0; i < host.size(); ++i) {
    const NameId name = host.name[i];
    const auto bit = static_cast<uint8_t>(1u << static_cast<int>(host.kind[i]));
    if (seen[name] & bit) continue;
    seen[name] |= bit;
    add_host_name(rows_[name], timeline.names.text(name), host.kind[i]);
  }
  constexpr uint8_t kKernelBit = 1u << kKinds;
  for (size_t i = 0; i < timeline.device.size(); ++i) {
    const NameId name = timeline.device.name[i];
    if (timeline.device.kind[i] != ActivityKind::kernel ||
        (seen[name] & kKernelBit))
      continue;
    seen[name] |= kKernelBit;
    rows_[name].kernel = classify_kernel(timeline.names.text(name));
  }
}

void NameTable::add_host_name(Row& row, std::string_view name, HostKind kind) {
  switch (kind) {
    case HostKind::op:
    case HostKind::range:
      row.launched_by.communication = launches_communication(name);
      row.launched_by.optimizer = is_optimizer_step(name);
      row.launched_by.account = account_by_operator(name);
      if (kind == HostKind::range) row.frame = classify_frame(name);
      break;
    case HostKind::api:
      row.api = classify_api(name);
      row.nvidia = name.substr(0, 2) == "cu";
      break;
    case HostKind::frame:
      row.frame = classify_frame(name);
      break;
    case HostKind::overhead:
      row.overhead = gpuledger::overhead_account(name);
      break;
  }
}

}  // namespace gpuledger
