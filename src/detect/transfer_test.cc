#include "detect/transfer.h"

#include <gtest/gtest.h>

#include "detect/facts_for_test.h"

namespace gpuledger {
namespace {

constexpr Interval kWindow{0, 1_ms};

// In a window of 1 ms one copy runs alone for `alone_ns`. Its call returned
// before it began: it costs its own time only.
Drawing exposed_copy(CopyKind direction, HostMemory memory, int64_t alone_ns) {
  Drawing d;
  const int64_t done_ns = 500_us + alone_ns;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.launch_copy(direction, memory, {-7_us, -6_us}, {500_us, done_ns});
  d.launch("gemm", {-5_us, -4_us}, {done_ns, 1_ms});
  return d;
}

std::optional<Finding> pageable(const Drawing& d) {
  return Detected(d, kWindow).find("pageable-copies");
}

TEST(PageableCopies, FireAboveTwoPercentOfTheWindow) {
  const auto copies = [](int64_t alone_ns) {
    return pageable(
        exposed_copy(CopyKind::h2d, HostMemory::pageable, alone_ns));
  };
  EXPECT_FALSE(copies(20_us));
  const auto finding = copies(20_us + 1);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cause, "HD-01");
  EXPECT_EQ(finding->lost_ns_per_step, 20'001);
  EXPECT_EQ(value_of(*finding, "exposed_copy_ns_per_step"), 20'001);
  EXPECT_EQ(value_of(*finding, "pageable_copies_per_step"), 1);
  EXPECT_EQ(value_of(*finding, "pageable_bytes_per_step"), 4096);
}

TEST(PageableCopies, QuietForPinnedUnknownAndOtherDirections) {
  EXPECT_FALSE(
      pageable(exposed_copy(CopyKind::h2d, HostMemory::pinned, 100_us)));
  EXPECT_FALSE(
      pageable(exposed_copy(CopyKind::h2d, HostMemory::unknown, 100_us)));
  EXPECT_FALSE(
      pageable(exposed_copy(CopyKind::d2h, HostMemory::pageable, 100_us)));
  EXPECT_FALSE(pageable(exposed_copy(CopyKind::d2d, HostMemory::none, 100_us)));
}

TEST(PageableCopies, MoveAtLeastHalfOfTheBytes) {
  const auto beside_pinned = [](int64_t pinned_bytes) {
    Drawing d = exposed_copy(CopyKind::h2d, HostMemory::pageable, 100_us);
    d.stream(9).launch_copy(CopyKind::h2d, HostMemory::pinned, {-3_us, -2_us},
                            {0, 400_us}, pinned_bytes);
    return pageable(d);
  };
  EXPECT_TRUE(beside_pinned(4096));
  EXPECT_FALSE(beside_pinned(4097));
}

TEST(PageableCopies, QuietWhereTheyAreCovered) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 1_ms});
  d.stream(9).launch_copy(CopyKind::h2d, HostMemory::pageable, {-7_us, -6_us},
                          {100_us, 600_us});
  EXPECT_FALSE(pageable(d));
}

// The copy is covered, but its call blocked until the queue was empty.
TEST(PageableCopies, OwnTheLaunchGapsThatPayForTheirCalls) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.stream(9).launch_copy(CopyKind::h2d, HostMemory::pageable, {100_us, 490_us},
                          {110_us, 495_us});
  d.stream(7).launch("gemm", {520_us, 522_us}, {525_us, 1_ms});
  const auto finding = pageable(d);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->lost_ns_per_step, 25_us);
  EXPECT_EQ(value_of(*finding, "lost_lead_ns_per_step"), 25_us);
  EXPECT_EQ(value_of(*finding, "exposed_copy_ns_per_step"), 0);
}

// Staged small copies return before they begin: their launch gaps are others'.
TEST(PageableCopies, QuietForSmallStagedOnes) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.stream(9).launch_copy(CopyKind::h2d, HostMemory::pageable, {100_us, 105_us},
                          {106_us, 110_us}, 256);
  d.stream(7).launch("gemm", {520_us, 522_us}, {525_us, 1_ms});
  EXPECT_FALSE(pageable(d));
}

// A read of a scalar blocks until the device has run out of work; then the
// launch gap that follows is `gap_ns` long.
Drawing read_then_gap(std::string_view op, int64_t gap_ns) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.op(op, {100_us, 500_us});
  d.api("cudaStreamSynchronize", {110_us, 500_us});
  const int64_t at = 500_us + gap_ns;
  d.launch("gemm", {at - 2_us, at - 1_us}, {at, 1_ms});
  return d;
}

