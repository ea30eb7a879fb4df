#include "sim/ledger.h"

#include <gtest/gtest.h>

namespace gpuledger::sim {
namespace {

// Kernels of one process on stream 0.
Activity kernel(int64_t launch_ns, int64_t return_ns, int64_t start_ns,
                int64_t end_ns) {
  Activity a;
  a.launch_ns = launch_ns;
  a.return_ns = return_ns;
  a.start_ns = start_ns;
  a.end_ns = end_ns;
  a.order = start_ns;
  a.entry = Entry::compute_matmul;
  return a;
}

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() : log_(1), ledger_(log_, 1) {
    log_.add(0, {0, Entry::idle_launch, Cause::launches});
    ledger_.begin_step(0, "a");
  }

  Totals close(int64_t end_ns) {
    ledger_.end_steps(end_ns);
    ledger_.finish(end_ns);
    return ledger_.steps().back().totals;
  }

  HostLog log_;
  Ledger ledger_;
};

TEST_F(LedgerTest, ALateLaunchIsLaunchAndAnEarlyOneIsQueue) {
  ledger_.add(kernel(1'000, 5'000, 9'000, 20'000));
  ledger_.add(kernel(6'000, 8'000, 21'000, 30'000));
  const Totals totals = close(30'000);
  EXPECT_EQ(of(totals, Entry::idle_launch), 9'000);
  EXPECT_EQ(of(totals, Entry::idle_queue), 1'000);
  EXPECT_EQ(of(totals, Entry::compute_matmul), 20'000);
}

TEST_F(LedgerTest, TheHostPartGoesToWhatTheHostDid) {
  log_.add(0, {10'000, Entry::idle_data, Cause::loader});
  log_.add(0, {70'000, Entry::idle_launch, Cause::launches});
  ledger_.add(kernel(1'000, 5'000, 6'000, 20'000));
  ledger_.add(kernel(75'000, 80'000, 83'000, 90'000));
  const Totals totals = close(90'000);
  EXPECT_EQ(of(totals, Entry::idle_data), 50'000);
  EXPECT_EQ(of(totals, Entry::idle_launch), 6'000 + 13'000);
}

TEST_F(LedgerTest, LaunchGapsPayForLostLead) {
  ledger_.add(kernel(1'000, 5'000, 6'000, 36'000));
  // Waits 30 us, 20 of them for a busy device.
  ledger_.block({16'000, 46'000, 0, Cause::items});
  log_.add(0, {16'000, Entry::idle_sync, Cause::items});
  log_.add(0, {46'000, Entry::idle_launch, Cause::launches});
  ledger_.add(kernel(60'000, 62'000, 64'000, 70'000));
  ledger_.add(kernel(80'000, 82'000, 84'000, 90'000));
  const Totals totals = close(90'000);
  // 10 us in the call, then 18 us of the first gap and 2 us of the second.
  EXPECT_EQ(of(totals, Entry::idle_sync), 10'000 + 18'000 + 2'000);
  EXPECT_EQ(of(totals, Entry::idle_launch), 6'000 + 12'000);
}

TEST_F(LedgerTest, AWaitForAnIdleDeviceDestroysNoLead) {
  ledger_.add(kernel(1'000, 5'000, 6'000, 10'000));
  ledger_.block({20'000, 25'000, 0, Cause::items});
  log_.add(0, {20'000, Entry::idle_sync, Cause::items});
  log_.add(0, {25'000, Entry::idle_launch, Cause::launches});
  ledger_.add(kernel(40'000, 42'000, 44'000, 50'000));
  const Totals totals = close(50'000);
  EXPECT_EQ(of(totals, Entry::idle_sync), 5'000);
  EXPECT_EQ(of(totals, Entry::idle_launch), 6'000 + 29'000);
}

TEST_F(LedgerTest, AFullQueueForgivesTheDebt) {
  ledger_.add(kernel(1'000, 5'000, 6'000, 36'000));
  ledger_.block({16'000, 30'000, 0, Cause::items});
  ledger_.forgive_debt(0, 35'000);
  ledger_.add(kernel(40'000, 42'000, 44'000, 50'000));
  EXPECT_EQ(of(close(50'000), Entry::idle_sync), 0);
}

TEST_F(LedgerTest, ABoundaryWaitsForComputeLaunchedBeforeIt) {
  ledger_.add(kernel(1'000, 5'000, 6'000, 36'000));
  ledger_.begin_step(20'000, "b");
  ledger_.add(kernel(25'000, 26'000, 37'000, 50'000));
  const Totals totals = close(40'000);
  EXPECT_EQ(ledger_.steps()[1].start_ns, 36'000);
  EXPECT_EQ(of(totals, Entry::compute_matmul), 13'000);
  EXPECT_EQ(of(totals, Entry::idle_queue), 1'000);
}

TEST_F(LedgerTest, ComputeHidesCommunication) {
  Activity comm = kernel(1'000, 2'000, 3'000, 30'000);
  comm.entry = Entry::communication;
  comm.stream = 1;
  ledger_.add(comm);
  ledger_.add(kernel(2'500, 5'000, 10'000, 18'000));
  const Totals totals = close(30'000);
  EXPECT_EQ(of(totals, Entry::communication), 7'000 + 12'000);
  EXPECT_EQ(of(totals, Entry::compute_matmul), 8'000);
}

TEST_F(LedgerTest, AfterTheLastWorkComesTheTail) {
  ledger_.add(kernel(1'000, 5'000, 6'000, 10'000));
  EXPECT_EQ(of(close(15'000), Entry::idle_tail), 5'000);
}

}  // namespace
}  // namespace gpuledger::sim
