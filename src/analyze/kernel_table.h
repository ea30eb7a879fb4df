// The ordered tables behind kernel_class.h. First match wins; needles are lower
// case. docs/kernel_classes.md explains the order.
#pragma once

#include <span>
#include <string_view>

#include "analyze/name_match.h"
#include "model/account.h"
#include "model/timeline.h"

namespace gpuledger {

struct NameRow {
  Match how;
  std::string_view text;
  Account account;
  bool specific;  // outranks the launching operator
};

std::span<const NameRow> kernel_rows();
std::span<const NameRow> inductor_rows();  // names that start with triton_
std::span<const NameRow> operator_rows();
std::span<const std::string_view> fused_layout_words();
// Of products and attention: names that tell the matrix unit, and those that
// tell that it is not used.
std::span<const std::string_view> tensor_core_words();
std::span<const std::string_view> scalar_unit_words();

}  // namespace gpuledger
