#include "analyze/steps.h"

#include <gmock/gmock.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "label start-end", in microseconds.
std::vector<std::string> host_steps(const Drawing& drawing,
                                    uint32_t process = 0) {
  const Booked booked(drawing);
  std::vector<std::string> found;
  for (const HostStep& step : booked.steps[process].steps)
    found.push_back(fmt::format("{} {}-{}", step.label, step.start_ns / 1000,
                                step.end_ns / 1000));
  return found;
}

StepSource source_of(const Drawing& drawing) {
  return Booked(drawing).steps[0].source;
}

// A launch that begins at `at`, with a short kernel right behind it.
void draw_launch(Drawing& d, int64_t at, std::string_view kernel = "gemm") {
  d.launch(kernel, {at, at + 2_us}, {at + 4_us, at + 8_us});
}

// A range with one launch in it.
void draw_range(Drawing& d, std::string_view name, Interval when) {
  d.range(name, when);
  draw_launch(d, when.start);
}

TEST(ProfilerSteps, TileFromStartToStartAndEndWithTheLast) {
  Drawing d;
  draw_range(d, "ProfilerStep#4", {0, 90_us});
  draw_range(d, "ProfilerStep#5", {100_us, 190_us});
  const Booked booked(d);
  EXPECT_EQ(booked.steps[0].source, StepSource::profiler_step);
  EXPECT_THAT(host_steps(d),
              ElementsAre("ProfilerStep#4 0-100", "ProfilerStep#5 100-190"));
  EXPECT_EQ(booked.steps[0].steps[0].number, 4);
}

TEST(ProfilerSteps, ARangeInWhichNothingIsLaunchedIsNoStep) {
  Drawing d;
  draw_range(d, "ProfilerStep#1", {0, 90_us});
  d.range("ProfilerStep#2", {100_us, 190_us});
  draw_range(d, "ProfilerStep#3", {200_us, 290_us});
  d.range("ProfilerStep#4", {300_us, 349_us});
  EXPECT_THAT(host_steps(d),
              ElementsAre("ProfilerStep#1 0-200", "ProfilerStep#3 200-290"));
  // Yet all of them are step ranges: none is a frame of the host.
  EXPECT_EQ(Booked(d).steps[0].rows.size(), 4u);
}

TEST(ProfilerSteps, OneIsEnough) {
  Drawing d;
  draw_range(d, "ProfilerStep#1", {0, 90_us});
  EXPECT_EQ(source_of(d), StepSource::profiler_step);
}

TEST(ProfilerSteps, OutrankARecurringRange) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i) {
    d.range("train_step", {i * 100_us, i * 100_us + 95_us});
    draw_range(d, fmt::format("ProfilerStep#{}", i),
               {i * 100_us, i * 100_us + 99_us});
  }
  EXPECT_EQ(source_of(d), StepSource::profiler_step);
}

// Three ranges of 100 us: they cover 300 us of `span_ns`.
Drawing three_ranges(int64_t span_ns) {
  Drawing d;
  draw_range(d, "my part", {0, 100_us});
  draw_range(d, "my part", {120_us, 220_us});
  draw_range(d, "my part", {span_ns - 100_us, span_ns});
  return d;
}

TEST(RecurringRange, CoversFourFifthsOfItsSpan) {
  EXPECT_EQ(source_of(three_ranges(370_us)), StepSource::range);  // 81 %
  EXPECT_EQ(source_of(three_ranges(375_us)), StepSource::range);  // 80 %
  EXPECT_EQ(source_of(three_ranges(375_us + 1)), StepSource::none);
  EXPECT_EQ(source_of(three_ranges(380_us)), StepSource::none);  // 79 %
}

TEST(RecurringRange, RecursThreeTimes) {
  Drawing d;
  draw_range(d, "my part", {0, 100_us});
  draw_range(d, "my part", {100_us, 200_us});
  EXPECT_EQ(source_of(d), StepSource::none);
  draw_range(d, "my part", {200_us, 300_us});
  EXPECT_EQ(source_of(d), StepSource::range);
}

