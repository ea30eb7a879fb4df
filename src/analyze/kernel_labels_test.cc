#include "analyze/kernel_labels.h"

#include <gtest/gtest.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

std::string account_of(const Drawing& drawing, std::string_view kernel) {
  const Booked booked(drawing);
  return std::string(
      account_name(booked.labels.account[booked.device_row(kernel)]));
}

// A kernel launched at 20 us, inside whatever the test draws around it.
Drawing launched(std::string_view kernel) {
  Drawing d;
  d.launch(kernel, {20_us, 22_us}, {24_us, 30_us});
  return d;
}

TEST(ActivityLabels, TheInnermostOperatorDecidesForAGeneralName) {
  Drawing d = launched("elementwise_kernel");
  EXPECT_EQ(account_of(d, "elementwise_kernel"), "compute.elementwise");
  d.op("aten::linear", {0, 50_us}).op("aten::copy_", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "elementwise_kernel"), "compute.layout");
}

TEST(ActivityLabels, ASpecificNameOutranksTheOperator) {
  Drawing d = launched("ampere_sgemm_128x64_tn");
  d.op("aten::copy_", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "ampere_sgemm_128x64_tn"), "compute.matmul");
}

TEST(ActivityLabels, AnyOpenOptimizerStepDecides) {
  Drawing d = launched("elementwise_kernel");
  d.range("Optimizer.step#SGD.step", {0, 60_us});
  d.op("aten::add_", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "elementwise_kernel"), "compute.optimizer");
}

TEST(ActivityLabels, ZeroGradIsNoOptimizerStep) {
  Drawing d = launched("elementwise_kernel");
  d.range("Optimizer.zero_grad#SGD.zero_grad", {0, 60_us});
  EXPECT_EQ(account_of(d, "elementwise_kernel"), "compute.elementwise");
}

TEST(ActivityLabels, TheOperatorOfAnotherThreadDoesNot) {
  Drawing d = launched("elementwise_kernel");
  d.thread(1).op("aten::copy_", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "elementwise_kernel"), "compute.elementwise");
}

TEST(ActivityLabels, CommunicationByTheInnermostOperator) {
  Drawing d = launched("custom_kernel");
  d.op("c10d::allreduce_", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "custom_kernel"), "communication.unsplit");
}

TEST(ActivityLabels, ARangeNamedByNcclCommunicatesToo) {
  Drawing d = launched("custom_kernel");
  d.range("nccl:all_reduce", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "custom_kernel"), "communication.unsplit");
}

// Copies and reductions inside a collective's wrapper, or in a user's range.
TEST(ActivityLabels, NotByWrappersAndUserRanges) {
  Drawing inner = launched("elementwise_kernel");
  inner.op("c10d::allreduce_", {0, 60_us}).op("aten::add_", {10_us, 40_us});
  EXPECT_EQ(account_of(inner, "elementwise_kernel"), "compute.elementwise");
  Drawing user = launched("reduce_kernel");
  user.range("## all2all_data:init ##", {10_us, 40_us});
  EXPECT_EQ(account_of(user, "reduce_kernel"), "compute.elementwise");
}

TEST(ActivityLabels, CopyKernelsOfARuntimeAreCopies) {
  Drawing d = launched("__amd_rocclr_copyBuffer");
  d.op("aten::mm", {10_us, 40_us});
  EXPECT_EQ(account_of(d, "__amd_rocclr_copyBuffer"), "copy.other");
}

TEST(ActivityLabels, CopiesByDirectionAndMemory) {
  const auto account = [](CopyKind direction, HostMemory memory) {
    Drawing d;
    d.launch_copy(direction, memory, {20_us, 22_us}, {24_us, 30_us});
    return account_of(d, "Memcpy");
  };
  EXPECT_EQ(account(CopyKind::h2d, HostMemory::pageable), "copy.h2d.pageable");
  EXPECT_EQ(account(CopyKind::h2d, HostMemory::pinned), "copy.h2d.pinned");
  EXPECT_EQ(account(CopyKind::h2d, HostMemory::unknown), "copy.h2d.unknown");
  EXPECT_EQ(account(CopyKind::d2h, HostMemory::pageable), "copy.d2h");
  EXPECT_EQ(account(CopyKind::d2d, HostMemory::none), "copy.d2d");
  EXPECT_EQ(account(CopyKind::p2p, HostMemory::none), "copy.p2p");
  EXPECT_EQ(account(CopyKind::other, HostMemory::none), "copy.other");
  Drawing set;
  set.launch_set({20_us, 22_us}, {24_us, 30_us});
  EXPECT_EQ(account_of(set, "Memset"), "copy.set");
}

TEST(ActivityLabels, WithoutALaunchTheNameDecides) {
  Drawing d;
  d.kernel("ncclDevKernel_AllReduce", {0, 10_us});
  EXPECT_EQ(account_of(d, "ncclDevKernel_AllReduce"), "communication.unsplit");
}

}  // namespace
}  // namespace gpuledger
