// Rules a to e: what the launching thread did in the host part of a gap.
#include "analyze/host_activity.h"

#include <gtest/gtest.h>

#include "analyze/gap_for_test.h"

namespace gpuledger {
namespace {

// `text` without this end.
std::string without(std::string_view end, const std::string& text) {
  EXPECT_TRUE(std::string_view(text).ends_with(end)) << text;
  return text.substr(0, text.size() - std::min(text.size(), end.size()));
}

// The gap ends with a kernel whose call starts at `at` and returns 2 us later.
// Its name is known already: nothing is loaded for it.
std::string gap_until(Drawing d, int64_t at) {
  d.launch("gemm", {at, at + 2_us}, {at + 5_us, at + 10_us});
  return without(", idle.launch.api 2us, idle.launch.latency 3us", gap_of(d));
}

// Rule a.

TEST(Profiler, OverheadRowsOfTheDriver) {
  Drawing d = busy_until_100us();
  d.thread(8).overhead("Activity Buffer Request", {110_us, 130_us}).thread(0);
  EXPECT_EQ(gap_until(d, 140_us),
            "idle.launch.between 10us, idle.profiler 20us, "
            "idle.launch.between 10us");
}

TEST(Profiler, OverheadThatLoadsCodeIsLoading) {
  for (const char* name :
       {"Lazy Function Loading", "Module Loading", "Driver Compiler"}) {
    Drawing d = busy_until_100us();
    d.thread(8).overhead(name, {100_us, 140_us}).thread(0);
    EXPECT_EQ(gap_until(d, 140_us), "idle.compile.load 40us") << name;
  }
}

TEST(Profiler, OverheadOutranksTheFrames) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {100_us, 140_us});
  d.thread(8).overhead("Resource", {110_us, 120_us}).thread(0);
  EXPECT_EQ(gap_until(d, 140_us),
            "idle.data 10us, idle.profiler 10us, idle.data 20us");
}

TEST(Profiler, ItsFramesOwnWhatRunsInside) {
  Drawing d = busy_until_100us();
  d.frame("torch/profiler/profiler.py(790): step", {100_us, 140_us});
  d.api("cudaDeviceSynchronize", {110_us, 120_us});
  EXPECT_EQ(gap_until(d, 140_us), "idle.profiler 40us");
}

// Rule b.

TEST(SpecialFrames, OwnTheOperatorsAndCallsInside) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {100_us, 140_us});
  d.op("aten::stack", {105_us, 120_us}).api("cudaHostAlloc", {121_us, 130_us});
  EXPECT_EQ(gap_until(d, 140_us), "idle.data 40us");
}

TEST(SpecialFrames, TheOutermostOfTheirKindsWins) {
  const char* save = "torch/serialization.py(944): save";
  Drawing data_outside = busy_until_100us();
  data_outside.range(kLoader, {100_us, 140_us}).frame(save, {110_us, 120_us});
  EXPECT_EQ(gap_until(data_outside, 140_us), "idle.data 40us");

  Drawing save_outside = busy_until_100us();
  save_outside.frame(save, {100_us, 140_us}).range(kLoader, {110_us, 120_us});
  EXPECT_EQ(gap_until(save_outside, 140_us), "idle.checkpoint 40us");
}

TEST(SpecialFrames, OfEachKind) {
  const std::pair<const char*, const char*> kinds[] = {
      {"torch/serialization.py(944): save", "idle.checkpoint 40us"},
      {"<built-in function collect>", "idle.gc 40us"},
      {"torch/_dynamo/convert_frame.py(900): _convert_frame",
       "idle.compile.jit 40us"},
      {"torch/utils/data/dataloader.py(628): __next__", "idle.data 40us"}};
  for (const auto& [name, account] : kinds) {
    Drawing d = busy_until_100us();
    d.frame(name, {100_us, 140_us});
    EXPECT_EQ(gap_until(d, 140_us), account) << name;
  }
}

TEST(SpecialFrames, LookAlikesOwnNothing) {
  for (const char* name : {"torch/utils/checkpoint.py(343): checkpoint",
                           "torch/_dynamo/eval_frame.py(400): _fn",
                           "<built-in function compile>"}) {
    Drawing d = busy_until_100us();
    d.frame(name, {100_us, 140_us});
    EXPECT_EQ(gap_until(d, 140_us), "idle.launch.between 40us") << name;
  }
}

