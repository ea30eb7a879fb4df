#include "detect/data_loader.h"

#include <gtest/gtest.h>

#include "detect/facts_for_test.h"

namespace gpuledger {
namespace {

constexpr std::string_view kSingle =
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
constexpr std::string_view kWorkers =
    "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
constexpr Interval kWindow{0, 1_ms};

// In a window of 1 ms the device idles for `idle_ns`, all of it in the loader.
Drawing waits_for(std::string_view loader, int64_t idle_ns) {
  Drawing d;
  const int64_t fetched_ns = 500_us + idle_ns;
  d.launch("gemm", {-4_us, -2_us}, {0, 500_us});
  d.range(loader, {500_us, fetched_ns});
  d.launch("gemm", {fetched_ns, fetched_ns}, {fetched_ns, 1_ms});
  return d;
}

std::optional<Finding> finding_of(const Drawing& d) {
  return Detected(d, kWindow).find("loader-single-process");
}

TEST(LoaderSingleProcess, FiresAboveFivePercentOfTheWindow) {
  EXPECT_FALSE(finding_of(waits_for(kSingle, 50_us)));
  const auto finding = finding_of(waits_for(kSingle, 50_us + 1));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cause, "DL-01");
  EXPECT_EQ(finding->certainty, Certainty::proven);
  EXPECT_EQ(finding->lost_ns_per_step, 50'001);
  EXPECT_EQ(finding->gain.high_ns_per_step, 50'001);
  EXPECT_EQ(value_of(*finding, "loader_calls_per_step"), 1);
  EXPECT_EQ(value_of(*finding, "loader_ns_per_step"), 50'001);
}

TEST(LoaderSingleProcess, IsPerStep) {
  const auto finding = Detected(waits_for(kSingle, 100_us), kWindow, 4)
                           .find("loader-single-process");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->lost_ns_per_step, 25_us);
  EXPECT_DOUBLE_EQ(finding->lost_ratio, 0.1);
}

TEST(LoaderSingleProcess, QuietWithWorkers) {
  EXPECT_FALSE(finding_of(waits_for(kWorkers, 300_us)));
}

TEST(LoaderSingleProcess, QuietWhereTheLoaderIsCovered) {
  Drawing d;
  d.launch("gemm", {-4_us, -2_us}, {0, 600_us});
  d.range(kSingle, {0, 590_us});
  d.launch("gemm", {590_us, 592_us}, {600_us, 1_ms});
  EXPECT_FALSE(finding_of(d));
}

// With stacks the annotation may be missing: the fetcher's frame tells.
TEST(LoaderSingleProcess, IsToldByTheFetchersFrame) {
  const auto with_frames = [](bool fetches) {
    Drawing drawn;
    drawn.launch("gemm", {-4_us, -2_us}, {0, 500_us});
    drawn.frame("torch/utils/data/dataloader.py(628): __next__",
                {500_us, 800_us});
    drawn.frame(fetches ? "torch/utils/data/_utils/fetch.py(51): fetch"
                        : "torch/utils/data/dataloader.py(1200): _get_data",
                {510_us, 790_us});
    drawn.launch("gemm", {800_us, 800_us}, {800_us, 1_ms});
    return drawn;
  };
  EXPECT_TRUE(finding_of(with_frames(true)));
  EXPECT_FALSE(finding_of(with_frames(false)));
}

// Decoding on the main thread is data, but no loader: workers do not help.
TEST(LoaderSingleProcess, QuietForOtherDataWork) {
  Drawing d;
  d.launch("gemm", {-4_us, -2_us}, {0, 500_us});
  d.frame("PIL/Image.py(2215): resize", {500_us, 800_us});
  d.launch("gemm", {800_us, 800_us}, {800_us, 1_ms});
  const Detected detected(d, kWindow);
  EXPECT_EQ(detected.facts[0].inner[Account::idle_data], 300_us);
  EXPECT_FALSE(detected.find("loader-single-process"));
}

TEST(LoaderSingleProcess, NamesTheLinesOfTheDataset) {
  Drawing d = waits_for(kSingle, 320_us);
  d.frame("/home/me/train.py(9): __getitem__", {500_us, 660_us});
  d.frame("/home/me/train.py(30): crop", {660_us, 760_us});
  const auto finding = finding_of(d);
  ASSERT_TRUE(finding);
  ASSERT_EQ(finding->where.size(), 3u);
  EXPECT_EQ(finding->where[0].file, "train.py");
  EXPECT_EQ(finding->where[0].line, 9);
  EXPECT_EQ(finding->where[0].function, "__getitem__");
  EXPECT_DOUBLE_EQ(finding->where[0].share, 0.5);
  EXPECT_EQ(finding->where[1].line, 30);
  EXPECT_DOUBLE_EQ(finding->where[1].share, 5.0 / 16);
  EXPECT_EQ(finding->where[2].op, kSingle);  // the rest of the fetch
}

}  // namespace
}  // namespace gpuledger
