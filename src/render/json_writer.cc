#include "render/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/check.h"
#include "render/display.h"

namespace gpuledger {

void JsonWriter::begin(char open, Layout layout) {
  separate();
  out_ += open;
  if (!open_.empty() && open_.back().layout == Layout::row)
    layout = Layout::row;
  open_.push_back({open == '{' ? '}' : ']', layout});
}

void JsonWriter::end() {
  CHECK(!open_.empty() && !after_key_);
  const Open closed = open_.back();
  open_.pop_back();
  if (closed.layout == Layout::lines && !closed.empty) break_line(open_.size());
  out_ += closed.close;
}

void JsonWriter::key(std::string_view name) {
  CHECK(!open_.empty() && open_.back().close == '}' && !after_key_);
  separate();
  quote(name);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  Open& parent = open_.back();
  if (!parent.empty) out_ += parent.layout == Layout::row ? ", " : ",";
  parent.empty = false;
  if (parent.layout == Layout::lines) break_line(open_.size());
}

void JsonWriter::break_line(size_t depth) {
  out_ += '\n';
  out_.append(2 * depth, ' ');
}

void JsonWriter::quote(std::string_view value) {
  out_ += '"';
  while (!value.empty()) {
    const CodePoint point = decode_utf8(value);
    if (point.value == '"' || point.value == '\\') {
      out_ += '\\';
      out_ += static_cast<char>(point.value);
    } else if (point.value == '\n') {
      out_ += "\\n";
    } else if (point.value < 0x20 || point.value == 0x7F) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}",
                     static_cast<uint32_t>(point.value));
    } else {
      append_utf8(out_, point.value);
    }
    value.remove_prefix(point.size);
  }
  out_ += '"';
}

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::integer(int64_t value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::unsigned_integer(uint64_t value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::ratio(double value) {
  separate();
  if (!std::isfinite(value)) {
    out_ += "null";
    return;
  }
  std::string digits = fmt::format("{:.6f}", value);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  out_ += digits == "-0" ? "0" : digits;
}

void JsonWriter::number(double value) {
  constexpr double kExactBelow = 9007199254740992.0;  // 2^53
  if (std::isfinite(value) && value == std::floor(value) &&
      std::abs(value) < kExactBelow) {
    integer(static_cast<int64_t>(value));
    return;
  }
  separate();
  if (!std::isfinite(value))
    out_ += "null";
  else if (std::abs(value) < 1e5)
    fmt::format_to(std::back_inserter(out_), "{:.6g}", value);
  else
    fmt::format_to(std::back_inserter(out_), "{:.1f}", value);
}

}  // namespace gpuledger
