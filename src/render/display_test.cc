#include "render/display.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace gpuledger {
namespace {

TEST(Display, ControlBytesBecomeVisible) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\u202Eevil"), "\\u202eevil");
  EXPECT_EQ(printable("\u009B2J"), "\\u009b2J");
}

TEST(Display, InvalidBytesBecomeTheReplacementCharacter) {
  EXPECT_EQ(printable("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(printable("\xC0\x80"), "\uFFFD\uFFFD");             // overlong
  EXPECT_EQ(printable("\xE2\x82"), "\uFFFD");                   // cut short
  EXPECT_EQ(printable("\xED\xA0\x80").substr(0, 3), "\uFFFD");  // surrogate
  EXPECT_EQ(printable("grün 层 🙂"), "grün 层 🙂");
}

TEST(Display, ColumnsCountWideAndCombiningCharacters) {
  EXPECT_EQ(display_columns("abc"), 3u);
  EXPECT_EQ(display_columns("层"), 2u);
  EXPECT_EQ(display_columns("e\u0301"), 1u);
}

TEST(Display, FitCutsWithAnEllipsis) {
  EXPECT_EQ(fit("kernel", 6), "kernel");
  EXPECT_EQ(fit("kernels", 6), "kerne…");
  EXPECT_EQ(fit("层层层", 4), "层…");
  EXPECT_EQ(fit("abc", 0), "");
  EXPECT_EQ(fit_end("kernels", 6), "…rnels");
  EXPECT_EQ(fit_end("层层层", 4), "…层");
  EXPECT_EQ(fit_end("abc", 0), "");
  EXPECT_EQ(pad_right("ab", 4), "ab  ");
  EXPECT_EQ(pad_left("ab", 4), "  ab");
  EXPECT_EQ(pad_left("层层层", 4), " 层…");
}

TEST(Display, WrapBreaksAtSpacesAndCutsLongWords) {
  EXPECT_EQ(wrap("one two three four", 9),
            (std::vector<std::string>{"one two", "three", "four"}));
  EXPECT_EQ(wrap("abcdefghijkl x", 8),
            (std::vector<std::string>{"abcdefgh", "ijkl x"}));
  EXPECT_EQ(wrap("it costs 26.0 % now", 14),
            (std::vector<std::string>{"it costs", "26.0 % now"}));
  EXPECT_TRUE(wrap("", 8).empty());
}

TEST(Display, AnyBytesStayWithinTheirColumns) {
  EXPECT_TRUE(rc::check(
      "fit, pad and wrap keep the width", [](const std::string& bytes) {
        const auto columns = *rc::gen::inRange<size_t>(8, 40);
        const std::string text = printable(bytes);
        RC_ASSERT(display_columns(fit(text, columns)) <= columns);
        RC_ASSERT(display_columns(fit_end(text, columns)) <= columns);
        RC_ASSERT(display_columns(pad_left(text, columns)) == columns);
        for (const std::string& line : wrap(text, columns))
          RC_ASSERT(display_columns(line) <= columns);
        RC_ASSERT(printable(text) == text);
      }));
}

}  // namespace
}  // namespace gpuledger
