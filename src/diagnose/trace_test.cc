#include "diagnose/trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "diagnose/trace_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kLoader =
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

// Step `i` from i ms: a kernel of 900 us, launched as the step begins; if
// `loads`, only after 300 us in the loader.
void draw_step(Drawing& d, int64_t i, bool loads = false) {
  const int64_t at = i * 1_ms;
  const int64_t launch_ns = loads ? at + 300_us : at;
  if (loads) d.range(kLoader, {at, launch_ns});
  d.launch("gemm", {launch_ns, launch_ns + 2_us},
           {launch_ns + 3_us, at + 903_us});
}

Drawing training(int64_t steps) {
  Drawing d;
  for (int64_t i = 0; i < steps; ++i) {
    d.range(fmt::format("ProfilerStep#{}", i + 4), {i * 1_ms, (i + 1) * 1_ms});
    draw_step(d, i);
  }
  return d;
}

Interval window_of(const DeviceReport& device) {
  return {device.window_start_ns, device.window_start_ns + device.window_ns};
}
void expect_window(const DeviceReport& device, Interval expected) {
  EXPECT_EQ(window_of(device).start, expected.start);
  EXPECT_EQ(window_of(device).end, expected.end);
}

std::vector<std::string> labels_of(const DeviceReport& device) {
  std::vector<std::string> labels;
  for (const StepReport& step : device.steps) labels.push_back(step.label);
  return labels;
}

TEST(Window, RunsFromTheFirstStepBoundaryToTheLast) {
  const TraceResult result = analyze(training(3));
  ASSERT_THAT(result.devices, SizeIs(1));
  const DeviceReport& device = result.devices[0];
  expect_window(device, {0, 3_ms});
  EXPECT_EQ(device.window_source, "steps");
  EXPECT_EQ(device.accounts[Account::compute_matmul], 3 * 900_us);
  EXPECT_THAT(labels_of(device), ElementsAre("ProfilerStep#4", "ProfilerStep#5",
                                             "ProfilerStep#6"));
  EXPECT_EQ(result.steps.source, StepSource::profiler_step);
  EXPECT_EQ(result.steps.p50_ns, 1_ms);
}

TEST(Window, WithoutStepsIsThatOfTheActivities) {
  Drawing d;
  d.range("once", {-1_ms, 5_ms});
  draw_step(d, 0);
  draw_step(d, 1);
  const TraceResult result = analyze(d);
  expect_window(result.devices[0], {1_ms + 3_us, 2_ms + 903_us});
  EXPECT_EQ(result.devices[0].window_source, "device");
  EXPECT_EQ(result.steps.source, StepSource::none);
}

TEST(Window, OfTheDeviceOnRequest) {
  AnalyzeOptions options;
  options.window = AnalyzeOptions::Window::device;
  const DeviceReport device = analyze(training(3), options).devices[0];
  expect_window(device, {3_us, 2_ms + 903_us});
  EXPECT_THAT(device.steps, IsEmpty());
}

TEST(Window, StepsAreSelectedByTheirAnnotation) {
  AnalyzeOptions options;
  options.steps = {5, 6};
  const DeviceReport device = analyze(training(4), options).devices[0];
  expect_window(device, {1_ms, 3_ms});
  EXPECT_THAT(labels_of(device),
              ElementsAre("ProfilerStep#5", "ProfilerStep#6"));
}

TEST(Window, StepsWithoutNumbersAreSelectedByIndex) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i) {
    draw_step(d, i);
    d.range("Optimizer.step#SGD.step", {i * 1_ms + 940_us, i * 1_ms + 950_us});
  }
  AnalyzeOptions options;
  options.steps = {1, 1};
  const DeviceReport device = analyze(d, options).devices[0];
  EXPECT_THAT(labels_of(device), ElementsAre("1"));
  expect_window(device, {1'950_us, 2'950_us});
}

TEST(Window, ASelectionOfNoStepIsRefused) {
  AnalyzeOptions options;
  options.steps = {50, 60};
  const auto result = try_analyze(training(3), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::usage);
}

TEST(Window, StepsOfTheDevicesWindowAreRefused) {
  AnalyzeOptions options;
  options.steps = {5, 6};
  options.window = AnalyzeOptions::Window::device;
  const auto result = try_analyze(training(4), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::usage);
}