TEST(SpecialFrames, AStepRangeIsNoFrame) {
  Drawing d;
  d.range("ProfilerStep#3", {0, 700_us});
  d.launch("gemm", {0, 2_us}, {4_us, 100_us});
  // Else the stretch to the next launch would be named after the step.
  EXPECT_EQ(gap_until(d, 620_us), "idle.host.unseen 520us");
}

// Rule c.

TEST(Calls, AModuleLoadIsLoadingHoweverShort) {
  Drawing d = busy_until_100us();
  d.api("cuModuleLoadData", {110_us, 120_us});
  EXPECT_EQ(gap_until(d, 130_us),
            "idle.launch.between 10us, idle.compile.load 10us, "
            "idle.launch.between 10us");
}

// A call that is the first of its name, `duration_ns` long from 100 us.
std::string first_call(std::string_view name, int64_t duration_ns) {
  Drawing d = busy_until_100us();
  d.api(name, {100_us, 100_us + duration_ns});
  return without(", idle.launch.between 1us",
                 gap_until(d, 101_us + duration_ns));
}

TEST(Calls, TheFirstOfItsNameLoadsFrom500us) {
  EXPECT_EQ(first_call("cudaStreamCreateWithFlags", 500_us),
            "idle.compile.load 500us");
  EXPECT_EQ(first_call("cudaStreamCreateWithFlags", 500_us - 1),
            "idle.launch.api 499999ns");
}

TEST(Calls, TheSecondOfItsNameDoesNot) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamCreateWithFlags", {50_us, 60_us});
  d.api("cudaStreamCreateWithFlags", {100_us, 600_us});
  EXPECT_EQ(gap_until(d, 610_us),
            "idle.launch.api 500us, idle.launch.between 10us");
}

TEST(Calls, ThatBlockOrAllocateAreWhatTheyAre) {
  EXPECT_EQ(first_call("cudaDeviceSynchronize", 500_us),
            "idle.sync.wait 500us");
  EXPECT_EQ(first_call("cudaMalloc", 500_us), "idle.alloc 500us");
}

TEST(Calls, TimeOfTheProfilerInsideDoesNotCountAsLoading) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamCreateWithFlags", {100_us, 700_us});
  d.thread(8).overhead("Activity Buffer Request", {200_us, 300_us + 1});
  d.thread(0);
  EXPECT_EQ(gap_until(d, 710_us),
            "idle.launch.api 100us, idle.profiler 100001ns, "
            "idle.launch.api 399999ns, idle.launch.between 10us");
}

// The kernel that ends the gap is launched by a call of this length.
std::string long_launch(std::string_view kernel, int64_t duration_ns,
                        int64_t upload_ns) {
  Drawing d = busy_until_100us();
  const int64_t returned_ns = 100_us + duration_ns;
  d.launch(kernel, {100_us, returned_ns},
           {returned_ns + upload_ns, returned_ns + upload_ns + 10_us});
  return gap_of(d);
}

TEST(Calls, TheFirstLaunchOfAKernelLoadsFrom500us) {
  EXPECT_EQ(long_launch("new", 500_us, 3_us), "idle.compile.load 503us");
  EXPECT_EQ(long_launch("new", 500_us - 1, 3_us),
            "idle.launch.api 499999ns, idle.launch.latency 3us");
}

TEST(Calls, ALaterLaunchOfTheKernelDoesNot) {
  EXPECT_EQ(long_launch("gemm", 500_us, 3_us),
            "idle.launch.api 500us, idle.launch.latency 3us");
}

// The module is being uploaded: no launch is late, nothing is missing.
TEST(Calls, TheDevicePartAfterALoadIsLoadingToo) {
  EXPECT_EQ(long_launch("new", 500_us, 2_ms), "idle.compile.load 2500us");
}

// An operator that frees for `free_ns` and then launches `kernel`.
Drawing free_in_operator(int64_t free_ns, std::string_view kernel) {
  Drawing d = busy_until_100us();
  const int64_t freed_ns = 100_us + free_ns;
  d.op("aten::cudnn_convolution", {100_us, freed_ns + 10_us});
  d.api("cudaFree", {100_us, freed_ns});
  d.launch(kernel, {freed_ns, freed_ns + 2_us},
           {freed_ns + 5_us, freed_ns + 10_us});
  return d;
}
constexpr std::string_view kLaunchedAfter =
    ", idle.launch.api 2us, idle.launch.latency 3us";

