#include "sim/scenario.h"

#include <gtest/gtest.h>

namespace gpuledger::sim {
namespace {

TEST(Scenario, ReadsKeysCommentsAndChoices) {
  const auto s = parse_scenario(
      "# a job\nsteps = 12\n\n  loader=single  # in process\nloader_ns = 5\n"
      "causes = item-sync launch-bound\n",
      "x.txt");
  ASSERT_TRUE(s);
  EXPECT_EQ(s->steps, 12);
  EXPECT_EQ(s->loader, static_cast<int64_t>(Loader::single));
  EXPECT_EQ(s->loader_ns, 5);
  EXPECT_EQ(s->causes, (std::vector<Cause>{Cause::items, Cause::launches}));
}

struct BadLine {
  const char* text;
  const char* wrong;
};

TEST(Scenario, RefusesBadLinesByNumber) {
  const BadLine kBad[] = {
      {"steps = 3\nsteps\n", "x.txt:2: expected 'key = value'"},
      {"\nstep = 3\n", "x.txt:2: unknown key 'step'"},
      {"steps = 3x\n", "x.txt:1: '3x' is no whole number"},
      {"steps = 0\n", "x.txt:1: steps must lie in 1..1000000"},
      {"loader = two\n", "x.txt:1: loader must be one of: none single workers"},
      {"causes = bad\n", "x.txt:1: 'bad' is no cause"},
      {"verdict = fine\n",
       "x.txt:1: verdict must be one of: ok partial gpu_activity_lost "
       "no_gpu_activity"},
  };
  for (const BadLine& bad : kBad) {
    const auto s = parse_scenario(bad.text, "x.txt");
    ASSERT_FALSE(s) << bad.text;
    EXPECT_EQ(s.error().text, bad.wrong);
    EXPECT_EQ(s.error().code, ErrorCode::malformed);
  }
}

TEST(Scenario, FramesNeedStacks) {
  EXPECT_FALSE(parse_scenario("gc_ns = 5000000\n", "x.txt"));
  EXPECT_TRUE(parse_scenario("gc_ns = 5000000\nstacks = yes\n", "x.txt"));
}

TEST(Scenario, OneOptimizerTellsTheStepsOfOneDevice) {
  EXPECT_FALSE(
      parse_scenario("devices = 2\nannotations = optimizer\n", "x.txt"));
}

TEST(Scenario, NoDeviceRunsNothing) {
  EXPECT_FALSE(parse_scenario("devices = 0\nitems_per_step = 1\n", "x.txt"));
  EXPECT_TRUE(parse_scenario("devices = 0\nloader = single\n", "x.txt"));
}

}  // namespace
}  // namespace gpuledger::sim
