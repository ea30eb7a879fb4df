#include "render/json.h"

#include <gtest/gtest.h>

#include <locale>
#include <string>

#include "render/sample_report.h"

namespace gpuledger {
namespace {

TEST(RenderJson, AMinimalReportHasEveryRequiredList) {
  EXPECT_EQ(render_json(minimal_report()), R"({
  "schema": "gpuledger.report/1",
  "tool_version": "0.1.0",
  "origin_ns": "0",
  "inputs": [],
  "verdict": {
    "status": "ok",
    "reasons": []
  },
  "devices": [],
  "steps": {"source": "none", "count": 0, "p50_ns": 0, "p95_ns": 0, )"
                                           R"("host_p50_ns": 0},
  "kernels": [],
  "findings": [],
  "quiet": [],
  "blocked": [],
  "imports": []
}
)");
}

TEST(RenderJson, AccountsAreLeavesWithoutZeros) {
  const std::string json = render_json(training_report());
  EXPECT_NE(json.find(R"("accounts": {
        "compute.matmul": 80000000,
        "compute.elementwise": 18000000,
        "compute.other": 800000,
        "communication.unsplit": 48000000,
        "copy.h2d.pageable": 3000000,
        "idle.data": 62400000,
        "idle.sync.wait": 3600000,
        "idle.launch.dispatch": 16000000,
        "idle.launch.between": 8000000,
        "idle.queue": 120000,
        "idle.tail": 80000
      },
      "reported_ratio": 0.973,
      "compute_ratio": 0.411667,)"),
            std::string::npos)
      << json;
}

TEST(RenderJson, WhatIsNotKnownIsAbsent) {
  Report report = training_report();
  report.devices.front().rank.reset();
  report.devices.front().tensor_ratio.reset();
  const std::string json = render_json(report);
  const std::string device =
      json.substr(json.find("\"devices\""),
                  json.find("\"kernels\"") - json.find("\"devices\""));
  EXPECT_EQ(device.find("\"rank\""), std::string::npos);
  EXPECT_EQ(device.find("tensor_ratio"), std::string::npos);
  EXPECT_NE(device.find("mfu_ratio"), std::string::npos);
  EXPECT_EQ(json.find("\"host\""), std::string::npos);
  EXPECT_EQ(json.find("\"cycle\""), std::string::npos);
  EXPECT_EQ(json.find("read_ratio"), std::string::npos);
}

TEST(RenderJson, AStepIsOneLine) {
  const std::string json = render_json(training_report());
  EXPECT_NE(json.find(R"({"label": "ProfilerStep#3", "start_ns": 5000000, )"
                      R"("window_ns": 120000000, "host_start_ns": 4000000, )"
                      R"("host_ns": 119000000, "note": "first", "accounts": )"
                      R"({"compute.matmul": 40000000, )"),
            std::string::npos);
}

TEST(RenderJson, TheLocaleChangesNothing) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string before = render_json(full_report());
  const std::locale old =
      std::locale::global(std::locale(std::locale(), new Comma));
  const std::string after = render_json(full_report());
  std::locale::global(old);
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace gpuledger
