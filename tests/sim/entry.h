// The accounts that the simulator books, and the causes it injects. Names are
// spelled out here on purpose: the truth must not lean on the code it judges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuledger::sim {

enum class Entry : uint8_t {
  compute_matmul,
  compute_attention,
  compute_normalisation,
  compute_elementwise,
  compute_embedding,
  compute_optimizer,
  compute_layout,
  compute_other,
  communication,
  copy_h2d_pageable,
  copy_h2d_pinned,
  copy_d2h,
  copy_set,
  idle_data,
  idle_checkpoint,
  idle_gc,
  idle_compile,
  idle_alloc,
  idle_sync,
  idle_launch,
  idle_queue,
  idle_host,
  idle_profiler,
  idle_tail,
  unattributed,
};

inline constexpr size_t kEntryCount =
    static_cast<size_t>(Entry::unattributed) + 1;

// Leaves for what runs; the second level for what idles.
inline constexpr std::array<std::string_view, kEntryCount> kEntryNames = {
    "compute.matmul",
    "compute.attention",
    "compute.normalisation",
    "compute.elementwise",
    "compute.embedding",
    "compute.optimizer",
    "compute.layout",
    "compute.other",
    "communication.unsplit",
    "copy.h2d.pageable",
    "copy.h2d.pinned",
    "copy.d2h",
    "copy.set",
    "idle.data",
    "idle.checkpoint",
    "idle.gc",
    "idle.compile",
    "idle.alloc",
    "idle.sync",
    "idle.launch",
    "idle.queue",
    "idle.host",
    "idle.profiler",
    "idle.tail",
    "unattributed",
};

inline bool is_compute(Entry e) { return e <= Entry::compute_other; }
inline bool is_copy(Entry e) {
  return e >= Entry::copy_h2d_pageable && e <= Entry::copy_set;
}
inline bool is_idle(Entry e) {
  return e >= Entry::idle_data && e <= Entry::idle_tail;
}

using Totals = std::array<int64_t, kEntryCount>;

inline int64_t& of(Totals& totals, Entry e) {
  return totals[static_cast<size_t>(e)];
}
inline int64_t of(const Totals& totals, Entry e) {
  return totals[static_cast<size_t>(e)];
}

// Why the host or the device lost time: what a scenario switches on.
enum class Cause : uint8_t { none, loader, copies, items, launches };

inline constexpr size_t kCauseCount = static_cast<size_t>(Cause::launches) + 1;

struct CauseRow {
  Cause cause;
  std::string_view id;
  std::string_view code;
};

inline constexpr std::array<CauseRow, kCauseCount> kCauses = {{
    {Cause::none, "", ""},
    {Cause::loader, "loader-single-process", "DL-01"},
    {Cause::copies, "pageable-copies", "HD-01"},
    {Cause::items, "item-sync", "HD-03"},
    {Cause::launches, "launch-bound", "LK-01"},
}};

}  // namespace gpuledger::sim
