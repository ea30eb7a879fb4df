#include "render/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace gpuledger {
namespace {

TEST(Units, TimesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(format_ns(0), "0 ns");
  EXPECT_EQ(format_ns(812), "812 ns");
  EXPECT_EQ(format_ns(1'234), "1.23 us");
  EXPECT_EQ(format_ns(31'249'000), "31.2 ms");
  EXPECT_EQ(format_ns(120'000'000), "120 ms");
  EXPECT_EQ(format_ns(1'204'000'000), "1.20 s");
  EXPECT_EQ(format_ns(1'000'000'000'000), "16.7 min");
  EXPECT_EQ(format_ns(86'400'000'000'000), "24 h");
  EXPECT_EQ(format_ns(-1'500), "-1.50 us");
}

TEST(Units, RoundingNeverPrintsAThousand) {
  EXPECT_EQ(format_ns(999), "999 ns");
  EXPECT_EQ(format_ns(999'499), "999 us");
  EXPECT_EQ(format_ns(999'500), "1.00 ms");
  EXPECT_EQ(format_bytes(999'600), "1.00 MB");
}

TEST(Units, TheLongestTimeIsStillReadable) {
  EXPECT_EQ(format_ns(std::numeric_limits<int64_t>::max()), "106752 d");
  EXPECT_EQ(format_ns(std::numeric_limits<int64_t>::min()), "-106752 d");
}

TEST(Units, RatiosTellAlmostNoneAndAlmostAll) {
  EXPECT_EQ(format_ratio(0), "0.0 %");
  EXPECT_EQ(format_ratio(0.0001), "<0.1 %");
  EXPECT_EQ(format_ratio(0.4123), "41.2 %");
  EXPECT_EQ(format_ratio(0.9999), ">99.9 %");
  EXPECT_EQ(format_ratio(1), "100.0 %");
  EXPECT_EQ(format_ratio(std::nan("")), "unknown");
}

TEST(Units, BytesAreDecimal) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(12'345'678), "12.3 MB");
}

TEST(Units, CountsAreGroupedThenScaled) {
  EXPECT_EQ(format_count(7), "7");
  EXPECT_EQ(format_count(1'234), "1,234");
  EXPECT_EQ(format_count(-1'234), "-1,234");
  EXPECT_EQ(format_count(9'999'999), "9,999,999");
  EXPECT_EQ(format_count(12'345'678), "12.3 M");
}

TEST(Units, ValuesFollowTheirUnit) {
  EXPECT_EQ(format_value(31'200'000, "ns"), "31.2 ms");
  EXPECT_EQ(format_value(0.5, "ratio"), "50.0 %");
  EXPECT_EQ(format_value(1'234, "count"), "1,234");
  EXPECT_EQ(format_value(1.5, "count"), "1.50");
  EXPECT_EQ(format_value(24.13, "GB/s"), "24.1 GB/s");
  EXPECT_EQ(format_value(INFINITY, "ns"), "unknown");
}

}  // namespace
}  // namespace gpuledger
