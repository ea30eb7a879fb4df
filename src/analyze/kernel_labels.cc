#include "analyze/kernel_labels.h"

namespace gpuledger {
namespace {

// What was open when each host row began. A row's parent stands before it, so
// one pass forward suffices.
struct HostContext {
  std::vector<uint32_t> op;        // innermost operator (or nccl: range)
  std::vector<uint8_t> optimizer;  // inside an optimizer step
};

HostContext find_context(const Timeline& timeline, const Order& order,
                         const NameTable& names) {
  const HostRows& host = timeline.host;
  HostContext context;
  context.op.resize(host.size());
  context.optimizer.resize(host.size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    const uint32_t parent = order.parent[row];
    context.op[row] = parent == kNoRow ? kNoRow : context.op[parent];
    context.optimizer[row] = parent != kNoRow && context.optimizer[parent];
    if (host.kind[row] != HostKind::op && host.kind[row] != HostKind::range)
      continue;
    const LaunchedBy& by = names.launched_by(host.name[row]);
    if (host.kind[row] == HostKind::op || by.communication)
      context.op[row] = row;
    if (by.optimizer) context.optimizer[row] = 1;
  }
  return context;
}

}  // namespace

ActivityLabels label_activities(const Timeline& timeline, const Order& order,
                                const Launches& launches,
                                const NameTable& names) {
  const DeviceRows& device = timeline.device;
  const HostContext context = find_context(timeline, order, names);
  ActivityLabels labels;
  labels.family.resize(device.size());
  labels.account.resize(device.size());
  for (uint32_t row = 0; row < device.size(); ++row) {
    if (device.kind[row] != ActivityKind::kernel) {
      const bool set = device.kind[row] == ActivityKind::set;
      labels.family[row] = set ? KernelFamily::set : KernelFamily::copy;
      labels.account[row] =
          set ? Account::copy_set
              : copy_account({device.copy[row], device.host_memory[row]});
      continue;
    }
    KernelClass kernel = names.kernel(device.name[row]);
    if (const uint32_t call = launches.call[row]; call != kNoRow) {
      LaunchedBy by;
      if (context.op[call] != kNoRow)
        by = names.launched_by(timeline.host.name[context.op[call]]);
      by.optimizer = context.optimizer[call] != 0;
      kernel = classify_launched(kernel, by);
    }
    labels.family[row] = kernel.family;
    labels.account[row] = kernel.account;
  }
  return labels;
}

}  // namespace gpuledger
