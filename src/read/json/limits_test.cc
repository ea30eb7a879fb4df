// Texts that are large or deep: time and memory stay bounded.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <filesystem>

#include "base/decode.h"
#include "read/json/repair.h"
#include "read/json/text_for_test.h"

namespace gpuledger {
namespace {

// `before`, so many `c`, `after`; none of it is held.
class LongSource : public ByteSource {
 public:
  LongSource(std::string before, char c, uint64_t count, std::string after)
      : before_(std::move(before)),
        after_(std::move(after)),
        c_(c),
        count_(count) {}

  Result<size_t> read(std::span<char> out) override {
    size_t size = 0;
    while (size < out.size() && at_ < before_.size() + count_ + after_.size()) {
      out[size++] = at_ < before_.size() ? before_[at_]
                    : at_ < before_.size() + count_
                        ? c_
                        : after_[at_ - before_.size() - count_];
      ++at_;
    }
    return size;
  }

 private:
  std::string before_, after_;
  char c_;
  uint64_t count_, at_ = 0;
};

TEST(Limits, LongStringIsSkippedAndCounted) {
  LongSource source("[{\"ph\":1}, {\"ph\":\"", 'x', 100'000'000,
                    "\"}, {\"ph\":3}]");
  const auto cut = cut_source(source);
  EXPECT_EQ(cut.elements,
            (std::vector<std::string>{"{\"ph\":1}", "{\"ph\":3}"}));
  EXPECT_EQ(cut.skipped, 1);
  EXPECT_EQ(cut.first_skipped_offset, 11u);
  EXPECT_TRUE(cut.array_closed);
}

TEST(Limits, LongStringBelowTheLimitIsDelivered) {
  LongSource source("[{\"ph\":\"", 'x', 5'000'000, "\"}, {\"ph\":3}]");
  const auto cut = cut_source(source);
  ASSERT_EQ(cut.elements.size(), 2u);
  EXPECT_EQ(cut.elements[0].size(), 5'000'009u);
  EXPECT_EQ(cut.skipped, 0);
}

TEST(Limits, EveryLongElementIsCounted) {
  const ElementLimits limits{.window_bytes = 1024, .element_bytes = 4096};
  std::string text = "[";
  for (int i = 0; i < 10; ++i)
    text += "{\"ph\":\"" + std::string(10'000, ',') + "\"},\n{\"ph\":2},\n\"" +
            std::string(10'000, '{') + "\",\n{\"ph\":3},\n";
  text += "]";
  TextSource source(text);
  const auto cut = cut_source(source, limits);
  EXPECT_EQ(cut.skipped, 20);
  EXPECT_EQ(cut.elements.size(), 20u);
}

TEST(Limits, ManyBracketsDeep) {
  for (const char bracket : {'[', '{'}) {
    LongSource source("[{\"ph\":", bracket, 1'000'000, "");
    EXPECT_TRUE(cut_source(source).elements.empty());
    LongSource header("{\"a\":", bracket, 1'000'000, "");
    const auto cut = cut_source(header);
    EXPECT_TRUE(cut.header_cut);
    EXPECT_LT(cut.header.size(), 3000u);
  }
  const size_t depth = 1'000'000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  const auto cut = cut_text("[" + deep + ", {\"ph\":1}]");
  ASSERT_EQ(cut.elements.size(), 2u);
  EXPECT_EQ(cut.elements[0], deep);
  EXPECT_EQ(repair_element(deep).text, deep);
}

TEST(Limits, ManySmallValues) {
  LongSource zeros("[", '\0', 20'000'000, "{\"ph\":1}]");
  EXPECT_EQ(cut_source(zeros).elements.size(), 1u);
  std::string numbers = "[";
  for (int i = 0; i < 300'000; ++i) numbers += std::to_string(i) + ", ";
  const auto cut = cut_text(numbers + "{\"ph\":1}]");
  ASSERT_EQ(cut.elements.size(), 300'001u);
  EXPECT_EQ(cut.elements[299'999], "299999");
}

TEST(Limits, HeaderIsClosedWhereItIsCut) {
  const std::string text =
      R"({"a": {"b": [1, {"c": "d"}, 22]}, "e": "f", "traceEvents": [{"ph":1)"
      R"(}], "z": [3], "y": {"x": 4}})";
  simdjson::dom::parser parser;
  for (size_t limit = 1; limit < text.size(); ++limit) {
    TextSource source(text);
    const auto cut = cut_source(source, {.header_bytes = limit});
    EXPECT_EQ(cut.elements.size(), 1u);
    EXPECT_EQ(cut.header_cut, limit < text.size() - 8);
    EXPECT_EQ(parser.parse(cut.header).error(), simdjson::SUCCESS)
        << limit << ": " << cut.header;
    const auto truncated = cut_text(text.substr(0, limit));
    EXPECT_EQ(parser.parse(truncated.header).error(), simdjson::SUCCESS)
        << limit << ": " << truncated.header;
  }
}

TEST(Limits, BrokenStringInTheHeader) {
  const auto cut = cut_text(
      "{\n  \"a\": {\"b\": \"x\"y\", \"c\": 1},\n  \"d\": 2,\n"
      "  \"traceEvents\": [\n  {\"ph\": 1}\n  ]\n}\n");
  EXPECT_EQ(cut.elements, std::vector<std::string>{"{\"ph\": 1}"});
  simdjson::dom::parser parser;
  EXPECT_EQ(parser.parse(cut.header).error(), simdjson::SUCCESS) << cut.header;
}

// All text of a file, at once.
std::string read_all(const std::string& path) {
  auto file = open_decoded(path);
  std::string text;
  size_t size = 0;
  while (file.has_value()) {
    text.resize(size + (1 << 20));
    const auto count = (*file)->read(std::span(text).subspan(size));
    if (!count || *count == 0) break;
    size += *count;
  }
  text.resize(size);
  return text;
}

// A second opinion on real traces: a parser of the whole text.
void expect_same_events(const std::string& path, simdjson::dom::array events) {
  auto file = open_decoded(path);
  ASSERT_TRUE(file.has_value());
  const auto cut = cut_source(**file);
  EXPECT_TRUE(cut.array_closed) << path;
  ASSERT_EQ(cut.elements.size(), events.size()) << path;
  simdjson::dom::parser parser;
  size_t count = 0;
  for (const auto event : events) {
    simdjson::dom::element element;
    ASSERT_EQ(parser.parse(cut.elements[count]).get(element),
              simdjson::SUCCESS);
    // The text of all would take long.
    if (count % 16 == 0) {
      ASSERT_EQ(simdjson::minify(element), simdjson::minify(event));
    }
    ASSERT_FALSE(cut.suspect[count++]);
  }
}

TEST(Limits, RealTraces) {
  const char* folder = std::getenv("GPULEDGER_DATA");
  if (folder == nullptr) GTEST_SKIP() << "GPULEDGER_DATA is not set";
  int traces = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.find(".json") == std::string::npos) continue;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    simdjson::dom::array events;
    if (parser.parse(read_all(path)).get(root) != simdjson::SUCCESS ||
        (root.get(events) != simdjson::SUCCESS &&
         root["traceEvents"].get(events) != simdjson::SUCCESS))
      continue;
    ++traces;
    expect_same_events(path, events);
  }
  EXPECT_GT(traces, 0);
}

}  // namespace
}  // namespace gpuledger