TEST(CudaFree, OfALibrarysInitialisationIsLoadingFrom10ms) {
  EXPECT_EQ(gap_of(free_in_operator(10_ms, "new")),
            std::string("idle.compile.load 10ms") += kLaunchedAfter);
  EXPECT_EQ(gap_of(free_in_operator(10_ms - 1, "new")),
            std::string("idle.alloc 9999999ns") += kLaunchedAfter);
}

// The allocator gives blocks back to retry: the kernel is an old one.
TEST(CudaFree, OfAnAllocatorRetryIsAllocation) {
  EXPECT_EQ(gap_of(free_in_operator(10_ms, "gemm")),
            std::string("idle.alloc 10ms") += kLaunchedAfter);
}

TEST(CudaFree, WhileTheDeviceWorksIsAllocation) {
  Drawing d = free_in_operator(10_ms, "new");
  d.stream(8).launch("gemm", {3_us, 4_us}, {200_us, 210_us});
  EXPECT_EQ(Booked(d).ledger({210_us, 300_us}), "idle.alloc 90us");
}

TEST(CudaFree, OutsideAnOperatorIsAllocation) {
  Drawing d = busy_until_100us();
  d.api("cudaFree", {100_us, 10_ms + 100_us});
  d.launch("new", {10_ms + 100_us, 10_ms + 102_us},
           {10_ms + 105_us, 10_ms + 110_us});
  EXPECT_EQ(gap_of(d), std::string("idle.alloc 10ms") += kLaunchedAfter);
}

// A copy that ends the gap; the call starts at 110 us.
std::string staged_copy(HostMemory memory, int64_t returns_ns,
                        int64_t starts_ns,
                        std::string_view call = "cudaMemcpyAsync") {
  Drawing d = busy_until_100us();
  d.launch_copy(CopyKind::h2d, memory, {110_us, returns_ns},
                {starts_ns, starts_ns + 50_us}, 1 << 20, call);
  return gap_of(d);
}

TEST(BlockingCopy, OfPageableMemoryIsStagedBeforeItsTransfer) {
  EXPECT_EQ(staged_copy(HostMemory::pageable, 200_us, 150_us),
            "idle.launch.between 10us, idle.sync.copy 40us");
  EXPECT_EQ(staged_copy(HostMemory::unknown, 200_us, 150_us),
            "idle.launch.between 10us, idle.sync.copy 40us");
}

TEST(BlockingCopy, OfPinnedMemoryDoesNotBlock) {
  EXPECT_EQ(staged_copy(HostMemory::pinned, 200_us, 150_us),
            "idle.launch.between 10us, idle.launch.api 40us");
}

// A few bytes are put aside; the call returns before the copy begins.
TEST(BlockingCopy, ASmallStagedOneDoesNotBlock) {
  EXPECT_EQ(staged_copy(HostMemory::pageable, 115_us, 116_us),
            "idle.launch.between 10us, idle.launch.api 5us, "
            "idle.launch.latency 1us");
  EXPECT_EQ(staged_copy(HostMemory::pageable, 116_us, 116_us),
            "idle.launch.between 10us, idle.launch.api 6us");
  EXPECT_EQ(staged_copy(HostMemory::pageable, 116_us + 1, 116_us),
            "idle.launch.between 10us, idle.sync.copy 6us");
}

TEST(BlockingCopy, ASynchronousOneBlocksWhateverTheMemory) {
  EXPECT_EQ(staged_copy(HostMemory::pinned, 200_us, 150_us, "cudaMemcpy"),
            "idle.launch.between 10us, idle.sync.copy 40us");
}

// The copy is done; its call still waits. The next kernel is another's launch.
TEST(BlockingCopy, AWaitForAnotherLaunchIsNoStaging) {
  Drawing d = busy_until_100us();
  d.launch_copy(CopyKind::d2h, HostMemory::pageable, {102_us, 130_us},
                {104_us, 110_us});
  d.launch("gemm", {140_us, 142_us}, {145_us, 150_us});
  EXPECT_EQ(Booked(d).ledger({110_us, 130_us}), "idle.sync.wait 20us");
}

