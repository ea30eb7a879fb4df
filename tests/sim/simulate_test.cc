#include "sim/simulate.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/truth.h"

namespace gpuledger::sim {
namespace {

int64_t sum(const Totals& totals) {
  return std::accumulate(totals.begin(), totals.end(), int64_t{0});
}

// What is wrong with the books, or nothing.
std::string fault_of(const Books& books) {
  for (const DeviceBooks& device : books.devices) {
    if (sum(device.totals) != device.window_ns) return "window";
    int64_t edge_ns = device.window_start_ns;
    for (const StepBooks& step : device.steps) {
      if (step.start_ns != edge_ns) return step.label + ": start";
      if (step.end_ns < step.start_ns) return step.label + ": end";
      if (sum(step.totals) != step.end_ns - step.start_ns)
        return step.label + ": sum";
      edge_ns = step.end_ns;
    }
  }
  return {};
}

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {SIM_SCENARIOS, SIM_EXAMPLES})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".txt") files.push_back(entry.path());
  return files;
}

std::string trace_of(const Scenario& scenario, RunOptions options,
                     TraceFormat format) {
  const std::string path = testing::TempDir() + "gpuledger_sim_trace.json";
  format.devices = scenario.devices;
  TraceWriter writer(path, format);
  EXPECT_TRUE(writer.open());
  const Books books = simulate(scenario, options, &writer);
  EXPECT_TRUE(writer.finish(0, books.end_ns, books.pids));
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(path);
  return text;
}

TEST(Simulate, EveryShippedScenarioSumsToItsWindow) {
  ASSERT_GE(scenario_files().size(), 40U);
  for (const auto& path : scenario_files()) {
    const auto scenario = read_scenario(path.string());
    ASSERT_TRUE(scenario) << scenario.error().text;
    const Books books = simulate(*scenario, {}, nullptr);
    EXPECT_EQ(books.devices.size(), static_cast<size_t>(scenario->devices));
    EXPECT_EQ(fault_of(books), "") << path;
  }
}

TEST(Simulate, AnyScenarioSumsToItsWindow) {
  EXPECT_TRUE(rc::check("accounts sum to their steps and the window", [] {
    Scenario s;
    const auto any = [](int low, int high) {
      return int64_t{*rc::gen::inRange(low, high + 1)};
    };
    s.steps = any(1, 4);
    s.layers = any(1, 3);
    s.kernel_ns = any(2'000, 60'000);
    s.streams = any(1, 3);
    s.devices = any(1, 2);
    s.processes = any(1, 2);
    s.annotations = any(0, 2);
    s.autograd_thread = any(0, 1);
    s.loader = any(0, 2);
    s.loader_ns = any(0, 5'000'000);
    s.copies = any(0, 3);
    s.copy_bytes = any(256, 3'000'000);
    s.items_per_step = any(0, 4);
    s.syncs_per_step = any(0, 1);
    s.collectives = any(0, 2);
    s.collective_ns = any(2'000, 2'000'000);
    s.graphs = any(0, 1);
    s.carried_kernels = any(0, 5);
    s.stall_ns = any(0, 3'000'000);
    s.load_ns = any(0, 3'000'000);
    s.trouble_every_step = 1;
    RunOptions options;
    options.seed = static_cast<uint64_t>(any(1, 1'000'000));
    RC_ASSERT(fault_of(simulate(s, options, nullptr)) == "");
  }));
}

TEST(Simulate, TheSameSeedGivesTheSameBytes) {
  Scenario s;
  s.steps = 2;
  RunOptions one, two;
  two.seed = 2;
  const std::string first = trace_of(s, one, {});
  EXPECT_EQ(first, trace_of(s, one, {}));
  EXPECT_NE(first, trace_of(s, two, {}));
}

// Name, start and end of every span, in whole microseconds.
using Spans = std::multiset<std::tuple<std::string, std::string, std::string>>;

Spans spans_of(const std::string& text) {
  static const std::regex kSpan(R"re("cat": "(\w+)", "name": "([^"]+)".*\n)re"
                                R"re(    "ts": (\d+), "dur": (\d+))re");
  Spans spans;
  for (std::sregex_iterator it(text.begin(), text.end(), kSpan), end; it != end;
       ++it)
    if ((*it)[1] != "gpu_user_annotation")
      spans.emplace((*it)[2], (*it)[3], (*it)[4]);
  return spans;
}

TEST(Simulate, BothDialectsHoldTheSameTimes) {
  Scenario s;
  s.steps = 2;
  s.loader = 1;
  s.loader_ns = 2'000'000;
  TraceFormat recent, old;
  recent.integer_us = old.integer_us = old.old_dialect = true;
  const Spans spans = spans_of(trace_of(s, {}, recent));
  EXPECT_GT(spans.size(), 500U);
  EXPECT_EQ(spans, spans_of(trace_of(s, {}, old)));
}

TEST(Simulate, NanosecondsAreWrittenAsMicrosecondsWithThreeDecimals) {
  Scenario s;
  s.steps = 1;
  const std::string text = trace_of(s, {}, {});
  EXPECT_NE(text.find("\"ts\": 4131250493553.000, \"dur\": 2.000"),
            std::string::npos);
  EXPECT_NE(text.find("\"baseTimeNanoseconds\": 1696186170000000000"),
            std::string::npos);
}

TEST(Simulate, RepeatsStepsUntilTheTraceIsLongEnough) {
  Scenario s;
  s.steps = 1;
  RunOptions options;
  options.bytes = 3'000'000;
  const std::string text = trace_of(s, options, {});
  EXPECT_GE(text.size(), 3'000'000U);
  EXPECT_LE(text.size(), 3'500'000U);
  EXPECT_EQ(text.substr(text.size() - 2), "}\n");
}

TEST(Simulate, EachCauseCostsTime) {
  const auto scenario =
      read_scenario(std::string(SIM_EXAMPLES) + "/slow_transformer.txt");
  ASSERT_TRUE(scenario);
  const Books books = simulate(*scenario, {}, nullptr);
  ASSERT_EQ(scenario->causes.size(), 4U);
  for (Cause cause : scenario->causes) {
    const Books other = simulate(without(*scenario, cause), {}, nullptr);
    EXPECT_LT(mean_step_ns(other), mean_step_ns(books));
    EXPECT_GT(mean_lost_ns(books, cause), mean_step_ns(books) / 50);
  }
}

TEST(Simulate, TheTruthNamesCausesByLostTime) {
  const auto scenario =
      read_scenario(std::string(SIM_EXAMPLES) + "/slow_transformer.txt");
  ASSERT_TRUE(scenario);
  const std::string text =
      truth_json(*scenario, {}, simulate(*scenario, {}, nullptr), {});
  const size_t loader = text.find("loader-single-process");
  const size_t items = text.find("item-sync");
  ASSERT_NE(items, std::string::npos);
  EXPECT_LT(loader, items);
  EXPECT_NE(text.find("\"file\": \"train.py\", \"line\": 61"),
            std::string::npos);
}

}  // namespace
}  // namespace gpuledger::sim