TEST(Window, IsCutToASpan) {
  AnalyzeOptions options;
  options.from_ns = 500_us;
  options.to_ns = 1'200_us;
  const DeviceReport device = analyze(training(3), options).devices[0];
  expect_window(device, {500_us, 1'200_us});
  EXPECT_EQ(device.window_source, "selection");
  ASSERT_THAT(device.steps, SizeIs(2));
  EXPECT_EQ(device.steps[0].window_ns, 500_us);
  EXPECT_EQ(device.steps[1].window_ns, 200_us);
  EXPECT_EQ(device.accounts[Account::compute_matmul], 403_us + 197_us);
}

TEST(Window, ActivityThatCrossesAnEdgeIsCut) {
  Drawing d = training(3);
  d.stream(9).launch("ncclDevKernel_AllReduce", {2'000_us, 2'001_us},
                     {2'500_us, 3'500_us});
  const DeviceReport device = analyze(d).devices[0];
  expect_window(device, {0, 3_ms});
  EXPECT_EQ(device.accounts[Account::communication_unsplit], 97_us);
}

TEST(Window, AnUnattributedLeadInIsCutOff) {
  Drawing d;
  d.range("ProfilerStep#1", {0, 1_ms}).range("ProfilerStep#2", {1_ms, 2_ms});
  d.launch("gemm", {10_us, 12_us}, {200_us, 900_us});
  draw_step(d, 1);
  const DeviceReport device = analyze(d).devices[0];
  expect_window(device, {200_us, 2_ms});
  ASSERT_THAT(device.steps, SizeIs(2));
  EXPECT_EQ(device.steps[0].window_ns, 800_us);
}

TEST(Window, ALeadInThatHasANameStays) {
  Drawing d;
  d.range("ProfilerStep#1", {0, 1_ms}).range("ProfilerStep#2", {1_ms, 2_ms});
  draw_step(d, 0, true);
  draw_step(d, 1);
  const DeviceReport device = analyze(d).devices[0];
  expect_window(device, {0, 2_ms});
  EXPECT_EQ(device.accounts[Account::idle_data], 300_us);
}

TEST(Window, IsSharedByTheDevicesOfAProcess) {
  Drawing d;
  draw_step(d, 0);
  draw_step(d, 1);
  d.stream(7, 1).launch("gemm", {4_us, 6_us}, {10_us, 500_us});
  const TraceResult result = analyze(d);
  ASSERT_THAT(result.devices, SizeIs(2));
  expect_window(result.devices[1], window_of(result.devices[0]));
  EXPECT_GT(result.devices[1].accounts[Account::idle_tail], 1_ms);
}

TEST(Window, IsNotSharedWithAnotherProcess) {
  Drawing d;
  draw_step(d, 0);
  draw_step(d, 1);
  d.thread(5, 1).stream(7, 1).launch("gemm", {4_us, 6_us}, {10_us, 500_us});
  expect_window(analyze(d).devices[1], {10_us, 500_us});
}

TEST(Devices, AreCalledByTheTracesRankElseTheInputs) {
  Drawing d = training(2);
  EXPECT_EQ(try_analyze(d, {}, 3)->devices[0].id, "3:0");
  d.edit().metadata.rank = 8;
  EXPECT_EQ(try_analyze(d, {}, 3)->devices[0].id, "8:0");
}

TEST(Devices, WithoutActivityHaveNoLedger) {
  Drawing d = training(2);
  d.stream(7, 1);
  EXPECT_THAT(analyze(d).devices, SizeIs(1));
}

// A server shares the device with the training job, and launches more.
TEST(Steps, AreThoseOfTheProcessThatNamesThem) {
  Drawing d;
  for (int64_t i = 0; i < 30; ++i)
    d.launch("serve", {i * 100_us, i * 100_us + 1},
             {i * 100_us + 50_us, i * 100_us + 51_us});
  d.thread(5, 1).stream(9);
  for (int64_t i = 0; i < 3; ++i) {
    d.range(fmt::format("ProfilerStep#{}", i), {i * 1_ms, (i + 1) * 1_ms});
    draw_step(d, i);
  }
  EXPECT_EQ(analyze(d).steps.source, StepSource::profiler_step);
}

TEST(Steps, SayWhichIsFirstLastAndAnOutlier) {
  Drawing d;
  const int64_t edges_ms[] = {0, 1, 2, 3, 5, 6, 7};
  for (int i = 0; i < 6; ++i) {
    d.range(fmt::format("ProfilerStep#{}", i),
            {edges_ms[i] * 1_ms, edges_ms[i + 1] * 1_ms});
    draw_step(d, edges_ms[i]);
  }
  std::vector<std::string> notes;
  const TraceResult result = analyze(d);
  for (const StepReport& step : result.devices[0].steps)
    notes.push_back(step.note);
  EXPECT_THAT(notes, ElementsAre("first", "", "", "outlier", "", "last"));
}

TEST(Steps, AChangeOfTheHostsLeadIsSaidAboveFivePercent) {
  // The last kernel of ten steps runs on after the host's last boundary.
  const auto change = [](int64_t run_on_ns) {
    Drawing d = training(9);
    d.range("ProfilerStep#99", {9_ms, 10_ms});
    d.launch("gemm", {9_ms, 9_ms + 2_us}, {9_ms + 3_us, 10_ms + run_on_ns});
    return analyze(d).steps.run_ahead_change_ratio;
  };
  EXPECT_FALSE(change(500_us));
  ASSERT_TRUE(change(600_us));
  EXPECT_NEAR(*change(600_us), 0.6 / 10.6, 1e-9);
}

TEST(Steps, APeriodWithoutALossIsACycle) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i) {
    draw_step(d, i);
    d.launch("softmax", {i * 1_ms + 910_us, i * 1_ms + 912_us},
             {i * 1_ms + 914_us, i * 1_ms + 920_us});
  }
  const TraceResult result = analyze(d);
  EXPECT_EQ(result.steps.source, StepSource::none);
  ASSERT_TRUE(result.cycle);
  EXPECT_EQ(result.cycle->kernels, 2);
  EXPECT_EQ(result.cycle->count, 4);
  EXPECT_EQ(result.cycle->p50_ns, 1_ms);
}

