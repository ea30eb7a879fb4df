#include "read/json/elements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "read/json/text_for_test.h"

namespace gpuledger {
namespace {

using Strings = std::vector<std::string>;

TEST(Elements, ObjectWithHeaderBeforeAndAfter) {
  const auto cut = cut_text(R"({"schemaVersion": 1, "traceEvents": [
  {"ph": "X", "args": {"a": [1, {"b": 2}]}}, {"ph": "i"}
], "traceName": "x"})");
  EXPECT_EQ(cut.elements,
            (Strings{R"({"ph": "X", "args": {"a": [1, {"b": 2}]}})",
                     R"({"ph": "i"})"}));
  EXPECT_EQ(cut.suspect, (std::vector<bool>{false, false}));
  EXPECT_EQ(cut.header,
            R"({"schemaVersion": 1, "traceEvents": [], "traceName": "x"})");
  EXPECT_TRUE(cut.found_array);
  EXPECT_TRUE(cut.array_closed);
}

TEST(Elements, BareList) {
  const auto cut = cut_text("[{\"ph\":\"X\"},\n{\"ph\":\"i\"}]\n");
  EXPECT_EQ(cut.elements, (Strings{"{\"ph\":\"X\"}", "{\"ph\":\"i\"}"}));
  EXPECT_EQ(cut.header, "{}");
  EXPECT_TRUE(cut.array_closed);
}

TEST(Elements, NothingToCut) {
  for (const char* text : {"", " \n\t ", "hello", "{", "}", "]", "\"", "\\"}) {
    const auto cut = cut_text(text);
    EXPECT_TRUE(cut.elements.empty()) << text;
    EXPECT_FALSE(cut.found_array) << text;
    EXPECT_EQ(cut.text_bytes, std::string_view(text).size());
  }
}

TEST(Elements, OnlyTheTopLevelKeyCounts) {
  const auto cut =
      cut_text(R"({"a": "traceEvents", "b": {"traceEvents": [{"ph": "no"}]},)"
               R"( "c": ["traceEvents", [1]], "traceEvents": null,)"
               R"( "traceEvents": {"ph": [2]}, "d": ":[", "xtraceEvents": [3],)"
               R"( "traceEvents": [{"ph": "yes"}]})");
  EXPECT_EQ(cut.elements, Strings{R"({"ph": "yes"})"});
  EXPECT_TRUE(cut.array_closed);
}

TEST(Elements, OtherKindsOfElements) {
  const auto cut = cut_text(R"([1, "a,]b", [2, 3], {"ph": 1}, null, true])");
  EXPECT_EQ(cut.elements, (Strings{"1", "\"a,]b\"", "[2, 3]", "{\"ph\": 1}",
                                   "null", "true"}));
}

TEST(Elements, CommasMayBeMissingOrDoubled) {
  const auto cut = cut_text("[,{\"ph\":1} {\"ph\":2},,\n,{\"ph\":3},]");
  EXPECT_EQ(cut.elements, (Strings{"{\"ph\":1}", "{\"ph\":2}", "{\"ph\":3}"}));
  EXPECT_TRUE(cut.array_closed);
}

TEST(Elements, ByteOrderMarkAndPadding) {
  std::string text = "\xef\xbb\xbf{\"traceEvents\":[{\"ph\":1}]}\n";
  text.append(1000, '\0');
  const auto cut = cut_text(text);
  EXPECT_EQ(cut.elements, Strings{"{\"ph\":1}"});
  EXPECT_EQ(cut.offsets, std::vector<uint64_t>{19});
  EXPECT_EQ(cut.header, "{\"traceEvents\":[]}");
}

TEST(Elements, StringsHideBracketsAndEscapes) {
  const Strings elements{R"({"name":"a}]{[\"\\"})", R"({"name":"\\\\\""})",
                         R"({"name":"{\"ph\":1}"})"};
  std::string text = "[";
  for (const auto& element : elements) text += element + ",\n";
  EXPECT_EQ(cut_text(text + "]").elements, elements);
}

TEST(Elements, TruncatedAnywhere) {
  const std::string text =
      R"({"a": {"b": [1, "x"]}, "traceEvents": [{"ph": "X"}, {"ph": "Y"}],)"
      R"( "z": "w"})";
  for (size_t size = 0; size < text.size(); ++size) {
    const auto cut = cut_text(text.substr(0, size));
    EXPECT_EQ(cut.array_closed, size >= text.find("],") + 1 && size > 40);
    const size_t first = text.find("{\"ph\"") + 11;
    EXPECT_EQ(cut.elements.size(), (size >= first) + (size >= first + 13));
  }
}

TEST(Elements, TopLevelCut) {
  const std::string text = "{\"traceEvents\":[{\"ph\":1}], \"a\": 1}";
  for (const size_t size : {text.size(), text.size() - 1}) {
    TextSource source(std::string_view(text).substr(0, size));
    ElementReader reader(source);
    ElementWindow window;
    for (int i = 0; i < 3; ++i) (void)reader.next(window).has_value();
    EXPECT_TRUE(reader.array_closed());
    EXPECT_EQ(reader.top_level_cut(), size < text.size());
  }
}

// The windows end at every byte of the text.
TEST(Elements, WindowsOfEverySize) {
  Strings elements;
  std::string text = "{\"x\": \"\\\"\", \"traceEvents\": [\n";
  for (int i = 0; i < 40; ++i) {
    elements.push_back(fmt::format(
        "{{\"ph\": \"X\", \"name\": \"{}\\\\\", \"args\": {{\"i\": [{}]}}}}",
        std::string(static_cast<size_t>(i * 7 % 61), '"').insert(0, ""), i));
    // Quotes inside the name have to be escaped.
    std::string& last = elements.back();
    const size_t begin = last.find("\"name\": \"") + 9;
    const auto quotes = static_cast<size_t>(i * 7 % 61);
    std::string escaped;
    for (size_t k = 0; k < quotes; ++k) escaped += "\\\"";
    last.replace(begin, quotes, escaped);
    text += last + (i % 3 == 0 ? ",\n  " : ", ");
  }
  text += "], \"y\": 1}";
  const auto whole = cut_text(text);
  ASSERT_EQ(whole.elements, elements);
  for (size_t bytes = 1; bytes < text.size() + 10; ++bytes) {
    TextSource source(text, bytes % 97 + 1);
    const auto cut = cut_source(source, {.window_bytes = bytes});
    ASSERT_EQ(cut.elements, elements) << bytes;
    ASSERT_EQ(cut.offsets, whole.offsets) << bytes;
    ASSERT_EQ(cut.header, whole.header) << bytes;
  }
}

}  // namespace
}  // namespace gpuledger
