#include "analyze/verdict.h"

#include <gmock/gmock.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Verdict verdict_of(const Drawing& drawing) {
  const Booked booked(drawing);
  std::vector<BookedWindow> windows;
  for (const DeviceBook& book : booked.books)
    windows.push_back(
        {&book, booked.timeline.first_ns, booked.timeline.last_ns});
  return judge_trace(booked.timeline, booked.launches, booked.names,
                     booked.lost, windows);
}

std::vector<std::string> reasons_of(const Drawing& drawing) {
  std::vector<std::string> ids;
  for (const VerdictReason& reason : verdict_of(drawing).reasons)
    ids.push_back(reason.id);
  return ids;
}

// `count` launches, 10 us apart, each with its kernel right behind it.
Drawing healthy(int64_t count) {
  Drawing d;
  for (int64_t i = 0; i < count; ++i)
    d.launch("gemm", {i * 10_us, i * 10_us + 2_us},
             {i * 10_us + 3_us, i * 10_us + 9_us});
  return d;
}

TEST(Verdict, IsOkForACompleteTrace) {
  EXPECT_EQ(verdict_of(healthy(20)).status, VerdictStatus::ok);
  EXPECT_THAT(reasons_of(healthy(20)), IsEmpty());
}

TEST(Verdict, ACutFileIsPartialWhateverElseIsWrong) {
  Drawing d = healthy(20);
  d.edit().truncated = true;
  d.edit().counter_replay = true;
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::partial);
  EXPECT_THAT(reasons_of(d), ElementsAre("truncated"));
}

TEST(Verdict, ACutFileWithoutDeviceRowsIsPartialToo) {
  Drawing d;
  d.op("aten::add", {0, 10_us});
  d.edit().truncated = true;
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::partial);
}

TEST(Verdict, ACutBehindTheRecordersLastRowLosesNothing) {
  Drawing d = healthy(20);
  d.edit().truncated = true;
  d.edit().window_end_seen = true;
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::ok);
}

TEST(Verdict, NoLaunchAndNoActivityIsNoGpuActivity) {
  Drawing d;
  d.op("aten::add", {0, 10_us});
  d.api("cudaGetDeviceCount", {10_us, 12_us});
  d.api("cudaDeviceSynchronize", {12_us, 14_us});
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::no_gpu_activity);
}

TEST(Verdict, OneLaunchWithoutAnyDeviceRowIsLost) {
  for (const char* call :
       {"cudaLaunchKernel", "cuLaunchKernelEx", "hipModuleLaunchKernel",
        "hipGraphLaunch", "cudaMemcpyAsync"}) {
    Drawing d;
    d.api(call, {10_us, 12_us}, 1);
    EXPECT_EQ(verdict_of(d).status, VerdictStatus::gpu_activity_lost) << call;
    EXPECT_THAT(reasons_of(d), ElementsAre("no-device-rows")) << call;
  }
}

TEST(Verdict, CaptureWithoutReplayIsNoGpuActivity) {
  Drawing d;
  d.api("cudaStreamBeginCapture", {8_us, 9_us});
  d.api("cudaLaunchKernel", {10_us, 12_us}, 1);
  d.api("cudaStreamEndCapture", {14_us, 15_us});
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::no_gpu_activity);
}

TEST(Verdict, KernelsReplayedByACounterProfilerAreLost) {
  Drawing d = healthy(20);
  d.edit().counter_replay = true;
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::gpu_activity_lost);
  EXPECT_THAT(reasons_of(d), ElementsAre("counter_replay"));
}

TEST(Verdict, ZeroTimesAreLost) {
  Drawing d = healthy(20);
  d.edit().imports.add(Import::activity_time_lost);
  EXPECT_THAT(reasons_of(d), ElementsAre("times-lost"));
}

// Late starts: a window of 10 ms, in which one launched kernel starts late by
// `late_ns` beyond the 50 us that are believed.
Drawing late_by(int64_t late_ns) {
  Drawing d;
  d.launch("gemm", {0, 2_us}, {4_us, 100_us});
  d.launch("gemm", {10_us, 12_us}, {150_us + late_ns, 10_ms});
  return d;
}

TEST(LateStarts, AreLostBeyondOnePercentOfTheWindow) {
  EXPECT_EQ(verdict_of(late_by(100_us)).status, VerdictStatus::ok);
  EXPECT_THAT(reasons_of(late_by(100_us + 1)), ElementsAre("late-starts"));
}