TEST(Steps, APeriodWithALossIsAStep) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i) {
    draw_step(d, i);
    d.launch("nll_loss_forward", {i * 1_ms + 910_us, i * 1_ms + 912_us},
             {i * 1_ms + 914_us, i * 1_ms + 920_us});
  }
  const TraceResult result = analyze(d);
  EXPECT_EQ(result.steps.source, StepSource::period);
  EXPECT_FALSE(result.cycle);
  EXPECT_THAT(labels_of(result.devices[0]), ElementsAre("0", "1", "2", "3"));
}

// Steps 0 to n-1, of which these load for 300 us while the device idles.
std::vector<std::string> found_if_loading(int64_t steps,
                                          std::initializer_list<int64_t> at) {
  Drawing d;
  for (int64_t i = 0; i < steps; ++i) {
    d.range(fmt::format("ProfilerStep#{}", i), {i * 1_ms, (i + 1) * 1_ms});
    draw_step(d, i, std::find(at.begin(), at.end(), i) != at.end());
  }
  std::vector<std::string> ids;
  const TraceResult result = analyze(d);
  for (const Finding& finding : result.detection.findings)
    ids.push_back(finding.id);
  return ids;
}

TEST(Findings, NeitherEdgeMakesOne) {
  EXPECT_THAT(found_if_loading(5, {0, 4}), IsEmpty());
  EXPECT_THAT(found_if_loading(5, {2}), ElementsAre("loader-single-process"));
}

TEST(Findings, AStallOfEveryFourthStepIsFound) {
  EXPECT_THAT(found_if_loading(10, {3, 7}),
              ElementsAre("loader-single-process"));
}

TEST(Findings, TakeTheMeanOfTheInnerSteps) {
  Drawing d;
  for (int64_t i = 0; i < 6; ++i) {
    d.range(fmt::format("ProfilerStep#{}", i), {i * 1_ms, (i + 1) * 1_ms});
    draw_step(d, i, i == 2);
  }
  const TraceResult result = analyze(d);
  ASSERT_THAT(result.detection.findings, SizeIs(1));
  EXPECT_EQ(result.detection.findings[0].lost_ns_per_step, 300_us / 4);
  EXPECT_DOUBLE_EQ(result.detection.findings[0].lost_ratio, 0.3 / 4);
}

