#include "analyze/book.h"

#include <gtest/gtest.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

constexpr std::string_view kNccl = "ncclDevKernel_AllReduce_Sum_f32";
constexpr std::string_view kGemm = "ampere_sgemm_128x64_tn";
constexpr std::string_view kAdd = "vectorized_elementwise_kernel";

// Launches all return before anything runs: the device part is all there is.
class Streams {
 public:
  Streams& on(int64_t stream) {
    drawing.stream(stream);
    return *this;
  }
  Streams& kernel(std::string_view name, Interval when) {
    drawing.launch(name, {at_, at_ + 1}, when);
    at_ += 2;
    return *this;
  }
  Streams& copy(Interval when) {
    drawing.launch_copy(CopyKind::h2d, HostMemory::pinned, {at_, at_ + 1},
                        when);
    at_ += 2;
    return *this;
  }
  std::string ledger(Interval span) const {
    return Booked(drawing).ledger(span);
  }

  Drawing drawing;

 private:
  int64_t at_ = 0;
};

TEST(Accounts, ComputeOutranksCommunicationOutranksCopies) {
  Streams s;
  s.on(9).copy({10_us, 100_us});
  s.on(8).kernel(kNccl, {20_us, 80_us});
  s.on(7).kernel(kGemm, {30_us, 50_us});
  EXPECT_EQ(s.ledger({10_us, 100_us}),
            "copy.h2d.pinned 10us, communication.unsplit 10us, "
            "compute.matmul 20us, communication.unsplit 30us, "
            "copy.h2d.pinned 20us");
}

TEST(Accounts, TheEarliestStartedKernelDecidesTheClass) {
  Streams s;
  s.on(7).kernel(kGemm, {20_us, 60_us});
  s.on(8).kernel(kAdd, {10_us, 40_us});
  EXPECT_EQ(s.ledger({10_us, 60_us}),
            "compute.elementwise 30us, compute.matmul 20us");
}

TEST(Accounts, OfEqualStartsTheLowestStreamDecides) {
  Streams s;
  s.on(8).kernel(kAdd, {10_us, 40_us});
  s.on(7).kernel(kGemm, {10_us, 30_us});
  EXPECT_EQ(s.ledger({10_us, 40_us}),
            "compute.matmul 20us, compute.elementwise 10us");
}

TEST(Accounts, OfEqualStartsOnOneStreamTheFirstInTheFileDecides) {
  Streams s;
  s.on(7).kernel(kAdd, {10_us, 20_us}).kernel(kGemm, {10_us, 40_us});
  EXPECT_EQ(s.ledger({10_us, 40_us}),
            "compute.elementwise 10us, compute.matmul 20us");
}

// Programmatic launches: a kernel starts before its predecessor has ended.
TEST(Accounts, KernelsOfOneStreamMayOverlap) {
  Streams s;
  s.on(7).kernel(kGemm, {10_us, 40_us}).kernel(kAdd, {30_us, 60_us});
  EXPECT_EQ(s.ledger({10_us, 60_us}),
            "compute.matmul 30us, compute.elementwise 20us");
}

TEST(Accounts, AKernelInsideALongerOneLeavesNoTrace) {
  Streams s;
  s.on(7).kernel(kGemm, {10_us, 60_us});
  s.on(8).kernel(kAdd, {20_us, 30_us});
  EXPECT_EQ(s.ledger({10_us, 60_us}), "compute.matmul 50us");
}

TEST(Accounts, AnActivityOfNoLengthTakesNoTime) {
  Streams s;
  s.on(9).copy({10_us, 50_us});
  s.on(7).kernel(kGemm, {20_us, 20_us});
  EXPECT_EQ(s.ledger({10_us, 50_us}), "copy.h2d.pinned 40us");
}

TEST(Accounts, AFillIsACopyAccount) {
  Streams s;
  s.on(7).kernel(kGemm, {10_us, 20_us});
  s.drawing.launch_set({50, 51}, {20_us, 25_us});
  EXPECT_EQ(s.ledger({10_us, 25_us}), "compute.matmul 10us, copy.set 5us");
}

