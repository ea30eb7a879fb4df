// Dirty input is counted, not fatal. One table names every kind of dirt that a
// reader may meet; each report prints the counters that are not zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuledger {

enum class Severity : uint8_t { info, notice, data_loss };

enum class Import : uint8_t {
  // the container
  compressed_parts,
  trailing_bytes,
  checksum_missing,
  checksum_wrong,
  truncated,
  // the text
  element_repaired,
  element_dropped,
  element_skipped,
  not_a_number,
  header_unreadable,
  // the events
  time_unreadable,
  time_overflow,
  duration_negative,
  duplicate_activity,
  activity_time_lost,
  correlation_ambiguous,
  start_before_launch,
  integer_microseconds,
  stream_unknown,
  unknown_category,
  // the set of inputs
  device_claimed_twice,
};

inline constexpr size_t kImportCount =
    static_cast<size_t>(Import::device_claimed_twice) + 1;

struct ImportRow {
  Import import;
  std::string_view id;
  Severity severity;
  std::string_view advice;  // what it means and what to do, one sentence
};

extern const std::array<ImportRow, kImportCount> kImports;

std::string_view severity_name(Severity severity);

// How often each kind was met and where first: bytes of decompressed text,
// except the container's own counters, which count bytes of the file.
struct ImportStats {
  struct Counter {
    int64_t count = 0;
    std::optional<uint64_t> first_offset;
  };
  std::array<Counter, kImportCount> counters{};

  void add(Import import, std::optional<uint64_t> offset = {},
           int64_t count = 1);
  // Adds the counters of a later part of the same input.
  void merge(const ImportStats& later);
  const Counter& of(Import import) const {
    return counters[static_cast<size_t>(import)];
  }
};

}  // namespace gpuledger
