#include "cli/parse.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <utility>

namespace gpuledger {
namespace {

TEST(ParseTime, IsExact) {
  EXPECT_EQ(parse_time_ns("120ms").value(), 120'000'000);
  EXPECT_EQ(parse_time_ns("1.5s").value(), 1'500'000'000);
  EXPECT_EQ(parse_time_ns("300us").value(), 300'000);
  EXPECT_EQ(parse_time_ns("300µs").value(), 300'000);
  EXPECT_EQ(parse_time_ns("5000ns").value(), 5'000);
  EXPECT_EQ(parse_time_ns("0.000000001s").value(), 1);
  EXPECT_EQ(parse_time_ns("0.1000000000000000000000s").value(), 100'000'000);
  EXPECT_EQ(parse_time_ns("9007199254740993ns").value(), 9007199254740993);
  EXPECT_EQ(parse_time_ns("9223372036854775807ns").value(), INT64_MAX);
}

TEST(ParseTime, RefusesWhatIsNoTime) {
  for (const char* bad :
       {"", "120", "ms", "1.ms", ".5s", "-1ms", "1e3ms", "1 ms", "1msx", "1h",
        "9223372036854775808ns", "9223372037s", "99999999999999999999999s",
        "0.5ns", "1.0000001us", "0.00000000000000000001s", "nan"})
    EXPECT_FALSE(parse_time_ns(bad)) << bad;
  EXPECT_EQ(parse_time_ns("120").error().text,
            "'120' has no unit; write 120ms, for instance");
}

TEST(ParseTime, AgreesWithTheIntegers) {
  EXPECT_TRUE(rc::check("whole and fraction of a millisecond", [] {
    const auto ns = *rc::gen::inRange<int64_t>(0, 1'000'000'000'000);
    std::string fraction = std::to_string(1'000'000 + ns % 1'000'000);
    fraction.erase(0, 1);
    const std::string text =
        std::to_string(ns / 1'000'000) + "." + fraction + "ms";
    RC_ASSERT(parse_time_ns(text).value() == ns);
  }));
}

TEST(ParseMemory, TakesPowersOf1024) {
  EXPECT_EQ(parse_memory_bytes("2G").value(), uint64_t{2} << 30);
  EXPECT_EQ(parse_memory_bytes("512M").value(), uint64_t{512} << 20);
  EXPECT_EQ(parse_memory_bytes("1.5G").value(), uint64_t{3} << 29);
  EXPECT_EQ(parse_memory_bytes("1024K").value(), uint64_t{1} << 20);
  for (const char* bad :
       {"", "2", "G", "0G", "1023K", "-1G", "2X", "2GB!", "99999999T"})
    EXPECT_FALSE(parse_memory_bytes(bad)) << bad;
}

TEST(ParseSteps, TakesBothEnds) {
  EXPECT_EQ(parse_step_range("3:7").value(),
            (std::pair<int64_t, int64_t>(3, 7)));
  EXPECT_EQ(parse_step_range("3:3").value(),
            (std::pair<int64_t, int64_t>(3, 3)));
  for (const char* bad : {"", "3", "3:", ":7", "7:3", "-1:3", "a:b", "1:2:3"})
    EXPECT_FALSE(parse_step_range(bad)) << bad;
}

TEST(ParseBound, TakesAccountsParentsAndCauses) {
  for (const char* name : {"idle", "idle.launch", "compute.matmul",
                           "unattributed", "DL-01", "loader-single-process"}) {
    const Result<Bound> bound = parse_bound(std::string(name) + ">12.5%");
    ASSERT_TRUE(bound) << name;
    EXPECT_EQ(bound->name, name);
    EXPECT_DOUBLE_EQ(bound->percent, 12.5);
  }
  EXPECT_EQ(parse_bound(" idle > 20 % ")->name, "idle");
}

TEST(ParseBound, RefusesTheRest) {
  for (const char* bad :
       {"", "idle", "idle>20", "idle<20%", "idle>%", "idle>101%", "idle>-1%",
        ">20%", "idl>20%", "idle.>20%", "compute.magic>1%", "-x>1%",
        "idle>20%x"})
    EXPECT_FALSE(parse_bound(bad)) << bad;
}

}  // namespace
}  // namespace gpuledger
