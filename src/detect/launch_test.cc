#include "detect/launch.h"

#include <gtest/gtest.h>

#include "detect/facts_for_test.h"

namespace gpuledger {
namespace {

// Kernels that each wait for their launch: `gap_ns` between two, which the
// host spends half before the call and half in it and on the way.
struct LaunchBound {
  int64_t kernel_ns = 5_us, gap_ns = 5_us;
  int64_t kernels = 20;

  Drawing draw() const {
    Drawing d;
    for (int64_t i = 0; i <= kernels; ++i) {
      const int64_t begin_ns = i * (kernel_ns + gap_ns);
      d.launch("gemm", {begin_ns - gap_ns / 2, begin_ns - 1},
               {begin_ns, begin_ns + kernel_ns});
    }
    return d;
  }
  // From the first kernel's begin: as many kernels as gaps.
  Interval window() const { return {0, kernels * (kernel_ns + gap_ns)}; }
  std::optional<Finding> finding() const {
    return Detected(draw(), window()).find("launch-bound");
  }
};

TEST(LaunchBound, FiresAboveFifteenPercentOfTheWindow) {
  EXPECT_FALSE((LaunchBound{17_us, 3_us}).finding());
  const auto finding = LaunchBound{17_us, 3_us + 2}.finding();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cause, "LK-01");
  EXPECT_EQ(finding->lost_ns_per_step, 20 * 3'002);
  EXPECT_EQ(value_of(*finding, "kernels_per_step"), 20);
  EXPECT_EQ(value_of(*finding, "median_kernel_ns"), 17'000);
  EXPECT_EQ(value_of(*finding, "empty_queue_ratio"), 1);
}

TEST(LaunchBound, QuietWhereTheMedianKernelTakes20us) {
  EXPECT_TRUE((LaunchBound{20_us - 1, 10_us}).finding());
  EXPECT_FALSE((LaunchBound{20_us, 10_us}).finding());
}

// Of ten kernels `queued` were launched before the device ran out of work.
std::optional<Finding> with_queued(int64_t queued) {
  Drawing d;
  int64_t at = 0;
  for (int64_t i = 0; i < 10; ++i) {
    const bool early = i > 0 && i <= queued;
    if (!early) at += 10_us;  // an empty queue
    const int64_t call_ns = early ? -100_us + i : at - 5_us;
    d.launch("gemm", {call_ns, call_ns + 1}, {at, at + 5_us});
    at += 5_us;
  }
  return Detected(d, {0, at}).find("launch-bound");
}

TEST(LaunchBound, QuietUnlessMoreThanHalfFoundAnEmptyQueue) {
  EXPECT_TRUE(with_queued(4));
  EXPECT_FALSE(with_queued(5));
}

// One launch brings thirty nodes: the queue of all but the first is not empty.
TEST(LaunchBound, QuietForNodesOfAGraph) {
  Drawing d;
  for (uint64_t i = 0; i < 3; ++i) {
    const int64_t at = static_cast<int64_t>(i) * 200_us;
    d.api("cudaGraphLaunch", {at - 50_us, at - 48_us}, i + 1);
    for (int64_t node = 0; node < 30; ++node)
      d.kernel("node", {at + node * 5_us, at + node * 5_us + 5_us}, i + 1);
  }
  const Detected detected(d, {0, 600_us});
  EXPECT_GT(detected.facts[0].inner.within_ns("idle.launch"), 90_us);
  EXPECT_FALSE(detected.find("launch-bound"));
}

// The same gaps behind a read: they pay for lost lead, and are no launch gaps.
TEST(LaunchBound, QuietWhereTheGapsPayForAWait) {
  Drawing d = LaunchBound{}.draw();
  d.thread(1).launch("gemm", {-900_us, -899_us}, {-800_us, -3_us});
  d.op("aten::item", {-600_us, -3_us});
  d.api("cudaStreamSynchronize", {-600_us, -3_us});
  const Detected detected(d, LaunchBound{}.window());
  EXPECT_FALSE(detected.find("launch-bound"));
  EXPECT_TRUE(detected.find("item-sync"));
}

TEST(LaunchBound, IsAtMostLikelyWhereTheRecordingInflatesIt) {
  const auto certainty = [](bool stacks, bool memory) {
    Drawing d = LaunchBound{}.draw();
    d.edit().metadata.with_stack = stacks;
    d.edit().metadata.profile_memory = memory;
    return Detected(d, LaunchBound{}.window()).find("launch-bound")->certainty;
  };
  EXPECT_EQ(certainty(false, false), Certainty::proven);
  EXPECT_EQ(certainty(true, false), Certainty::likely);
  EXPECT_EQ(certainty(false, true), Certainty::likely);
}

TEST(LaunchBound, NamesTheCallWhereThereIsNoOperator) {
  const auto finding = LaunchBound{}.finding();
  ASSERT_TRUE(finding);
  ASSERT_EQ(finding->where.size(), 1u);
  EXPECT_EQ(finding->where[0].op, "cudaLaunchKernel");
  EXPECT_NE(finding->where_note.find("with_stack=True"), std::string::npos);
}

}  // namespace
}  // namespace gpuledger
