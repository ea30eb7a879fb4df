#include "analyze/lead.h"

#include <gtest/gtest.h>

#include "analyze/gap_for_test.h"

namespace gpuledger {
namespace {

// Launches at `at` (the gap before it lies between operators), then runs 10 us.
void small_launch(Drawing& d, int64_t at) {
  d.launch("gemm", {at, at + 2_us}, {at + 4_us, at + 14_us});
}

// After the kernel that ends at 100 us come launches at 110, 130, 150, … us,
// each into an empty queue: gaps of 10 + 2 + 2, then 2 + 2 + 2 us.
Drawing after_wait(std::string_view call, Interval when) {
  Drawing d = busy_until_100us();
  d.api(call, when);
  for (int64_t i = 0; i < 4; ++i) small_launch(d, 110_us + i * 20_us);
  return d;
}

std::string first_four_gaps(const Drawing& d) {
  return Booked(d).ledger({100_us, 174_us});
}

TEST(LostLead, LaunchGapsPayUntilTheWaitIsPaidFor) {
  // 16 us of the wait were busy: 14 for the first gap, 2 for the second.
  EXPECT_EQ(
      first_four_gaps(after_wait("cudaStreamSynchronize", {84_us, 100_us})),
      "idle.sync.refill 14us, compute.matmul 10us, "
      "idle.sync.refill 2us, idle.launch.between 4us, "
      "idle.launch.api 2us, idle.launch.latency 2us, "
      "compute.matmul 10us, idle.launch.between 6us, "
      "idle.launch.api 2us, idle.launch.latency 2us, "
      "compute.matmul 10us, idle.launch.between 6us, "
      "idle.launch.api 2us, idle.launch.latency 2us");
}

TEST(LostLead, ATailOfTheWaitOnTheIdleDeviceIsNotLead) {
  // Busy until 100 us, then idle for 5: only the busy part is owed.
  EXPECT_EQ(Booked(after_wait("cudaStreamSynchronize", {90_us, 105_us}))
                .ledger({100_us, 124_us}),
            "idle.sync.wait 5us, idle.sync.refill 9us, compute.matmul 10us");
}

TEST(LostLead, AWaitOnAnIdleDeviceCostsNothing) {
  Drawing d = busy_until_100us();
  d.api("cudaDeviceSynchronize", {100_us, 105_us});
  small_launch(d, 110_us);
  EXPECT_EQ(gap_of(d),
            "idle.sync.wait 5us, idle.launch.between 5us, "
            "idle.launch.api 2us, idle.launch.latency 2us");
}

TEST(LostLead, NothingIsPaidBeforeTheWaitReturned) {
  Drawing d = busy_until_100us();
  // Another stream keeps the device busy while thread 1 waits.
  small_launch(d, 110_us);
  d.thread(1).api("cudaEventSynchronize", {50_us, 120_us});
  d.thread(0);
  small_launch(d, 140_us);
  EXPECT_EQ(gap_of(d),
            "idle.launch.between 10us, idle.launch.api 2us, "
            "idle.launch.latency 2us");
  EXPECT_EQ(Booked(d).ledger({124_us, 144_us}), "idle.sync.refill 20us");
}

TEST(LostLead, OnlyLaunchGapsPay) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamSynchronize", {40_us, 100_us});
  d.range(kLoader, {100_us, 120_us});
  d.api("cudaMalloc", {120_us, 130_us});
  d.launch("gemm", {130_us, 132_us}, {134_us, 140_us});
  d.launch("gemm", {133_us, 135_us}, {145_us, 150_us});  // was queued
  EXPECT_EQ(Booked(d).ledger({100_us, 145_us}),
            "idle.data 20us, idle.alloc 10us, idle.sync.refill 4us, "
            "compute.matmul 6us, idle.queue 5us");
}

TEST(LostLead, LatencyBelievedPaysTheRestDoesNot) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamSynchronize", {10_us, 100_us});
  d.launch("gemm", {100_us, 110_us}, {161_us, 170_us});
  EXPECT_EQ(gap_of(d), "idle.sync.refill 60us, unattributed 1us");
}

TEST(LostLead, DebtsArePaidFirstInFirstOut) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamSynchronize", {60_us, 66_us});
  d.api("cudaDeviceSynchronize", {70_us, 100_us});
  small_launch(d, 110_us);
  const Booked booked(d);
  EXPECT_EQ(booked.ledger({100_us, 114_us}), "idle.sync.refill 14us");
  EXPECT_EQ(booked.owner_at(105_us), "cudaStreamSynchronize");
  EXPECT_EQ(booked.owner_at(106_us), "cudaDeviceSynchronize");
}

