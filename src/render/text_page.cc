#include "render/text_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/display.h"
#include "render/units.h"

namespace gpuledger {
namespace {

std::string_view escape_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::good:
      return "\x1b[32m";
    case Paint::warn:
      return "\x1b[33m";
    case Paint::bad:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

TextPage::TextPage(const TextStyle& style) : style_(style) {
  style_.width = std::max(style_.width, kMinTextWidth);
}

void TextPage::blank() {
  if (!out_.empty()) out_ += '\n';
}

void TextPage::heading(std::string_view text) {
  blank();
  line({{std::string(text), Paint::bold}});
}

void TextPage::line(std::initializer_list<Span> spans) {
  put_line(spans, style_.width);
}

// What is pasted must be whole; a narrow terminal wraps it.
constexpr size_t kCodeColumns = 100;

void TextPage::code(size_t indent, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    put_line({{std::string(indent, ' ')},
              {std::string(text.substr(0, end)), Paint::good}},
             std::max(style_.width, kCodeColumns));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void TextPage::put_line(std::initializer_list<Span> spans, size_t left) {
  std::string text;
  for (const Span& span : spans) {
    const std::string fitted = fit(printable(span.text), left);
    left -= display_columns(fitted);
    const std::string_view escape = escape_of(span.paint);
    if (!style_.color || escape.empty() || fitted.empty()) {
      text += fitted;
    } else {
      text += escape;
      text += fitted;
      text += "\x1b[0m";
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  out_ += text;
  out_ += '\n';
}

void TextPage::paragraph(size_t indent, Span label, size_t column,
                         std::string_view text, Paint paint) {
  const std::vector<std::string> lines =
      wrap(printable(text), style_.width - column);
  Span margin{std::string(indent, ' ')};
  const size_t columns = column - indent;
  label.text = fit(printable(label.text), columns > 0 ? columns - 1 : 0);
  label.text = pad_right(label.text, columns);
  if (lines.empty()) line({margin, label});
  for (const std::string& one : lines) {
    line({margin, label, {one, paint}});
    label.text.assign(columns, ' ');
  }
}

std::string bar(double ratio, size_t columns) {
  constexpr std::array<std::string_view, 8> kEighths = {"",  "▏", "▎", "▍",
                                                        "▌", "▋", "▊", "▉"};
  if (!std::isfinite(ratio)) return {};
  const double clamped = std::clamp(ratio, 0.0, 1.0);
  const auto eighths = static_cast<size_t>(
      std::lround(clamped * static_cast<double>(columns * 8)));
  std::string out;
  for (size_t i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths[eighths % 8];
  return out;
}

std::string counted(int64_t count, std::string_view noun) {
  std::string out = format_count(count) + " ";
  out += noun;
  if (count != 1) out += 's';
  return out;
}

}  // namespace gpuledger
