// Text from a trace is not to be trusted: this decodes UTF-8 safely, makes
// control bytes visible and fits text into terminal columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger {

struct CodePoint {
  char32_t value;  // U+FFFD where the bytes are not valid UTF-8
  size_t size;     // bytes used, at least 1
};

// REQUIRES: text is not empty.
CodePoint decode_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t value);

// Control and bidirectional characters become visible escapes (\x1b, \u202e),
// invalid bytes U+FFFD. All functions below expect text that went through here.
std::string printable(std::string_view text);

size_t display_columns(std::string_view text);
// Cut to at most `columns`, the last of them … where something was cut off.
std::string fit(std::string_view text, size_t columns);
// The same, but the end is kept: of a path that is the name of the file.
std::string fit_end(std::string_view text, size_t columns);
// Fitted and filled with spaces to exactly `columns`.
std::string pad_right(std::string_view text, size_t columns);
std::string pad_left(std::string_view text, size_t columns);
// Broken at spaces; a word longer than a line is cut into pieces.
std::vector<std::string> wrap(std::string_view text, size_t columns);

}  // namespace gpuledger