TEST(LostLead, AStagedOrPinnedCopyTakesNone) {
  const auto after_copy = [](HostMemory memory, int64_t starts_ns) {
    Drawing d = busy_until_100us();
    d.stream(8).launch_copy(CopyKind::h2d, memory, {50_us, 90_us},
                            {starts_ns, starts_ns + 5_us});
    d.stream(7);
    small_launch(d, 110_us);
    return Booked(d).ledger({100_us, 114_us});
  };
  const std::string refill = "idle.sync.refill 14us";
  const std::string none =
      "idle.launch.between 10us, idle.launch.api 2us, "
      "idle.launch.latency 2us";
  EXPECT_EQ(after_copy(HostMemory::pageable, 80_us), refill);
  EXPECT_EQ(after_copy(HostMemory::unknown, 80_us), refill);
  EXPECT_EQ(after_copy(HostMemory::pinned, 80_us), none);
  EXPECT_EQ(after_copy(HostMemory::pageable, 90_us), none);
}

TEST(LostLead, ADriverCallInsideARuntimeCallIsTheSameWait) {
  Drawing d = after_wait("cudaStreamSynchronize", {84_us, 100_us});
  d.api("cuStreamSynchronize", {84_us, 100_us});
  EXPECT_EQ(Booked(d).ledger({124_us, 130_us}),
            "idle.sync.refill 2us, idle.launch.between 4us");
}

TEST(LostLead, TheProfilersOwnWaitsTakeNone) {
  Drawing d = after_wait("cudaDeviceSynchronize", {84_us, 100_us});
  d.frame("torch/profiler/profiler.py(790): step", {80_us, 101_us});
  EXPECT_EQ(Booked(d).ledger({100_us, 114_us}),
            "idle.profiler 1us, idle.launch.between 9us, "
            "idle.launch.api 2us, idle.launch.latency 2us");
}

TEST(LostLead, AWaitOfAnotherProcessTakesNone) {
  Drawing d = busy_until_100us();
  d.thread(9, 1).api("cudaDeviceSynchronize", {50_us, 100_us}).thread(0, 0);
  small_launch(d, 110_us);
  EXPECT_EQ(gap_of(d),
            "idle.launch.between 10us, idle.launch.api 2us, "
            "idle.launch.latency 2us");
}

TEST(LostLead, EachDeviceHasItsOwn) {
  Drawing d = busy_until_100us();
  d.api("cudaDeviceSynchronize", {50_us, 100_us});
  d.stream(7, 1).launch("gemm", {10_us, 12_us}, {14_us, 20_us});
  d.stream(7, 0);
  small_launch(d, 110_us);
  d.stream(7, 1);
  d.launch("gemm", {130_us, 132_us}, {134_us, 140_us});
  const Booked booked(d);
  EXPECT_EQ(booked.ledger({100_us, 114_us}, 0), "idle.sync.refill 14us");
  EXPECT_EQ(booked.ledger({112_us, 134_us}, 1),
            "idle.launch.between 18us, idle.launch.api 2us, "
            "idle.launch.latency 2us");
}

// A wait leaves a debt; then `queued` calls pile up behind a kernel of 5 ms
// and one more is issued. After all of them one launch goes into an empty
// queue, and pays what is still owed.
std::string after_full_queue(int64_t queued, std::string_view call) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamSynchronize", {50_us, 100_us});
  uint64_t id = 1;
  const auto launch = [&](int64_t call_ns, Interval when) {
    d.api(call, {call_ns, call_ns + 1_us}, id).kernel("gemm", when, id);
    ++id;
  };
  launch(100_us, {101_us, 5'101_us});  // pays 1 us
  for (int64_t i = 0; i <= queued; ++i)
    launch(110_us + i * 2_us, {5'101_us + i * 1_us, 5'102_us + i * 1_us});
  const int64_t drained_ns = 5'102_us + queued * 1_us;
  d.op("aten::mm", {drained_ns - 2_us, drained_ns - 1_us});
  launch(drained_ns + 10_us, {drained_ns + 11_us, drained_ns + 12_us});
  return Booked(d).ledger({drained_ns, drained_ns + 11_us});
}

TEST(FullQueue, OfAThousandCallsWinsTheLeadBack) {
  EXPECT_EQ(after_full_queue(999, "cudaLaunchKernel"), "idle.sync.refill 11us");
  EXPECT_EQ(after_full_queue(1000, "cudaLaunchKernel"),
            "idle.launch.between 10us, idle.launch.api 1us");
}

TEST(FullQueue, IsKnownOfNvidiaOnly) {
  EXPECT_EQ(after_full_queue(1000, "hipLaunchKernel"), "idle.sync.refill 11us");
}

TEST(FullQueue, CountsAGraphAsOneCall) {
  Drawing d = busy_until_100us();
  d.api("cudaStreamSynchronize", {50_us, 100_us});
  d.api("cudaGraphLaunch", {100_us, 101_us}, 1);
  for (int64_t i = 0; i < 1500; ++i)
    d.kernel("node", {101_us + i * 1_us, 102_us + i * 1_us}, 1);
  d.launch("gemm", {110_us, 111_us}, {1'601_us, 1'602_us});
  d.op("aten::mm", {1'300_us, 1'301_us});
  d.launch("gemm", {1'610_us, 1'611_us}, {1'612_us, 1'613_us});
  EXPECT_EQ(Booked(d).ledger({1'602_us, 1'612_us}), "idle.sync.refill 10us");
}

}  // namespace
}  // namespace gpuledger
