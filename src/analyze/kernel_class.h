// Which account a device activity belongs to, told by names: the kernel's own
// and those of the operators that were open when it was launched.
//
// Precedence (classify_launched), first rule that holds:
//  1. A copy or fill kernel of a runtime is a copy, whoever launched it.
//  2. Communication, by either name. Only the innermost operator counts: the
//     copies and reductions inside a collective's wrapper are compute. The name
//     of a matrix product or of attention wins over the operator: fused
//     kernels that also communicate compute.
//  3. Any open optimizer step: compute.optimizer.
//  4. A specific kernel name. It knows more than the operator: aten::mm also
//     launches reductions, aten::convolution also transposes.
//  5. The innermost operator, where it has an account.
//  6. A general kernel name ("elementwise_kernel", "reduce_kernel").
//  7. compute.other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/account.h"
#include "model/copy_name.h"
#include "model/timeline.h"

namespace gpuledger {

enum class KernelFamily : uint8_t { compute, communication, copy, set };

struct KernelClass {
  KernelFamily family = KernelFamily::compute;
  Account account = Account::compute_other;
  CopyKind copy = CopyKind::none;  // where family is copy
  bool tensor_core = false;        // runs on the matrix unit, by its name
  bool by_pattern = false;         // a row of the table matched
  bool specific = false;           // the name outranks the operator
};

// By name alone. Not free: call it once per distinct name.
KernelClass classify_kernel(std::string_view name);

// What was open on the launching thread.
struct LaunchedBy {
  bool communication = false;  // launches_communication(innermost operator)
  bool optimizer = false;      // is_optimizer_step(any open range or operator)
  std::optional<Account> account;  // account_by_operator(innermost operator)
};

KernelClass classify_launched(KernelClass by_name, const LaunchedBy& by);

// These take names with or without the suffix that NVTX ranges carry.
std::optional<Account> account_by_operator(std::string_view op_name);
// Never true of a user's range ("## all2all ##").
bool launches_communication(std::string_view op_name);
// Optimizer.step#AdamW.step; not Optimizer.zero_grad#….
bool is_optimizer_step(std::string_view name);

// "aten::to, op_id = 99" -> "aten::to": operator names as NVTX ranges.
std::string_view operator_base_name(std::string_view name);

}  // namespace gpuledger
