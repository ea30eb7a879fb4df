// What the begin of an element and the end of the array look like. All look
// no further than kLookAheadBytes ahead.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gpuledger {

// How far the scanners look ahead of the byte they are at.
inline constexpr size_t kLookAheadBytes = 512;

// Separators between elements: spaces, commas and padding.
inline bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
inline bool is_separator(char c) {
  return is_space(c) || c == ',' || c == '\0';
}

// The text without separators at its ends.
inline std::string_view trim_separators(std::string_view text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
  return text;
}

// The first byte from `at` on that is no space, or text.size().
size_t skip_spaces(std::string_view text, size_t at);

// The key of the object that begins at text[at], if it is a key with which
// elements begin (ph, name, cat, ts, pid, tid, args); else empty.
std::string_view element_key(std::string_view text, size_t at);

// The number of spaces before text[at], if nothing else stands before it on
// its line; the line's begin must not lie before `floor`.
inline std::optional<size_t> line_indent(std::string_view text, size_t at,
                                         size_t floor) {
  for (size_t i = at; i > floor; --i) {
    if (text[i - 1] == '\n') return at - i;
    if (!is_space(text[i - 1])) return {};
  }
  return {};
}

// What follows the bracket at text[at] can follow the array: the end of the
// text, of the object, or another key.
bool array_may_end(std::string_view text, size_t at, bool at_end);

}  // namespace gpuledger