// A serving engine marks one batch; the file holds nothing else.
TEST(RecurringRange, ALoneRangeIsNoStep) {
  Drawing d;
  draw_range(d, "execute_8192_batch", {0, 100_us});
  EXPECT_EQ(source_of(d), StepSource::none);
}

TEST(RecurringRange, DoesNotOverlapItself) {
  Drawing d;
  draw_range(d, "my part", {0, 101_us});
  draw_range(d, "my part", {100_us, 200_us});
  draw_range(d, "my part", {200_us, 300_us});
  EXPECT_EQ(source_of(d), StepSource::none);
}

TEST(RecurringRange, NamesAreComparedWithoutTheirDigits) {
  Drawing d;
  for (int64_t i = 0; i < 3; ++i)
    draw_range(d, fmt::format("iteration {}", 7 + i),
               {i * 100_us, (i + 1) * 100_us});
  const Booked booked(d);
  EXPECT_EQ(booked.steps[0].range_name, "iteration ");
  EXPECT_THAT(host_steps(d),
              ElementsAre("iteration 7 0-100", "iteration 8 100-200",
                          "iteration 9 200-300"));
  EXPECT_EQ(booked.steps[0].steps[2].number, 9);
}

TEST(RecurringRange, ANamedStepWinsOverAMoreFrequentPart) {
  Drawing d;
  for (int64_t i = 0; i < 8; ++i)
    draw_range(d, "## forward ##", {i * 100_us, (i + 1) * 100_us});
  for (int64_t i = 0; i < 4; ++i)
    d.range("My Step", {i * 200_us, (i + 1) * 200_us});
  EXPECT_EQ(Booked(d).steps[0].range_name, "My Step");
}

TEST(RecurringRange, OfUnnamedPartsTheMostFrequent) {
  Drawing d;
  for (int64_t i = 0; i < 8; ++i)
    draw_range(d, "part a", {i * 100_us, (i + 1) * 100_us});
  for (int64_t i = 0; i < 4; ++i)
    d.range("a pair", {i * 200_us, (i + 1) * 200_us});
  EXPECT_EQ(Booked(d).steps[0].range_name, "part a");
}

TEST(OptimizerSteps, EndWhereTheOptimizerStepEnds) {
  Drawing d;
  for (int64_t i = 0; i < 3; ++i)
    draw_range(d, "Optimizer.step#SGD.step",
               {i * 100_us + 80_us, i * 100_us + 90_us});
  EXPECT_EQ(source_of(d), StepSource::optimizer);
  EXPECT_THAT(host_steps(d), ElementsAre("0 90-190", "1 190-290"));
}

TEST(OptimizerSteps, RecurThreeTimes) {
  Drawing d;
  for (int64_t i = 0; i < 2; ++i)
    draw_range(d, "Optimizer.step#SGD.step",
               {i * 100_us + 80_us, i * 100_us + 90_us});
  EXPECT_EQ(source_of(d), StepSource::none);
}

// A discriminator steps five times for each step of the generator.
TEST(OptimizerSteps, TheRarestOptimizerEndsTheStep) {
  Drawing d;
  for (int64_t i = 0; i < 8; ++i)
    draw_range(d, "Optimizer.step#Adam.step",
               {i * 100_us + 50_us, i * 100_us + 60_us});
  for (int64_t i = 0; i < 4; ++i)
    draw_range(d, "Optimizer.step#SGD.step",
               {i * 200_us + 80_us, i * 200_us + 90_us});
  EXPECT_THAT(host_steps(d), ElementsAre("0 90-290", "1 290-490", "2 490-690"));
}

TEST(OptimizerSteps, ZeroGradIsNoStep) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i)
    draw_range(d, "Optimizer.zero_grad#SGD.zero_grad",
               {i * 100_us + 80_us, i * 100_us + 90_us});
  EXPECT_EQ(source_of(d), StepSource::none);
}

