// What a row of a Kineto trace is, told by its `cat`.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuledger {

enum class RowKind : uint8_t {
  op,
  api,
  range,
  frame,
  overhead,
  kernel,
  copy,
  set,
  counter_replay,  // a kernel serialised and replayed by a counter profiler
  ignored,         // known, and not work of host or device
  unknown,
};

// `name` refines the dialect of 2021, in which annotations are operators.
RowKind row_kind(std::string_view category, std::string_view name);

inline bool is_device_row(RowKind kind) {
  return kind == RowKind::kernel || kind == RowKind::copy ||
         kind == RowKind::set;
}

// The autograd profiler's old export has no `cat`; its pid tells.
RowKind row_kind_by_pid(std::string_view pid);

}  // namespace gpuledger
