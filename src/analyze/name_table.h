// What each distinct name of a timeline means, looked up once per name: the
// kind of a range or frame, the class of an API call, the class of a kernel,
// what an operator says of the kernels it launches.
#pragma once

#include <optional>
#include <vector>

#include "analyze/api_class.h"
#include "analyze/frame_kind.h"
#include "analyze/kernel_class.h"
#include "model/timeline.h"

namespace gpuledger {

class NameTable {
 public:
  explicit NameTable(const Timeline& timeline);

  FrameKind frame_kind(NameId name) const { return rows_[name].frame; }
  const ApiClass& api(NameId name) const { return rows_[name].api; }
  bool nvidia(NameId name) const { return rows_[name].nvidia; }
  const KernelClass& kernel(NameId name) const { return rows_[name].kernel; }
  Account overhead_account(NameId name) const { return rows_[name].overhead; }
  // Of an operator or range: what LaunchedBy needs.
  const LaunchedBy& launched_by(NameId name) const {
    return rows_[name].launched_by;
  }

 private:
  struct Row {
    FrameKind frame = FrameKind::none;
    ApiClass api;
    bool nvidia = false;  // an API call of CUDA
    KernelClass kernel;
    Account overhead = Account::idle_profiler;
    LaunchedBy launched_by;
  };
  void add_host_name(Row& row, std::string_view name, HostKind kind);

  std::vector<Row> rows_;
};

}  // namespace gpuledger
