// A page of terminal text under construction. Whatever is put on it is made
// printable and cut to the width, so no text from a trace can break the layout.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "render/text.h"

namespace gpuledger {

enum class Paint : uint8_t { plain, bold, dim, good, warn, bad };

struct Span {
  std::string text;
  Paint paint = Paint::plain;
};

class TextPage {
 public:
  explicit TextPage(const TextStyle& style);

  size_t width() const { return style_.width; }
  size_t top() const { return style_.top; }

  void blank();
  void heading(std::string_view text);
  void line(std::initializer_list<Span> spans);
  // Something to paste: not cut even where the page is narrow.
  void code(size_t indent, std::string_view text);
  // `label` at `indent`, the text wrapped beside it from column `column` on.
  void paragraph(size_t indent, Span label, size_t column,
                 std::string_view text, Paint paint = Paint::plain);

  std::string take() { return std::move(out_); }

 private:
  void put_line(std::initializer_list<Span> spans, size_t left);

  TextStyle style_;
  std::string out_;
};

// `ratio` of `columns` as a bar of block characters.
std::string bar(double ratio, size_t columns);

// "1 step", "12 steps".
std::string counted(int64_t count, std::string_view noun);

}  // namespace gpuledger
