#include "render/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace gpuledger {
namespace {

using Layout = JsonWriter::Layout;

std::string text_of(std::string_view value) {
  std::string out;
  JsonWriter(out).text(value);
  return out;
}

std::string ratio_of(double value) {
  std::string out;
  JsonWriter(out).ratio(value);
  return out;
}

std::string number_of(double value) {
  std::string out;
  JsonWriter(out).number(value);
  return out;
}

TEST(JsonWriter, LaysOutLinesAndRows) {
  std::string out;
  JsonWriter json(out);
  json.begin_object(Layout::lines);
  json.key("a");
  json.integer(1);
  json.key("row");
  json.begin_array(Layout::row);
  json.integer(1);
  json.begin_object(Layout::lines);
  json.key("b");
  json.boolean(true);
  json.end();
  json.end();
  json.key("none");
  json.begin_array(Layout::lines);
  json.end();
  json.end();
  EXPECT_EQ(out,
            "{\n  \"a\": 1,\n  \"row\": [1, {\"b\": true}],\n"
            "  \"none\": []\n}");
}

TEST(JsonWriter, EscapesStrings) {
  EXPECT_EQ(text_of("a\"b\\c\n\t\x01\x7f"), R"("a\"b\\c\n\u0009\u0001\u007f")");
  EXPECT_EQ(text_of("a\xFF\xE2\x82"), "\"a\uFFFD\uFFFD\"");
  EXPECT_EQ(text_of("层🙂"), "\"层🙂\"");
}

TEST(JsonWriter, RatiosHaveAtMostSixDecimals) {
  EXPECT_EQ(ratio_of(0.41234567), "0.412346");
  EXPECT_EQ(ratio_of(0.5), "0.5");
  EXPECT_EQ(ratio_of(1), "1");
  EXPECT_EQ(ratio_of(-1e-9), "0");
  EXPECT_EQ(ratio_of(std::nan("")), "null");
}

TEST(JsonWriter, WholeNumbersAreExact) {
  EXPECT_EQ(number_of(31'200'000), "31200000");
  EXPECT_EQ(number_of(9'007'199'254'740'991.0), "9007199254740991");
  EXPECT_EQ(number_of(24.1357913), "24.1358");
  EXPECT_EQ(number_of(1234567.5), "1234567.5");
  std::string out;
  JsonWriter(out).integer(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(out, "-9223372036854775808");
}

}  // namespace
}  // namespace gpuledger