// One inner step of 1 ms: 300 us in the loader, and a gap whose end lost its
// launch.
TEST(Findings, AreBlockedWhereMoreThanAFifthIsUnattributed) {
  const auto detection = [](int64_t unattributed_ns) {
    Drawing d;
    for (int64_t i = 0; i < 3; ++i)
      d.range(fmt::format("ProfilerStep#{}", i), {i * 1_ms, (i + 1) * 1_ms});
    draw_step(d, 0);
    d.range(kLoader, {1_ms, 1'300_us});
    d.launch("gemm", {1'300_us, 1'302_us}, {1'303_us, 1'600_us});
    d.kernel("gemm", {1'600_us + unattributed_ns, 2_ms});
    draw_step(d, 2);
    return analyze(d).detection;
  };
  EXPECT_THAT(detection(200_us).findings, SizeIs(1));
  EXPECT_THAT(detection(200_us + 1).findings, IsEmpty());
  EXPECT_THAT(detection(200_us + 1).blocked, SizeIs(kDetectorCount));
}

TEST(Refusal, PrintsIdleAsUnattributedAndBlocksFindings) {
  Drawing d;
  for (int64_t i = 0; i < 4; ++i) draw_step(d, i, true);
  EXPECT_EQ(analyze(d).detection.findings.size(), 1u);
  d.edit().truncated = true;
  const TraceResult result = analyze(d);
  EXPECT_EQ(result.verdict.status, VerdictStatus::partial);
  const AccountTotals& accounts = result.devices[0].accounts;
  EXPECT_EQ(accounts.within_ns("idle"), 0);
  EXPECT_GT(accounts[Account::unattributed], 900_us);
  EXPECT_EQ(accounts.total_ns(), result.devices[0].window_ns);
  EXPECT_THAT(result.detection.findings, IsEmpty());
  EXPECT_THAT(result.detection.blocked, SizeIs(kDetectorCount));
}

TEST(Headline, ReportedCountsEveryKernelComputeOnlyItsOwn) {
  Drawing d;
  d.range("ProfilerStep#1", {0, 1_ms});
  d.launch("gemm", {0, 1_us}, {2_us, 400_us});
  d.launch("ncclDevKernel_AllReduce", {10_us, 11_us}, {400_us, 600_us});
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {20_us, 21_us},
                {600_us, 700_us});
  const DeviceReport device = analyze(d).devices[0];
  EXPECT_DOUBLE_EQ(device.compute_ratio, 0.398);
  EXPECT_DOUBLE_EQ(device.reported_ratio, 0.598);
  EXPECT_EQ(device.host_late_communication_ns, 200_us);
  EXPECT_EQ(device.host_late_copy_ns, 100_us);
}

TEST(Kernels, BeyondTheLargestAreOneRow) {
  Drawing d;
  for (int64_t i = 0; i < 203; ++i)
    d.launch(fmt::format("kernel {}", i), {i * 10_us, i * 10_us + 1},
             {i * 10_us + 2, i * 10_us + 3 + i});
  const std::vector<KernelReport> kernels = analyze(d).kernels;
  ASSERT_THAT(kernels, SizeIs(201));
  EXPECT_EQ(kernels[0].name, "kernel 202");
  EXPECT_EQ(kernels[0].total_ns, 203);
  EXPECT_EQ(kernels[200].name, "other");
  EXPECT_EQ(kernels[200].count, 3);
  EXPECT_EQ(kernels[200].total_ns, 1 + 2 + 3);
}

TEST(HostSummary, StandsInForDevicesWithoutActivity) {
  Drawing d;
  d.op("aten::mm", {0, 10_us});
  const TraceResult result = analyze(d);
  EXPECT_THAT(result.devices, IsEmpty());
  ASSERT_TRUE(result.host);
  EXPECT_EQ(result.host->span_ns, 10_us);
  ASSERT_THAT(result.host->top, SizeIs(1));
  EXPECT_EQ(result.host->top[0].name, "aten::mm");
  EXPECT_EQ(result.host->top[0].self_ns, 10_us);
}

}  // namespace
}  // namespace gpuledger