TEST(Accounts, AreThoseOfEachDevice) {
  Drawing d;
  d.stream(7, 0).launch(kGemm, {0, 1_us}, {2_us, 50_us});
  d.stream(7, 1).launch(kAdd, {10_us, 11_us}, {12_us, 40_us});
  const Booked booked(d, kNoRow);
  EXPECT_EQ(booked.ledger({2_us, 50_us}, 0), "compute.matmul 48us");
  EXPECT_EQ(booked.ledger({12_us, 50_us}, 1),
            "compute.elementwise 28us, idle.tail 10us");
}

// Time of `note` on the first device.
int64_t noted_ns(const Drawing& drawing, PieceNote note) {
  const Booked booked(drawing);
  const DeviceBook& book = booked.books[0];
  int64_t sum_ns = 0;
  for (size_t i = 0; i < book.pieces.size(); ++i)
    if (book.pieces[i].note == note)
      sum_ns += book.piece_end_ns(i) - book.pieces[i].start_ns;
  return sum_ns;
}

// An all-reduce runs alone from 10 to 90 us; the next compute kernel starts at
// 90 us and its launch returns at `returned`.
Drawing alone_until(int64_t returned_ns) {
  Drawing d;
  d.stream(8).launch(kNccl, {0, 1_us}, {10_us, 90_us});
  d.stream(7).launch(kGemm, {returned_ns - 2_us, returned_ns}, {90_us, 100_us});
  return d;
}

TEST(HostLate, ExposedCommunicationWithoutAComputeKernelWaiting) {
  EXPECT_EQ(noted_ns(alone_until(60_us), PieceNote::host_late), 50_us);
  EXPECT_EQ(noted_ns(alone_until(88_us), PieceNote::host_late), 78_us);
}

TEST(HostLate, NotWhereAComputeKernelWaits) {
  EXPECT_EQ(noted_ns(alone_until(5_us), PieceNote::host_late), 0);
}

TEST(HostLate, AWaitingCollectiveOrCopyIsNoCompute) {
  Drawing d = alone_until(60_us);
  d.stream(9).launch_copy(CopyKind::d2d, HostMemory::none, {2_us, 3_us},
                          {95_us, 96_us});
  d.stream(8).launch(kNccl, {4_us, 5_us}, {95_us, 96_us});
  EXPECT_EQ(noted_ns(d, PieceNote::host_late), 50_us);
}

TEST(HostLate, ACarriedOverKernelWaitedFromTheStart) {
  Drawing d;
  d.stream(8).launch(kNccl, {0, 1_us}, {10_us, 90_us});
  d.stream(7).kernel(kGemm, {50_us, 100_us});
  EXPECT_EQ(noted_ns(d, PieceNote::host_late), 0);
}

// Without a launch record nothing is known of the host.
TEST(HostLate, NotOfCommunicationThatWasCarriedOver) {
  Drawing d;
  d.stream(8).kernel(kNccl, {10_us, 90_us});
  d.stream(7).launch(kGemm, {58_us, 60_us}, {90_us, 100_us});
  EXPECT_EQ(noted_ns(d, PieceNote::host_late), 0);
}

TEST(HostLate, CopiesHaveItToo) {
  Drawing d;
  d.stream(8).launch_copy(CopyKind::h2d, HostMemory::pinned, {0, 1_us},
                          {10_us, 90_us});
  d.stream(7).launch(kGemm, {58_us, 60_us}, {90_us, 100_us});
  EXPECT_EQ(noted_ns(d, PieceNote::host_late), 50_us);
}

TEST(DeviceBook, TotalsAreCutAtBothEnds) {
  Streams s;
  s.on(7).kernel(kGemm, {10_us, 20_us}).kernel(kAdd, {20_us, 30_us});
  const Booked booked(s.drawing);
  const AccountTotals totals = booked.books[0].totals(15_us, 22_us);
  EXPECT_EQ(totals[Account::compute_matmul], 5_us);
  EXPECT_EQ(totals[Account::compute_elementwise], 2_us);
  EXPECT_EQ(totals.total_ns(), 7_us);
  EXPECT_EQ(booked.books[0].totals(22_us, 22_us).total_ns(), 0);
}

}  // namespace
}  // namespace gpuledger
