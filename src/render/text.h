// The report for a terminal: what the driver's tool shows, what is real, where
// the rest goes, and the edit to make first. No line is wider than the style.
#pragma once

#include <cstddef>
#include <string>

#include "model/report.h"

namespace gpuledger {

struct TextStyle {
  size_t width = 80;  // columns; at least kMinTextWidth is used
  bool color = false;
  size_t top = 5;  // findings and kernels shown
};

inline constexpr size_t kMinTextWidth = 60;

std::string render_text(const Report& report, const TextStyle& style);

}  // namespace gpuledger
