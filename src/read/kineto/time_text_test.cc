#include "read/kineto/time_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace gpuledger {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Case {
  const char* text;
  int64_t ns;
  bool whole_us;
};

TEST(TimeText, ReadsMicrosecondsAsNanoseconds) {
  const Case cases[] = {
      {"0", 0, true},
      {"1", 1'000, true},
      {"123", 123'000, true},
      {"123.4", 123'400, false},
      {"123.45", 123'450, false},
      {"123.456", 123'456, false},
      {"0.001", 1, false},
      {"1623142623460221", 1'623'142'623'460'221'000, true},
      {"1712195518601.117", 1'712'195'518'601'117, false},
      // A double would be off by some of these 117 ns.
      {"1712195518601234.117", 1'712'195'518'601'234'117, false},
      {"-7", -7'000, true},
      {"-0.005", -5, false},
      {"\"42\"", 42'000, true},
      {"\"42.5\"", 42'500, false},
      {"\" 42.5 \"", 42'500, false},
      {"42.5 \n", 42'500, false},
      {"000123.456", 123'456, false},
      {"12.", 12'000, false},
      {".5", 500, false},
  };
  for (const Case& c : cases) {
    const TimeText time = parse_microseconds(c.text);
    EXPECT_EQ(time.error, TimeError::none) << c.text;
    EXPECT_EQ(time.ns, c.ns) << c.text;
    EXPECT_EQ(time.whole_us, c.whole_us) << c.text;
  }
}

TEST(TimeText, RoundsBelowANanosecond) {
  const Case cases[] = {
      {"1.2344", 1'234, false},
      {"1.2345", 1'235, false},
      {"1.23449999999", 1'234, false},
      {"0.0004", 0, false},
      {"0.0005", 1, false},
      {"-0.0005", -1, false},
      {"0.9999", 1'000, false},
      {"1.0000000", 1'000, false},
  };
  for (const Case& c : cases) {
    const TimeText time = parse_microseconds(c.text);
    EXPECT_EQ(time.error, TimeError::none) << c.text;
    EXPECT_EQ(time.ns, c.ns) << c.text;
  }
}

TEST(TimeText, ReadsExponents) {
  const Case cases[] = {
      {"1e3", 1'000'000, true},
      {"1E+3", 1'000'000, true},
      {"1.5e3", 1'500'000, false},
      {"-1.5e3", -1'500'000, false},
      {"25e-1", 2'500, false},
      {"1.623142623460221e+15", 1'623'142'623'460'221'000, false},
      {"5e-324", 0, false},
      {"0e400", 0, true},
      {"1e-99999999999999999999", 0, false},
  };
  for (const Case& c : cases) {
    const TimeText time = parse_microseconds(c.text);
    EXPECT_EQ(time.error, TimeError::none) << c.text;
    EXPECT_EQ(time.ns, c.ns) << c.text;
    EXPECT_EQ(time.whole_us, c.whole_us) << c.text;
  }
}

// A recorder that splits -5 ns into quotient and rest prints each with a sign.
TEST(TimeText, ReadsNegativeNanosecondsBehindThePoint) {
  const Case cases[] = {
      {"0.-05", -5, false},         {"0.-50", -50, false},
      {"0.-123", -123, false},      {"-1.-05", -1'005, false},
      {"-12.-345", -12'345, false}, {"\"0.-01\"", -1, false},
  };
  for (const Case& c : cases) {
    const TimeText time = parse_microseconds(c.text);
    EXPECT_EQ(time.error, TimeError::none) << c.text;
    EXPECT_EQ(time.ns, c.ns) << c.text;
  }
}

TEST(TimeText, SaysWhatDoesNotFit) {
  for (const char* text :
       {"1e400", "-1e400", "1e16", "9223372036854776", "-9223372036854776",
        "99999999999999999999999999999999999999999999999999999999",
        "1e99999999999999999999"})
    EXPECT_EQ(parse_microseconds(text).error, TimeError::overflow) << text;
  EXPECT_EQ(parse_microseconds("9223372036854775.807").ns, kMax);
  EXPECT_EQ(parse_microseconds("-9223372036854775.807").ns, -kMax);
}

TEST(TimeText, SaysWhatIsNoNumber) {
  for (const char* text :
       {"",    "\"\"",   " ",       "-",      ".",        "-.",
        "abc", "1a",     "1.2.3",   "1e",     "1e+",      "1e5x",
        "--1", "+1",     "0x10",    "NaN",    "Infinity", "-Infinity",
        "N/A", "null",   "true",    "{",      "[1]",      "1-2",
        "0.-", "0.-5.1", "0.-1234", "0.5-05", "1,5"})
    EXPECT_EQ(parse_microseconds(text).error, TimeError::not_a_number) << text;
}

std::string microseconds(int64_t ns) {
  const std::string sign = ns < 0 ? "-" : "";
  const int64_t size = std::abs(ns);
  std::string rest = std::to_string(size % 1000);
  rest.insert(0, 3 - rest.size(), '0');
  return sign + std::to_string(size / 1000) + "." + rest;
}

RC_GTEST_PROP(TimeText, IsExactForEveryNanosecond, ()) {
  const int64_t ns = *rc::gen::inRange<int64_t>(-kMax, kMax);
  const TimeText time = parse_microseconds(microseconds(ns));
  RC_ASSERT(time.error == TimeError::none);
  RC_ASSERT(time.ns == ns);
}

RC_GTEST_PROP(TimeText, DoesNotDependOnHowTheNumberIsWritten, ()) {
  const int64_t ns = *rc::gen::inRange<int64_t>(0, int64_t{1} << 53);
  const int shift = *rc::gen::inRange(-20, 20);
  // The digits of the nanoseconds, and an exponent that puts them right.
  const std::string digits = std::to_string(ns);
  const std::string zeros(static_cast<size_t>(std::max(0, shift)), '0');
  const std::string text =
      digits + zeros + "e" + std::to_string(-3 - std::max(0, shift));
  RC_ASSERT(parse_microseconds(text).ns == ns);
  RC_ASSERT(parse_microseconds("\"" + text + "\"").ns == ns);
}

RC_GTEST_PROP(TimeText, TakesAnyText, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789.-+eE\" NaI/")));
  const TimeText time = parse_microseconds(text);
  RC_ASSERT(time.error != TimeError::none ||
            text.find_first_of("0123456789") != std::string::npos);
}

TEST(ParseInteger, TakesNumbersAndStrings) {
  int64_t value = 0;
  for (const char* text : {"7", "\"7\"", " 7 ", "7.0", "\"7.000\""}) {
    value = 0;
    EXPECT_TRUE(parse_integer(text, value)) << text;
    EXPECT_EQ(value, 7) << text;
  }
  EXPECT_TRUE(parse_integer("-1", value));
  EXPECT_EQ(value, -1);
}

TEST(ParseInteger, SaturatesAboveAndBelow) {
  int64_t value = 0;
  EXPECT_TRUE(parse_integer("18446744073709551615", value));
  EXPECT_EQ(value, kMax);
  EXPECT_TRUE(parse_integer("-18446744073709551615", value));
  EXPECT_EQ(value, std::numeric_limits<int64_t>::min());
}

TEST(ParseInteger, RefusesWhatIsNone) {
  int64_t value = 5;
  for (const char* text : {"", "\"\"", "x", "7x", "7.5", "stream 7", "null"})
    EXPECT_FALSE(parse_integer(text, value)) << text;
}

}  // namespace
}  // namespace gpuledger