TEST(LateStarts, OnlyThoseInsideTheWindowCount) {
  const Booked booked(late_by(200_us));
  const auto judge = [&](Interval span) {
    return judge_trace(booked.timeline, booked.launches, booked.names,
                       booked.lost, {{&booked.books[0], span.start, span.end}})
        .status;
  };
  EXPECT_EQ(judge({0, 10_ms}), VerdictStatus::gpu_activity_lost);
  EXPECT_EQ(judge({350_us, 10_ms}), VerdictStatus::ok);
}

TEST(LateStarts, CarriedOverKernelsAreNotLate) {
  Drawing d;
  d.range("before", {0, 1_us});
  d.kernel("gemm", {5_ms, 10_ms});
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::ok);
}

TEST(LateStarts, AFirstUseUploadIsNotLate) {
  Drawing d;
  d.launch("gemm", {0, 2_us}, {4_us, 100_us});
  d.launch("new", {100_us, 700_us}, {3_ms, 10_ms});
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::ok);
}

// Of `healthy`'s launches the first and last are edges; these lie between.
Drawing with_lost(int64_t launches, int64_t lost, std::string_view call) {
  Drawing d = healthy(launches);
  for (int64_t i = 0; i < lost; ++i)
    d.api(call, {i * 10_us + 15_us, i * 10_us + 16_us}, 1'000'000'000u + i);
  return d;
}

TEST(LostCalls, AreMoreThanFive) {
  EXPECT_EQ(verdict_of(with_lost(50, 5, "cudaLaunchKernel")).status,
            VerdictStatus::ok);
  EXPECT_THAT(reasons_of(with_lost(50, 6, "cudaLaunchKernel")),
              ElementsAre("lost-calls"));
}

// 8 of 800 examined calls are 1 %; one more is more.
TEST(LostCalls, AreMoreThanOnePercent) {
  EXPECT_EQ(verdict_of(with_lost(794, 8, "cudaLaunchKernel")).status,
            VerdictStatus::ok);
  EXPECT_THAT(reasons_of(with_lost(792, 8, "cudaLaunchKernel")),
              ElementsAre("lost-calls"));
}

TEST(LostCalls, AreLaunchesAndCopies) {
  for (const char* call :
       {"cudaLaunchKernelExC", "cuLaunchKernel", "cudaGraphLaunch",
        "cudaMemcpyAsync", "cudaMemcpy", "hipLaunchKernel"})
    EXPECT_THAT(reasons_of(with_lost(50, 6, call)), ElementsAre("lost-calls"))
        << call;
}

TEST(LostCalls, ZeroByteFillsLeaveNoRow) {
  EXPECT_EQ(verdict_of(with_lost(50, 20, "cudaMemsetAsync")).status,
            VerdictStatus::ok);
}

TEST(LostCalls, OtherCallsLaunchNothing) {
  EXPECT_EQ(verdict_of(with_lost(50, 20, "cudaEventRecord")).status,
            VerdictStatus::ok);
}

TEST(LostCalls, CapturedLaunchesLeaveNoRow) {
  Drawing d = with_lost(50, 20, "cudaLaunchKernel");
  d.thread(0);
  for (int64_t i = 0; i < 20; ++i) {
    d.api("cudaStreamBeginCapture", {i * 10_us + 13_us, i * 10_us + 14_us});
    d.api("cudaStreamEndCapture", {i * 10_us + 17_us, i * 10_us + 18_us});
  }
  EXPECT_EQ(verdict_of(d).status, VerdictStatus::ok);
}

// Kernels wait up to 250 us behind a long one; then six launches without a row.
Drawing host_ahead(int64_t lost_from_ns) {
  Drawing d;
  d.launch("long", {0, 500}, {1_us, 200_us});
  for (int64_t i = 1; i < 50; ++i)
    d.launch("gemm", {i * 1_us, i * 1_us + 500},
             {198_us + i * 2_us, 200_us + i * 2_us});
  for (int64_t i = 0; i < 6; ++i)
    d.api("cudaLaunchKernel",
          {lost_from_ns + i * 100, lost_from_ns + i * 100 + 50}, 6'000 + i);
  return d;
}

TEST(LostCalls, WhoseTurnCameAfterTheRecordingAreCut) {
  EXPECT_EQ(verdict_of(host_ahead(60_us)).status, VerdictStatus::ok);
}

TEST(LostCalls, WhoseTurnHadComeAreLost) {
  EXPECT_THAT(reasons_of(host_ahead(10_us)), ElementsAre("lost-calls"));
}

TEST(LostCalls, BeforeTheFirstAndAfterTheLastActivityCount) {
  Drawing d = healthy(10);
  for (int64_t i = 0; i < 10; ++i)
    d.api("cudaLaunchKernel", {-200_us + i, -200_us + i + 1}, 5'000 + i);
  EXPECT_THAT(reasons_of(d), ElementsAre("lost-calls"));
}

// The activities of `healthy` end at most 9 us after their launch began: a call
// in the last 9 us may not have run yet.
TEST(LostCalls, AreCutAsFarFromTheEndAsTheLongestWait) {
  const auto with_last_calls = [](int64_t rest_ns) {
    Drawing d = healthy(50);
    for (int64_t i = 0; i < 10; ++i)
      d.api("cudaLaunchKernel", {600_us + i, 601_us}, 5'000 + i);
    return d.range("rest", {602_us, 600_us + rest_ns});
  };
  EXPECT_EQ(verdict_of(with_last_calls(9_us)).status, VerdictStatus::ok);
  EXPECT_THAT(reasons_of(with_last_calls(9_us + 10)),
              ElementsAre("lost-calls"));
}

// Replays of one graph that leave these numbers of kernels.
Drawing replays(const std::vector<int>& counts) {
  Drawing d;
  int64_t at = 0;
  uint64_t id = 1;
  for (const int count : counts) {
    d.api("cudaGraphLaunch", {at, at + 2_us}, id);
    for (int64_t i = 0; i < count; ++i)
      d.kernel(i == 0           ? "first"
               : i + 1 == count ? "last"
                                : "inner",
               {at + 3_us + i * 1_us, at + 4_us + i * 1_us}, id);
    at += 30_us;
    ++id;
  }
  return d;
}

TEST(ShortReplays, HoldLessThanHalfOfTheGraphsMedian) {
  EXPECT_EQ(verdict_of(replays({10, 10, 5, 10, 10})).status, VerdictStatus::ok);
  EXPECT_THAT(reasons_of(replays({10, 10, 4, 10, 10})),
              ElementsAre("graph-under-recorded"));
}

// The kernels of a graph have names of their own; this replay left but these.
Drawing replays_but(const std::vector<std::string>& left) {
  Drawing d;
  for (int64_t replay = 0; replay < 5; ++replay) {
    const int64_t at = replay * 30_us;
    const auto id = static_cast<uint64_t>(replay + 1);
    d.api("cudaGraphLaunch", {at, at + 2_us}, id);
    std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
    if (replay == 2) names = left;
    for (size_t i = 0; i < names.size(); ++i)
      d.kernel(names[i],
               {at + 3_us + static_cast<int64_t>(i) * 1_us,
                at + 4_us + static_cast<int64_t>(i) * 1_us},
               id);
  }
  return d;
}

TEST(ShortReplays, MayHaveLostTheirBeginTheirEndOrTheirMiddle) {
  using Names = std::vector<std::string>;
  for (const Names& left : {Names{"a", "b"}, Names{"e", "f"}, Names{"a", "f"}})
    EXPECT_THAT(reasons_of(replays_but(left)),
                ElementsAre("graph-under-recorded"));
  // Another graph, which begins alike.
  for (const Names& left : {Names{"a", "x"}, Names{"x", "f"}, Names{"x"}})
    EXPECT_EQ(verdict_of(replays_but(left)).status, VerdictStatus::ok);
}

TEST(ShortReplays, GraphsOfDifferentSizeAreNotShort) {
  EXPECT_EQ(verdict_of(replays({10, 10, 3, 10, 10, 3})).status,
            VerdictStatus::ok);
}

TEST(Verdict, SaysAllReasonsAndHowToRecordAgain) {
  Drawing d = with_lost(50, 6, "cudaLaunchKernel");
  d.edit().imports.add(Import::activity_time_lost);
  const Verdict verdict = verdict_of(d);
  ASSERT_EQ(verdict.reasons.size(), 2u);
  for (const VerdictReason& reason : verdict.reasons) {
    EXPECT_FALSE(reason.text.empty());
    EXPECT_FALSE(reason.advice.empty());
  }
}

}  // namespace
}  // namespace gpuledger
