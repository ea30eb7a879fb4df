// What a host row's name says: Python frames ("train.py(42): main", built-ins,
// modules), user ranges, overhead rows of the driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/account.h"

namespace gpuledger {

// Kinds that own what runs inside them (docs/ledger.md). A name belongs to a
// kind only if the whole function is known to do nothing else; wrappers that
// run compiled code or recompute activations are none of these.
enum class FrameKind : uint8_t {
  none,
  data,
  checkpoint,
  gc,
  compile_jit,
  profiler,
  step_range,  // ProfilerStep#n
};

// Of a range or a Python frame.
FrameKind classify_frame(std::string_view name);

// Of an overhead row: idle.compile.load where the driver loads or compiles
// code, else idle.profiler.
Account overhead_account(std::string_view name);

// A Python frame taken apart. `path` tells libraries from user code and is
// never printed; `file` is its base name.
struct FrameName {
  std::string_view path;
  std::string_view file;
  int line = 0;
  std::string_view function;
};
// Nothing for built-ins ("<built-in method …>") and "nn.Module: …".
std::optional<FrameName> parse_frame(std::string_view name);

// Code of the user: not the standard library, not an installed package, not
// generated.
bool is_user_frame(std::string_view name);

}  // namespace gpuledger
