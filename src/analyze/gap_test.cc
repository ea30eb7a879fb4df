#include "analyze/gap.h"

#include <gtest/gtest.h>

#include "analyze/gap_for_test.h"

namespace gpuledger {
namespace {

TEST(Gap, IsQueueWhereTheLaunchHadReturned) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {10_us, 12_us}, {103_us, 110_us});
  EXPECT_EQ(gap_of(d), "idle.queue 3us");
}

TEST(Gap, TheHostPartIsEmptyIfTheLaunchReturnsAsTheGapOpens) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {90_us, 100_us}, {103_us, 110_us});
  EXPECT_EQ(gap_of(d), "idle.queue 3us");
}

TEST(Gap, QueueIsBelievedFor50us) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {10_us, 12_us}, {150_us, 160_us});
  EXPECT_EQ(gap_of(d), "idle.queue 50us");
}

TEST(Gap, BeyondThatTheQueueIsUnattributed) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {10_us, 12_us}, {150_us + 1, 160_us});
  EXPECT_EQ(gap_of(d), "idle.queue 50us, unattributed 1ns");
}

TEST(Gap, TheHostPartEndsWhenTheLaunchReturns) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {90_us, 120_us}, {124_us, 130_us});
  EXPECT_EQ(gap_of(d), "idle.launch.api 20us, idle.launch.latency 4us");
}

TEST(Gap, TheHostPartEndsWithTheGapIfTheLaunchReturnsLater) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {90_us, 120_us}, {110_us, 130_us});
  EXPECT_EQ(gap_of(d), "idle.launch.api 10us");
}

TEST(Gap, LatencyIsBelievedFor50us) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {90_us, 120_us}, {170_us, 180_us});
  EXPECT_EQ(gap_of(d), "idle.launch.api 20us, idle.launch.latency 50us");
}

TEST(Gap, BeyondThatLatencyIsUnattributed) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {90_us, 120_us}, {170_us + 1, 180_us});
  EXPECT_EQ(gap_of(d),
            "idle.launch.api 20us, idle.launch.latency 50us, "
            "unattributed 1ns");
}

// Launched early, started late, on an idle device: something is missing.
TEST(Gap, WhatIsBeyondIsALateStart) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {10_us, 12_us}, {180_us, 190_us});
  const Booked booked(d);
  const DeviceBook& book = booked.books[0];
  const Piece& piece = book.pieces[book.piece_at(160_us)];
  EXPECT_EQ(piece.account, Account::unattributed);
  EXPECT_EQ(piece.note, PieceNote::late_start);
}

TEST(Gap, AheadOfACarriedOverActivityIsAllDevicePart) {
  Drawing d;
  d.range("before", {0, 2_us});
  d.kernel("carried", {60_us, 100_us});
  d.launch("gemm", {70_us, 72_us}, {100_us, 110_us});
  const Booked booked(d);
  EXPECT_EQ(booked.ledger({0, 100_us}),
            "idle.queue 50us, unattributed 10us, compute.other 40us");
  const DeviceBook& book = booked.books[0];
  EXPECT_EQ(book.pieces[book.piece_at(55_us)].note, PieceNote::none);
}

TEST(Gap, AheadOfAnActivityThatLostItsLaunchIsUnattributed) {
  Drawing d = busy_until_100us();
  d.kernel("gemm", {103_us, 110_us});
  EXPECT_EQ(gap_of(d), "unattributed 3us");
}

// A launch at 20 us left no activity; the recording goes on long after it.
Drawing with_lost_call(std::string_view call, bool captured = false) {
  Drawing d = busy_until_100us();
  if (captured) d.api("cudaStreamBeginCapture", {14_us, 15_us});
  d.api(call, {20_us, 21_us}, 5);
  if (captured) d.api("cudaStreamEndCapture", {24_us, 25_us});
  d.launch("gemm", {30_us, 32_us}, {120_us, 130_us});
  return d;
}

TEST(Gap, ALaunchWithoutActivityBetweenItsNeighboursMakesItUnattributed) {
  EXPECT_EQ(gap_of(with_lost_call("cudaLaunchKernel")), "unattributed 20us");
  EXPECT_EQ(gap_of(with_lost_call("cudaMemcpyAsync")), "unattributed 20us");
  EXPECT_EQ(gap_of(with_lost_call("cudaGraphLaunch")), "unattributed 20us");
}

TEST(Gap, FillsAndCapturedLaunchesLeaveNoActivity) {
  EXPECT_EQ(gap_of(with_lost_call("cudaMemsetAsync")), "idle.queue 20us");
  EXPECT_EQ(gap_of(with_lost_call("cudaLaunchKernel", true)),
            "idle.queue 20us");
}

TEST(Gap, ALostLaunchTaintsOnlyTheGapThatHoldsIt) {
  Drawing d = with_lost_call("cudaLaunchKernel");
  d.launch("gemm", {40_us, 42_us}, {133_us, 140_us});
  EXPECT_EQ(Booked(d).ledger({130_us, 133_us}), "idle.queue 3us");
}

TEST(Gap, ClosesWithTheEarliestLaunchedOfThoseThatStartTogether) {
  Drawing d = busy_until_100us();
  d.stream(7).launch("late", {104_us, 106_us}, {110_us, 120_us});
  d.stream(8).launch("early", {10_us, 12_us}, {110_us, 120_us});
  EXPECT_EQ(gap_of(d), "idle.queue 10us");
}

