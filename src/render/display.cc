#include "render/display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace gpuledger {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "…";

struct Range {
  char32_t first, last;
};

bool within(char32_t value, std::span<const Range> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [value](const Range& r) {
    return value >= r.first && value <= r.last;
  });
}

// Characters that move the cursor, hide themselves or turn the reading order.
constexpr Range kControl[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
    {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};

constexpr Range kCombining[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
    {0x64B, 0x65F},   {0x900, 0x902},   {0xE31, 0xE31},   {0xE34, 0xE3A},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F}};

constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23F3},
    {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},
    {0x274C, 0x274C},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x16FE0, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F19A}, {0x1F200, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};

size_t columns_of(char32_t value) {
  if (value < 0x300) return 1;
  if (within(value, kCombining)) return 0;
  return within(value, kWide) ? 2 : 1;
}

// How many bytes follow the lead byte, and what the first of them may be: this
// shuts out overlong forms, surrogates and values above U+10FFFF.
struct Lead {
  size_t followers;
  uint8_t low, high;
};

Lead lead_of(uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0, 0, 0};
}

// The bytes of `text` that fill at most `columns`.
size_t bytes_within(std::string_view text, size_t columns) {
  size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text.substr(at));
    const size_t wide = columns_of(point.value);
    if (wide > columns) break;
    columns -= wide;
    at += point.size;
  }
  return at;
}

// The end of the first word; a number keeps its unit: "26.0 %", "12 ms,".
size_t word_end(std::string_view text) {
  constexpr size_t kLongestUnit = 5;
  const size_t end = std::min(text.find(' '), text.size());
  if (end == text.size() || end == 0) return end;
  const char last = text[end - 1];
  const size_t next = std::min(text.find(' ', end + 1), text.size());
  const bool unit = last >= '0' && last <= '9' && next - end - 1 > 0 &&
                    next - end - 1 <= kLongestUnit;
  return unit ? next : end;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return {first, 1};
  const Lead lead = lead_of(first);
  if (lead.followers == 0) return {kReplacement, 1};
  char32_t value = first & (0x3F >> lead.followers);
  for (size_t i = 1; i <= lead.followers; ++i) {
    if (i == text.size()) return {kReplacement, i};
    const auto byte = static_cast<uint8_t>(text[i]);
    const uint8_t low = i == 1 ? lead.low : 0x80;
    const uint8_t high = i == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) return {kReplacement, i};
    value = (value << 6) | (byte & 0x3F);
  }
  return {value, lead.followers + 1};
}

void append_utf8(std::string& out, char32_t value) {
  const auto follower = [value](int shift) {
    return static_cast<char>(0x80 | ((value >> shift) & 0x3F));
  };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0 | (value >> 6));
    out += follower(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0 | (value >> 12));
    out += follower(6);
    out += follower(0);
  } else {
    out += static_cast<char>(0xF0 | (value >> 18));
    out += follower(12);
    out += follower(6);
    out += follower(0);
  }
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!within(point.value, kControl))
      append_utf8(out, point.value);
    else if (point.value == '\n')
      out += "\\n";
    else if (point.value == '\t')
      out += "\\t";
    else if (point.value < 0x80)
      out += fmt::format("\\x{:02x}", static_cast<uint32_t>(point.value));
    else
      out += fmt::format("\\u{:04x}", static_cast<uint32_t>(point.value));
    text.remove_prefix(point.size);
  }
  return out;
}

size_t display_columns(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    columns += columns_of(point.value);
    text.remove_prefix(point.size);
  }
  return columns;
}

std::string fit(std::string_view text, size_t columns) {
  const size_t whole = bytes_within(text, columns);
  if (whole == text.size()) return std::string(text);
  if (columns == 0) return {};
  std::string cut(text.substr(0, bytes_within(text, columns - 1)));
  return cut.append(kEllipsis);
}

std::string fit_end(std::string_view text, size_t columns) {
  size_t left = display_columns(text);
  if (left <= columns) return std::string(text);
  if (columns == 0) return {};
  while (left > columns - 1) {
    const CodePoint point = decode_utf8(text);
    left -= columns_of(point.value);
    text.remove_prefix(point.size);
  }
  return std::string(kEllipsis).append(text);
}

std::string pad_right(std::string_view text, size_t columns) {
  std::string fitted = fit(text, columns);
  return fitted.append(columns - display_columns(fitted), ' ');
}

std::string pad_left(std::string_view text, size_t columns) {
  const std::string fitted = fit(text, columns);
  return std::string(columns - display_columns(fitted), ' ') + fitted;
}

std::vector<std::string> wrap(std::string_view text, size_t columns) {
  columns = std::max<size_t>(columns, 8);
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    std::string_view word = text.substr(0, word_end(text));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const size_t used = display_columns(line);
    if (used > 0 && used + 1 + display_columns(word) > columns) {
      lines.push_back(std::move(line));
      line.clear();
    }
    for (size_t piece; (piece = bytes_within(word, columns)) < word.size();) {
      lines.emplace_back(word.substr(0, piece));
      word.remove_prefix(piece);
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace gpuledger