std::optional<Finding> reads(const Drawing& d) {
  return Detected(d, kWindow).find("item-sync");
}

TEST(ScalarReads, FireAboveOnePercentOfTheWindow) {
  EXPECT_FALSE(reads(read_then_gap("aten::_local_scalar_dense", 10_us)));
  const auto finding =
      reads(read_then_gap("aten::_local_scalar_dense", 10_us + 1));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cause, "HD-03");
  EXPECT_EQ(finding->lost_ns_per_step, 10'001);
  EXPECT_EQ(value_of(*finding, "reads_per_step"), 1);
  EXPECT_EQ(value_of(*finding, "host_blocked_ns_per_step"), 390_us);
}

TEST(ScalarReads, OfEachKind) {
  for (const char* op : {"aten::item", "aten::is_nonzero", "aten::equal"})
    EXPECT_TRUE(reads(read_then_gap(op, 20_us))) << op;
}

// Their shape depends on the data: another remedy.
TEST(ScalarReads, QuietForOtherOperatorsThatWait) {
  for (const char* op :
       {"aten::nonzero", "aten::masked_select", "aten::copy_", "aten::to"})
    EXPECT_FALSE(reads(read_then_gap(op, 20_us))) << op;
}

// The last of ten steps logs.
TEST(ScalarReads, QuietWhereFewerThanOneInAStep) {
  const Drawing d = read_then_gap("aten::item", 20_us);
  EXPECT_TRUE(Detected(d, {0, 1_ms}, 1).find("item-sync"));
  EXPECT_FALSE(Detected(d, {0, 1_ms}, 2).find("item-sync"));
}

TEST(ScalarReads, QuietForAnExplicitSynchronize) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.api("cudaDeviceSynchronize", {110_us, 500_us});
  d.launch("gemm", {520_us, 522_us}, {525_us, 1_ms});
  EXPECT_FALSE(reads(d));
}

// The wait is long, but the device has work queued behind it.
TEST(ScalarReads, QuietWhereTheLeadIsKept) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.launch("gemm", {-7_us, -6_us}, {500_us, 1_ms});
  d.op("aten::_local_scalar_dense", {100_us, 500_us});
  d.api("cudaStreamSynchronize", {110_us, 500_us});
  EXPECT_FALSE(reads(d));
}

// A comparison with a tensor of the host copies that to the device first.
TEST(ScalarReads, LeaveCopiesToTheDeviceToThePageableCopies) {
  Drawing d;
  d.launch("gemm", {-9_us, -8_us}, {0, 500_us});
  d.op("aten::equal", {99_us, 491_us});
  d.stream(9).launch_copy(CopyKind::h2d, HostMemory::pageable, {100_us, 490_us},
                          {110_us, 495_us});
  d.stream(7).launch("gemm", {520_us, 522_us}, {525_us, 1_ms});
  EXPECT_FALSE(reads(d));
  EXPECT_TRUE(pageable(d));
}

TEST(ScalarReads, NameTheLineThatReads) {
  Drawing d = read_then_gap("aten::_local_scalar_dense", 20_us);
  d.op("aten::item", {99_us, 501_us});
  d.frame("/home/me/train.py(42): train", {90_us, 510_us});
  const auto finding = reads(d);
  ASSERT_TRUE(finding);
  ASSERT_EQ(finding->where.size(), 1u);
  EXPECT_EQ(finding->where[0].file, "train.py");
  EXPECT_EQ(finding->where[0].line, 42);
  EXPECT_EQ(finding->where[0].op, "aten::_local_scalar_dense");
  EXPECT_DOUBLE_EQ(finding->where[0].share, 1);
  EXPECT_EQ(finding->where_note, "");
}

TEST(ScalarReads, NameTheOperatorWithoutStacks) {
  const auto finding = reads(read_then_gap("aten::_local_scalar_dense", 20_us));
  ASSERT_TRUE(finding);
  ASSERT_EQ(finding->where.size(), 1u);
  EXPECT_EQ(finding->where[0].file, "");
  EXPECT_EQ(finding->where[0].op, "aten::_local_scalar_dense");
  EXPECT_NE(finding->where_note.find("with_stack=True"), std::string::npos);
}

TEST(ScalarReads, AreProvenWithStacksToo) {
  Drawing d = read_then_gap("aten::_local_scalar_dense", 20_us);
  d.edit().metadata.with_stack = true;
  EXPECT_EQ(reads(d)->certainty, Certainty::proven);
}

}  // namespace
}  // namespace gpuledger
