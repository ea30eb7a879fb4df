#include "model/account.h"

namespace gpuledger {

const std::array<AccountRow, kAccountCount> kAccounts = {{
    {Account::compute_matmul, "compute.matmul",
     "matrix products and convolutions"},
    {Account::compute_attention, "compute.attention", "attention kernels"},
    {Account::compute_normalisation, "compute.normalisation",
     "batch, layer, group and RMS norms"},
    {Account::compute_elementwise, "compute.elementwise",
     "pointwise kernels and reductions"},
    {Account::compute_embedding, "compute.embedding",
     "embedding look-ups, gathers, scatters, indexing, sorting"},
    {Account::compute_optimizer, "compute.optimizer",
     "kernels launched by the optimizer step"},
    {Account::compute_layout, "compute.layout",
     "kernels that copy, cast or transpose"},
    {Account::compute_other, "compute.other", "kernels no pattern names"},
    {Account::communication_wait, "communication.wait",
     "collective waiting for its last rank"},
    {Account::communication_transfer, "communication.transfer",
     "collective moving bytes"},
    {Account::communication_unsplit, "communication.unsplit",
     "exposed communication, wait and transfer not told apart"},
    {Account::copy_h2d_pageable, "copy.h2d.pageable",
     "host to device from pageable memory"},
    {Account::copy_h2d_pinned, "copy.h2d.pinned",
     "host to device from pinned memory"},
    {Account::copy_h2d_unknown, "copy.h2d.unknown",
     "host to device, kind of memory not recorded"},
    {Account::copy_d2h, "copy.d2h", "device to host"},
    {Account::copy_d2d, "copy.d2d", "within the device"},
    {Account::copy_p2p, "copy.p2p", "device to device"},
    {Account::copy_set, "copy.set", "memory fills"},
    {Account::copy_other, "copy.other", "copies of no named direction"},
    {Account::idle_data, "idle.data", "the host is in the data loader"},
    {Account::idle_checkpoint, "idle.checkpoint",
     "the host is saving a checkpoint"},
    {Account::idle_gc, "idle.gc", "the host collects garbage"},
    {Account::idle_compile_jit, "idle.compile.jit",
     "the host compiles code for the device"},
    {Account::idle_compile_load, "idle.compile.load",
     "kernels or libraries are loaded for the first time"},
    {Account::idle_alloc, "idle.alloc", "the host allocates or frees memory"},
    {Account::idle_sync_copy, "idle.sync.copy",
     "a blocking copy is being staged"},
    {Account::idle_sync_wait, "idle.sync.wait",
     "the host is inside a blocking call"},
    {Account::idle_sync_refill, "idle.sync.refill",
     "launch gaps paid for lead that a blocking call destroyed"},
    {Account::idle_launch_api, "idle.launch.api",
     "the host is inside a launch call"},
    {Account::idle_launch_dispatch, "idle.launch.dispatch",
     "the framework dispatches an operator"},
    {Account::idle_launch_between, "idle.launch.between",
     "the interpreter runs between operators"},
    {Account::idle_launch_latency, "idle.launch.latency",
     "a launch travels to an idle device"},
    {Account::idle_queue, "idle.queue", "queued work follows with a small gap"},
    {Account::idle_host_op, "idle.host.op",
     "long host stretch inside one operator"},
    {Account::idle_host_named, "idle.host.named",
     "long host stretch inside a named range or Python function"},
    {Account::idle_host_unseen, "idle.host.unseen",
     "long host stretch that nothing names"},
    {Account::idle_profiler, "idle.profiler", "the profiler itself"},
    {Account::idle_tail, "idle.tail", "nothing was launched any more"},
    {Account::unattributed, "unattributed", "the input does not say"},
}};

bool account_within(std::string_view name, std::string_view parent) {
  return name.substr(0, parent.size()) == parent &&
         (name.size() == parent.size() || name[parent.size()] == '.');
}

AccountTotals& AccountTotals::operator+=(const AccountTotals& other) {
  for (size_t i = 0; i < ns.size(); ++i) ns[i] += other.ns[i];
  return *this;
}

int64_t AccountTotals::total_ns() const {
  int64_t sum = 0;
  for (int64_t v : ns) sum += v;
  return sum;
}

int64_t AccountTotals::within_ns(std::string_view parent) const {
  int64_t sum = 0;
  for (const AccountRow& row : kAccounts)
    if (account_within(row.name, parent)) sum += (*this)[row.account];
  return sum;
}

}  // namespace gpuledger
