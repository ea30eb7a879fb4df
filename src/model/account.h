// The closed table of accounts. At each instant a device is in exactly one.
// Names are a contract: they are the keys of `accounts` in the JSON report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuledger {

enum class Account : uint8_t {
  compute_matmul,  // with convolution
  compute_attention,
  compute_normalisation,
  compute_elementwise,  // with reduction
  compute_embedding,    // with indexing
  compute_optimizer,
  compute_layout,  // copies and casts
  compute_other,
  communication_wait,
  communication_transfer,
  communication_unsplit,
  copy_h2d_pageable,
  copy_h2d_pinned,
  copy_h2d_unknown,
  copy_d2h,
  copy_d2d,
  copy_p2p,
  copy_set,
  copy_other,
  idle_data,
  idle_checkpoint,
  idle_gc,
  idle_compile_jit,
  idle_compile_load,
  idle_alloc,
  idle_sync_copy,
  idle_sync_wait,
  idle_sync_refill,
  idle_launch_api,
  idle_launch_dispatch,
  idle_launch_between,
  idle_launch_latency,
  idle_queue,
  idle_host_op,
  idle_host_named,
  idle_host_unseen,
  idle_profiler,
  idle_tail,
  unattributed,
};

inline constexpr size_t kAccountCount =
    static_cast<size_t>(Account::unattributed) + 1;

struct AccountRow {
  Account account;
  std::string_view name;
  std::string_view what;  // one line for people
};

extern const std::array<AccountRow, kAccountCount> kAccounts;

inline std::string_view account_name(Account a) {
  return kAccounts[static_cast<size_t>(a)].name;
}

// True if `name` is `parent` or lies below it: "idle.sync.wait" in "idle.sync".
bool account_within(std::string_view name, std::string_view parent);

// Nanoseconds per account.
struct AccountTotals {
  std::array<int64_t, kAccountCount> ns{};

  int64_t& operator[](Account a) { return ns[static_cast<size_t>(a)]; }
  int64_t operator[](Account a) const { return ns[static_cast<size_t>(a)]; }
  AccountTotals& operator+=(const AccountTotals& other);
  int64_t total_ns() const;
  // Sum over the leaves that lie within `parent` ("idle", "idle.launch").
  int64_t within_ns(std::string_view parent) const;
};

}  // namespace gpuledger
