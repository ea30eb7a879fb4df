// What the terminal can show, and what the user wants of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuledger {

enum class Color : uint8_t { automatic, always, never };

// `automatic`: standard output is a terminal and NO_COLOR is not set.
bool use_color(Color choice);

// Columns of the terminal on standard output, else COLUMNS, else 80.
size_t terminal_width();

}  // namespace gpuledger
