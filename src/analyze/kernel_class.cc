#include "analyze/kernel_class.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "analyze/kernel_table.h"

namespace gpuledger {
namespace {

// The telling part of a kernel name stands at its front; template arguments
// and parameters of some names go on for many kilobytes.
constexpr size_t kTellingBytes = 600;

std::string lower_front(std::string_view name) {
  std::string lower(name.substr(0, kTellingBytes));
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.starts_with("void ")) lower.erase(0, 5);
  return lower;
}

// Calls visit with each part of `text` between underscores.
template <class Visit>
void for_each_part(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('_'), text.size());
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Inductor names a fused kernel after all operators in it:
// triton_poi_fused__to_copy_1. It is layout only if nothing else is in it.
bool fuses_layout_only(std::string_view name) {
  const size_t at = name.find("fused_");
  if (at == std::string_view::npos) return false;
  bool any = false, only = true;
  for_each_part(name.substr(at + 6), [&](std::string_view part) {
    if (std::isdigit(static_cast<unsigned char>(part[0]))) return;
    any = true;
    const auto words = fused_layout_words();
    if (std::find(words.begin(), words.end(), part) == words.end())
      only = false;
  });
  return any && only;
}

bool uses_tensor_core(Account account, std::string_view name) {
  if (account != Account::compute_matmul &&
      account != Account::compute_attention)
    return false;
  for (std::string_view word : scalar_unit_words())
    if (name.find(word) != std::string_view::npos) return false;
  for (std::string_view word : tensor_core_words())
    if (name.find(word) != std::string_view::npos) return true;
  return false;
}

KernelFamily family_of(Account account) {
  if (account == Account::communication_unsplit)
    return KernelFamily::communication;
  if (account == Account::copy_set) return KernelFamily::set;
  if (account == Account::copy_other) return KernelFamily::copy;
  return KernelFamily::compute;
}

KernelClass class_of(Account account, bool specific, std::string_view lower) {
  KernelClass k;
  k.by_pattern = true;
  k.specific = specific;
  k.account = account;
  k.family = family_of(account);
  if (k.family == KernelFamily::copy) {
    k.copy = parse_copy_name(lower).kind;
    k.account = copy_account({k.copy, HostMemory::unknown});
  }
  k.tensor_core = uses_tensor_core(account, lower);
  return k;
}

KernelClass classify_inductor(std::string_view lower) {
  if (fuses_layout_only(lower))
    return class_of(Account::compute_layout, true, lower);
  for (const NameRow& row : inductor_rows())
    if (name_matches(row.how, row.text, lower))
      return class_of(row.account, row.specific, lower);
  return class_of(Account::compute_elementwise, true, lower);
}

}  // namespace

KernelClass classify_kernel(std::string_view name) {
  const std::string lower = lower_front(name);
  if (lower.starts_with("triton_")) return classify_inductor(lower);
  for (const NameRow& row : kernel_rows())
    if (name_matches(row.how, row.text, lower))
      return class_of(row.account, row.specific, lower);
  return {};
}

KernelClass classify_launched(KernelClass by_name, const LaunchedBy& by) {
  if (by_name.family != KernelFamily::compute) return by_name;
  const bool product =
      by_name.specific && (by_name.account == Account::compute_matmul ||
                           by_name.account == Account::compute_attention);
  if (by.communication && !product) {
    by_name.family = KernelFamily::communication;
    by_name.account = Account::communication_unsplit;
  } else if (by.optimizer) {
    by_name.account = Account::compute_optimizer;
  } else if (!by_name.specific && by.account) {
    by_name.account = *by.account;
  }
  return by_name;
}

std::string_view operator_base_name(std::string_view name) {
  for (std::string_view field : {", seq = ", ", op_id = ", ", sizes = "})
    name = name.substr(0, name.find(field));
  return name;
}

std::optional<Account> account_by_operator(std::string_view op_name) {
  std::string lower(operator_base_name(op_name));
  if (is_optimizer_step(lower)) return Account::compute_optimizer;
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const NameRow& row : operator_rows())
    if (name_matches(row.how, row.text, lower)) return row.account;
  return std::nullopt;
}

bool launches_communication(std::string_view op_name) {
  const std::string_view name = operator_base_name(op_name);
  for (std::string_view start : {"c10d::", "_c10d_functional::",
                                 "c10d_functional::", "nccl:", "symm_mem::"})
    if (name.starts_with(start)) return true;
  return name == "record_param_comms";
}

bool is_optimizer_step(std::string_view name) {
  return name == "Optimizer.step" || name.starts_with("Optimizer.step#");
}

}  // namespace gpuledger
