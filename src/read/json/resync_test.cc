// One broken element costs no other.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "read/json/json_for_test.h"
#include "read/json/repair.h"
#include "read/json/text_for_test.h"

namespace gpuledger {
namespace {

using Strings = std::vector<std::string>;

// One way to write a list of events.
struct Layout {
  const char* name;
  std::string before, between, after;
  std::string element;  // with one place for a number and two for text
};

std::vector<Layout> layouts() {
  const std::string line =
      R"j({{"ph": "X", "cat": "cpu_op", "name": "at::f<{1}>({1})", )j"
      R"j("pid": {0}, "ts": {0}.5, "args": {{"Input Dims": )j"
      R"j([[{0}, 2], []], "x": "{2}"}}}})j";
  const std::string block =
      "{{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": "
      "\"at::f<{1}>({1})\","
      " \"pid\": {0},\n    \"ts\": {0}.5,\n    \"args\": {{\n      \"Input "
      "Dims\":"
      " [[{0}, 2], []],\n      \"x\": \"{2}\"\n    }}\n  }}";
  return {
      {"pretty", "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n  ",
       ",\n  ", "\n  ],\n  \"traceName\": \"x\"\n}", block},
      {"one per line", "{\"traceEvents\": [\n", ",\n",
       "\n], \"traceName\": \"x\"}", line},
      {"first on the array's line", "{\"traceEvents\": [", ",\n",
       "\n], \"traceName\": \"x\"}\n", line},
      {"bare list", "[\n  ", ",\n  ", "\n]\n", block},
      {"one line", "{\"traceEvents\":[", ", ", "], \"traceName\": \"x\"}",
       line},
      {"CRLF", "[\r\n", ",\r\n", "\r\n]\r\n", line},
  };
}

Strings elements_of(const Layout& layout, int count) {
  Strings elements;
  for (int i = 0; i < count; ++i)
    elements.push_back(fmt::format(
        fmt::runtime(layout.element), i, i % 2 ? "[int]{3}" : "double",
        i % 3 ? "[\\\"a\\\", {b: 1}]" : "C:\\\\dir\\\\"));
  return elements;
}

std::string join(const Layout& layout, const Strings& elements) {
  std::string text = layout.before;
  for (size_t i = 0; i < elements.size(); ++i)
    text += (i > 0 ? layout.between : "") + elements[i];
  return text + layout.after;
}

// All elements but the k-th are there, byte for byte and in order.
void expect_others(const Layout& layout, Strings elements, size_t k,
                   const std::string& broken, std::string_view how) {
  elements[k] = broken;
  const std::string text = join(layout, elements);
  const auto cut = cut_text(text, {.window_bytes = 4096});
  elements.erase(elements.begin() + static_cast<ptrdiff_t>(k));
  size_t found = 0;
  for (const std::string& element : cut.elements)
    if (found < elements.size() && element == elements[found]) ++found;
  ASSERT_EQ(found, elements.size())
      << layout.name << ", element " << k << ", " << how << ":\n"
      << text;
  EXPECT_LE(cut.elements.size(), elements.size() + 12) << text;
  if (k == elements.size()) return;
  ASSERT_TRUE(cut.array_closed) << layout.name << ", " << how << text;
  ASSERT_EQ(cut.header,
            cut_text(layout.before + layout.after, {.window_bytes = 64}).header)
      << layout.name << ", element " << k << ", " << how << text;
}

struct Damage {
  const char* name;
  std::string insert;
  size_t erase = 0;  // SIZE_MAX: all that follows
};

std::vector<Damage> damages() {
  return {{"stray quote", "\""},
          {"two stray quotes", "\"q\""},
          {"quote and bracket", "\"{"},
          {"quote and closing bracket", "\"}"},
          {"opening brace", "{"},
          {"opening bracket", "["},
          {"closing brace", "}"},
          {"closing bracket", "]"},
          {"control bytes", std::string("\x01\x00\x1f", 3)},
          {"newline", "\n"},
          {"invalid UTF-8", "\xff\xfe"},
          {"invalid escape", "\\U"},
          {"backslash", "\\"},
          {"doubled comma", ",,"},
          {"lost byte", "", 1},
          {"lost bytes", "", 17},
          {"cut", "", SIZE_MAX}};
}

TEST(Resync, AnyDamageAnywhereInOneElement) {
  for (const Layout& layout : layouts()) {
    const Strings elements = elements_of(layout, 5);
    for (const size_t k : {size_t{0}, size_t{2}, size_t{3}, size_t{4}}) {
      const std::string& element = elements[k];
      for (size_t at = 1; at < element.size(); ++at) {
        for (const Damage& damage : damages()) {
          // Without lines, what lost its end may go on with the next element.
          if (layout.between == ", " && damage.erase > 1) continue;
          std::string broken = element;
          broken.erase(at, damage.erase);
          broken.insert(at, damage.insert);
          expect_others(layout, elements, k, broken,
                        fmt::format("{} at {}", damage.name, at));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// The end of the array is found although the last element does not end.
TEST(Resync, EndOfTheArrayBehindABrokenElement) {
  for (const Layout& layout : layouts()) {
    if (layout.between == ", ") continue;
    for (const char* insert : {"\"", "{"}) {
      Strings elements = elements_of(layout, 3);
      elements.back().insert(elements.back().find("2.5"), insert);
      const auto cut = cut_text(join(layout, elements));
      EXPECT_EQ(cut.elements.size(), 3u) << layout.name << insert;
      EXPECT_TRUE(cut.array_closed) << layout.name << insert;
      EXPECT_EQ(cut.header, cut_text(layout.before + layout.after).header);
      EXPECT_EQ(cut.suspect, (std::vector<bool>{false, false, true}));
    }
  }
}

// Stray quotes, cut strings and the like: what was cut can be mended.
TEST(Resync, MendedElements) {
  const Layout layout = layouts()[0];
  Strings elements = elements_of(layout, 3);
  elements[1].insert(elements[1].find("at::f") + 3, 1, '"');
  const auto cut = cut_text(join(layout, elements));
  ASSERT_EQ(cut.elements, elements);
  EXPECT_EQ(cut.suspect, (std::vector<bool>{false, true, false}));
  const auto repaired = repair_element(cut.elements[1]);
  EXPECT_EQ(repaired.stray_quotes, 1);
  EXPECT_EQ(repaired.repairs(), 1);
}

// A list of valid elements is cut exactly, whatever is in them.
TEST(Resync, ValidTextIsNeverCutByAGuess) {
  EXPECT_TRUE(rc::check("clean elements come out as they are", [] {
    const auto elements =
        *rc::gen::nonEmpty(rc::gen::container<Strings>(json_text()));
    const auto between = *rc::gen::element<std::string>(",", ",\n", ", \n  ");
    std::string text = "{\"a\": [{}], \"traceEvents\": [\n  ";
    for (size_t i = 0; i < elements.size(); ++i)
      text += (i > 0 ? between : "") + elements[i];
    text += "\n], \"b\": {}}";
    const auto cut = cut_text(text);
    RC_ASSERT(cut.elements == elements);
    RC_ASSERT(cut.header == "{\"a\": [{}], \"traceEvents\": [], \"b\": {}}");
  }));
}

}  // namespace
}  // namespace gpuledger