TEST(Calls, ASynchronizeWaits) {
  EXPECT_EQ(first_call("cudaStreamSynchronize", 20_us), "idle.sync.wait 20us");
  EXPECT_EQ(first_call("cudaEventQuery", 20_us), "idle.launch.api 20us");
}

// Rules d and e.

// The thread last left a call at 2 us; this one begins after `stretch_ns`.
constexpr int64_t kStretchStart = 2_us;

TEST(Stretch, InsideAnOperatorIsDispatchBelow500us) {
  Drawing d = busy_until_100us();
  d.op("aten::add", {kStretchStart, 700_us});
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us - 1),
            "idle.launch.dispatch 401999ns");
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us), "idle.host.op 402us");
}

TEST(Stretch, OutsideIsBetweenBelow500us) {
  const Drawing d = busy_until_100us();
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us - 1),
            "idle.launch.between 401999ns");
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us), "idle.host.unseen 402us");
}

TEST(Stretch, OutsideButInARangeOrFrameIsNamed) {
  Drawing range = busy_until_100us();
  range.range("## forward ##", {0, 700_us});
  EXPECT_EQ(gap_until(range, kStretchStart + 500_us), "idle.host.named 402us");
  EXPECT_EQ(gap_until(range, kStretchStart + 500_us - 1),
            "idle.launch.between 401999ns");
  Drawing frame = busy_until_100us();
  frame.frame("train.py(7): main", {0, 700_us});
  EXPECT_EQ(gap_until(frame, kStretchStart + 500_us), "idle.host.named 402us");
}

TEST(Stretch, FramesDoNotEndIt) {
  Drawing d = busy_until_100us();
  d.frame("train.py(7): log", {200_us, 300_us});
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us),
            "idle.host.unseen 100us, idle.host.named 100us, "
            "idle.host.unseen 202us");
}

TEST(Stretch, OperatorsAndCallsEndIt) {
  Drawing d = busy_until_100us();
  d.op("aten::detach", {300_us, 301_us});
  EXPECT_EQ(gap_until(d, kStretchStart + 500_us),
            "idle.launch.between 200us, idle.launch.dispatch 1us, "
            "idle.launch.between 201us");
}

// The gap opens within the stretch, but all of it is measured.
TEST(Stretch, IsMeasuredOnTheWholeThread) {
  Drawing d;
  d.launch("gemm", {0, 2_us}, {4_us, 100_us});
  d.launch("gemm", {10_us, 12_us}, {100_us, 505_us});
  d.launch("gemm", {512_us, 514_us}, {516_us, 520_us});
  EXPECT_EQ(Booked(d).ledger({505_us, 512_us}), "idle.host.unseen 7us");
}

TEST(Stretch, AheadOfAKernelsFirstLaunchInAnOperatorIsLoading) {
  const auto stretch = [](std::string_view kernel, int64_t length_ns) {
    Drawing d = busy_until_100us();
    d.op("aten::addmm", {100_us, 800_us});
    const int64_t at = 100_us + length_ns;
    d.launch(kernel, {at, at + 2_us}, {at + 5_us, at + 9_us});
    return gap_of(d).substr(0, gap_of(d).find(','));
  };
  EXPECT_EQ(stretch("new", 500_us), "idle.compile.load 500us");
  EXPECT_EQ(stretch("new", 500_us - 1), "idle.launch.dispatch 499999ns");
  EXPECT_EQ(stretch("gemm", 500_us), "idle.host.op 500us");
}

// A conversion of types on the host ends in the first copy of its kind.
TEST(Stretch, AheadOfAFirstCopyIsNoLoading) {
  Drawing d = busy_until_100us();
  d.op("aten::copy_", {100_us, 800_us});
  d.launch_copy(CopyKind::h2d, HostMemory::pinned, {600_us, 602_us},
                {604_us, 610_us});
  EXPECT_EQ(Booked(d).ledger({100_us, 600_us}), "idle.host.op 500us");
}

TEST(Stretch, OfTheInnermostOperator) {
  Drawing d = busy_until_100us();
  d.op("aten::linear", {100_us, 150_us}).op("aten::addmm", {110_us, 145_us});
  const Booked booked(d.launch("gemm", {130_us, 132_us}, {135_us, 140_us}));
  EXPECT_EQ(booked.owner_at(105_us), "aten::linear");
  EXPECT_EQ(booked.owner_at(120_us), "aten::addmm");
}

}  // namespace
}  // namespace gpuledger