TEST(HostSteps, AreThoseOfOneProcess) {
  Drawing d;
  draw_range(d, "ProfilerStep#1", {0, 90_us});
  d.thread(3, 1);
  draw_range(d, "ProfilerStep#8", {50_us, 150_us});
  EXPECT_THAT(host_steps(d, 0), ElementsAre("ProfilerStep#1 0-90"));
  EXPECT_THAT(host_steps(d, 1), ElementsAre("ProfilerStep#8 50-150"));
}

// Device boundaries of the first device, in microseconds.
std::vector<int64_t> boundaries_us(const Drawing& drawing) {
  const Booked booked(drawing);
  std::vector<int64_t> found;
  for (int64_t ns :
       device_boundaries(booked.timeline, booked.launches, booked.labels,
                         booked.order.devices[0], booked.steps[0]))
    found.push_back(ns / 1000);
  return found;
}

Drawing two_steps() {
  Drawing d;
  d.range("ProfilerStep#1", {0, 100_us})
      .range("ProfilerStep#2", {100_us, 200_us});
  return d;
}

TEST(DeviceBoundaries, AreTheHostsWhereTheDeviceKeepsUp) {
  Drawing d = two_steps();
  draw_launch(d, 10_us);
  draw_launch(d, 110_us);
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 100, 200));
}

TEST(DeviceBoundaries, MoveToTheEndOfTheLastKernelLaunchedBefore) {
  Drawing d = two_steps();
  d.launch("gemm", {10_us, 12_us}, {20_us, 150_us});
  d.launch("gemm", {110_us, 112_us}, {150_us, 290_us});
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 150, 290));
}

// The call that began before the boundary counts, wherever it returned.
TEST(DeviceBoundaries, ALaunchBelongsToTheStepInWhichItBegan) {
  Drawing d = two_steps();
  d.launch("gemm", {99_us, 120_us}, {125_us, 130_us});
  d.launch("gemm", {120_us, 122_us}, {140_us, 145_us});
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 130, 200));
}

TEST(DeviceBoundaries, AnEarlierKernelThatEndsLaterStillMovesThem) {
  Drawing d = two_steps();
  d.stream(7).launch("gemm", {10_us, 12_us}, {20_us, 170_us});
  d.stream(8).launch("gemm", {20_us, 22_us}, {30_us, 40_us});
  d.launch("gemm", {110_us, 112_us}, {120_us, 130_us});
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 170, 200));
}

TEST(DeviceBoundaries, ALongCopyOrCollectiveMovesNone) {
  Drawing d = two_steps();
  draw_launch(d, 10_us);
  d.stream(9).launch_copy(CopyKind::d2h, HostMemory::pinned, {20_us, 22_us},
                          {25_us, 180_us});
  d.stream(11).launch("ncclDevKernel_AllReduce_Sum_f32", {30_us, 32_us},
                      {35_us, 190_us});
  draw_launch(d, 110_us);
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 100, 200));
}

TEST(DeviceBoundaries, AnyActivityMovesThemWhereNoKernelComputes) {
  Drawing d = two_steps();
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {20_us, 22_us},
                {25_us, 180_us});
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {120_us, 122_us},
                {180_us, 190_us});
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 180, 200));
}

TEST(DeviceBoundaries, ACarriedKernelWasLaunchedBeforeAllOfThem) {
  Drawing d = two_steps();
  d.kernel("gemm", {5_us, 40_us});
  d.launch("gemm", {10_us, 12_us}, {40_us, 50_us});
  draw_launch(d, 110_us);
  EXPECT_THAT(boundaries_us(d), ElementsAre(40, 100, 200));
}

TEST(DeviceBoundaries, AKernelThatLostItsLaunchMovesNone) {
  Drawing d = two_steps();
  draw_launch(d, 10_us);
  d.kernel("gemm", {120_us, 190_us});
  d.launch("gemm", {110_us, 112_us}, {190_us, 195_us});
  EXPECT_THAT(boundaries_us(d), ElementsAre(0, 100, 200));
}

TEST(DeviceBoundaries, NoStepsNoBoundaries) {
  Drawing d;
  draw_launch(d, 10_us);
  EXPECT_THAT(boundaries_us(d), IsEmpty());
}

}  // namespace
}  // namespace gpuledger
