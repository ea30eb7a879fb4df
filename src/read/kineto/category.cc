#include "read/kineto/category.h"

#include <array>

namespace gpuledger {
namespace {

struct CategoryRow {
  std::string_view category;
  RowKind kind;
};

constexpr std::array kCategories = {
    // today
    CategoryRow{"python_function", RowKind::frame},
    CategoryRow{"cpu_op", RowKind::op},
    CategoryRow{"cuda_runtime", RowKind::api},
    CategoryRow{"cuda_driver", RowKind::api},
    CategoryRow{"kernel", RowKind::kernel},
    CategoryRow{"gpu_memcpy", RowKind::copy},
    CategoryRow{"gpu_memset", RowKind::set},
    CategoryRow{"user_annotation", RowKind::range},
    CategoryRow{"overhead", RowKind::overhead},
    CategoryRow{"cuda_profiler_range", RowKind::counter_replay},
    CategoryRow{"gpu_user_annotation", RowKind::ignored},
    CategoryRow{"cuda_sync", RowKind::ignored},
    CategoryRow{"cuda_event", RowKind::ignored},
    CategoryRow{"cpu_instant_event", RowKind::ignored},
    CategoryRow{"Trace", RowKind::ignored},
    // 2021
    CategoryRow{"Operator", RowKind::op},
    CategoryRow{"Runtime", RowKind::api},
    CategoryRow{"Kernel", RowKind::kernel},
    CategoryRow{"Memcpy", RowKind::copy},
    CategoryRow{"Memset", RowKind::set},
};

bool is_annotation(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kPrefixes = {
      "ProfilerStep#", "enumerate(DataLoader)", "Optimizer.step#",
      "Optimizer.zero_grad#"};
  for (std::string_view prefix : kPrefixes)
    if (name.substr(0, prefix.size()) == prefix) return true;
  return false;
}

}  // namespace

RowKind row_kind(std::string_view category, std::string_view name) {
  for (const CategoryRow& row : kCategories) {
    if (row.category != category) continue;
    return row.kind == RowKind::op && is_annotation(name) ? RowKind::range
                                                          : row.kind;
  }
  return RowKind::unknown;
}

RowKind row_kind_by_pid(std::string_view pid) {
  if (pid == "CPU functions") return RowKind::op;
  if (pid == "CUDA functions") return RowKind::kernel;
  return RowKind::unknown;
}

}  // namespace gpuledger
