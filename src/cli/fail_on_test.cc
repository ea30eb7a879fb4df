#include "cli/fail_on.h"

#include <gtest/gtest.h>

#include "render/sample_report.h"

namespace gpuledger {
namespace {

using Kind = BoundOutcome::Kind;

BoundOutcome judge(const Report& report, const char* bound) {
  return judge_bound(report, parse_bound(bound).value());
}

TEST(FailOn, AnAccountAParentOrACauseCrosses) {
  const Report report = training_report();
  EXPECT_EQ(judge(report, "communication>19%").kind, Kind::crossed);
  EXPECT_EQ(judge(report, "idle.launch>9%").kind, Kind::crossed);
  EXPECT_EQ(judge(report, "DL-01>25%").kind, Kind::crossed);
  EXPECT_EQ(judge(report, "loader-single-process>25%").kind, Kind::crossed);
  EXPECT_EQ(judge(report, "DL-01>27%").kind, Kind::within);
  EXPECT_EQ(judge(report, "pageable-copies>0%").kind, Kind::within);
  EXPECT_EQ(judge(report, "communication>19%").text,
            "communication is 20.0 % of the window of GPU 0:0");
}

TEST(FailOn, AShareEqualToTheBoundDoesNotCrossIt) {
  const Report report = training_report();
  EXPECT_EQ(judge(report, "communication>20%").kind, Kind::within);
  EXPECT_EQ(judge(report, "communication>19.99999%").kind, Kind::crossed);
}

TEST(FailOn, TheWorstDeviceCounts) {
  Report report = training_report();
  report.devices.push_back(sample_device("1:0"));
  AccountTotals& accounts = report.devices.back().accounts;
  accounts[Account::communication_unsplit] += accounts[Account::idle_data];
  accounts[Account::idle_data] = 0;
  const BoundOutcome outcome = judge(report, "communication>40%");
  EXPECT_EQ(outcome.kind, Kind::crossed);
  EXPECT_EQ(outcome.text, "communication is 46.0 % of the window of GPU 1:0");
}

TEST(FailOn, NothingPassesWithoutAVerdict) {
  Report report = full_report();
  EXPECT_EQ(judge(report, "idle>99%").kind, Kind::not_judged);
  EXPECT_EQ(judge(report, "idle>99%").text,
            "the trace carries no verdict (partial): 61 % of the bytes of "
            "runs/trace.json.gz were read.");
  EXPECT_EQ(judge(minimal_report(), "idle>99%").kind, Kind::not_judged);
  EXPECT_EQ(judge(training_report(), "item-sync>99%").kind, Kind::not_judged);
}

}  // namespace
}  // namespace gpuledger