TEST(Gap, ClosesWithAnActivityOfNoLength) {
  Drawing d = busy_until_100us();
  d.launch("gemm", {10_us, 12_us}, {103_us, 103_us});
  d.launch("gemm", {104_us, 106_us}, {108_us, 110_us});
  EXPECT_EQ(Booked(d).ledger({100_us, 108_us}),
            "idle.queue 3us, idle.launch.between 1us, idle.launch.api 2us, "
            "idle.launch.latency 2us");
}

TEST(Gap, AGraphLaunchIsTheLaunchOfAllItsNodes) {
  Drawing d = busy_until_100us();
  d.api("cudaGraphLaunch", {104_us, 110_us}, 1);
  d.kernel("a", {112_us, 120_us}, 1).kernel("b", {123_us, 130_us}, 1);
  EXPECT_EQ(Booked(d).ledger({100_us, 123_us}),
            "idle.launch.between 4us, idle.launch.api 6us, "
            "idle.launch.latency 2us, compute.other 8us, idle.queue 3us");
}

// The driver's call inside the runtime's has the same correlation.
TEST(Gap, TheHostPartEndsWithTheOutermostCall) {
  Drawing d = busy_until_100us();
  d.api("cudaLaunchKernel", {104_us, 112_us}, 1);
  d.api("cuLaunchKernel", {106_us, 108_us}, 1);
  d.kernel("gemm", {115_us, 120_us}, 1);
  EXPECT_EQ(gap_of(d),
            "idle.launch.between 4us, idle.launch.api 8us, "
            "idle.launch.latency 3us");
}

TEST(Gap, TheLaunchingThreadIsWalked) {
  Drawing d = busy_until_100us();
  d.range("main", {0, 200_us});
  d.thread(1).op("AddBackward0", {100_us, 110_us});
  d.launch("gemm", {110_us, 112_us}, {115_us, 120_us});
  d.op("next", {120_us, 121_us});
  EXPECT_EQ(gap_of(d),
            "idle.launch.dispatch 10us, idle.launch.api 2us, "
            "idle.launch.latency 3us");
}

TEST(Gap, WhereThatHasNothingOpenTheThreadOfThePreviousLaunchIsWalked) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {90_us, 130_us});
  d.thread(1).op("AddBackward0", {140_us, 145_us});
  d.launch("gemm", {145_us, 147_us}, {150_us, 160_us});
  // From 130 us neither has anything open: the launching thread's own label.
  EXPECT_EQ(gap_of(d),
            "idle.data 30us, idle.host.unseen 10us, "
            "idle.launch.dispatch 5us, idle.launch.api 2us, "
            "idle.launch.latency 3us");
}

TEST(Gap, AThirdThreadIsNeverWalked) {
  Drawing d = busy_until_100us();
  d.thread(2).range(kLoader, {90_us, 130_us});
  d.thread(0).launch("gemm", {140_us, 142_us}, {145_us, 160_us});
  EXPECT_EQ(gap_of(d),
            "idle.launch.between 40us, idle.launch.api 2us, "
            "idle.launch.latency 3us");
}

TEST(Gap, APreviousLaunchOfAnotherProcessHandsNothingOver) {
  Drawing d = busy_until_100us();
  d.thread(9, 1).range(kLoader, {90_us, 130_us});
  d.launch("other", {131_us, 132_us}, {165_us, 170_us});
  d.thread(0, 0).launch("gemm", {140_us, 142_us}, {145_us, 160_us});
  EXPECT_EQ(gap_of(d),
            "idle.launch.between 40us, idle.launch.api 2us, "
            "idle.launch.latency 3us");
}

TEST(Tail, WhatTheStepThreadDoesNamesItself) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {120_us, 150_us});
  d.op("aten::add", {150_us, 160_us});
  d.api("cudaDeviceSynchronize", {170_us, 180_us});
  d.range("end", {180_us, 190_us});
  EXPECT_EQ(gap_of(d),
            "idle.tail 20us, idle.data 30us, idle.tail 20us, "
            "idle.sync.wait 10us, idle.host.named 10us");
}

TEST(Tail, LaunchTimeAfterTheLastLaunchIsTail) {
  Drawing d = busy_until_100us();
  d.op("aten::add", {150_us, 160_us});
  d.api("cudaEventQuery", {170_us, 180_us});
  EXPECT_EQ(gap_of(d), "idle.tail 80us");
}

TEST(Tail, ALongStretchInAnOperatorIsNoTail) {
  Drawing d = busy_until_100us();
  d.op("aten::add", {100_us, 600_us});
  EXPECT_EQ(gap_of(d), "idle.host.op 500us");
}

TEST(Tail, WithoutAThreadToWalkItIsAllTail) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {120_us, 150_us});
  EXPECT_EQ(gap_of(d, kNoRow), "idle.tail 50us");
}

TEST(Owner, IsTheRowThatTheTimeComesFrom) {
  Drawing d = busy_until_100us();
  d.range(kLoader, {100_us, 130_us}).op("aten::stack", {110_us, 120_us});
  d.op("aten::add", {140_us, 146_us});
  d.launch("gemm", {144_us, 146_us}, {148_us, 150_us});
  const Booked booked(d);
  EXPECT_EQ(booked.owner_at(115_us), kLoader);
  EXPECT_EQ(booked.owner_at(141_us), "aten::add");
  EXPECT_EQ(booked.owner_at(145_us), "cudaLaunchKernel");
  EXPECT_EQ(booked.owner_at(147_us), "cudaLaunchKernel");
}

}  // namespace
}  // namespace gpuledger
