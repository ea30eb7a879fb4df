#include "sim/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gpuledger::sim {
namespace {

struct Priced {
  Cause cause;
  int64_t lost_ns, step_ns_without;
};

// The user's line that a cause points at, where the trace has stacks.
std::string_view where_of(Cause cause) {
  switch (cause) {
    case Cause::loader:
      return R"({"file": "dataset.py", "line": 31, "function": "__getitem__"})";
    case Cause::copies:
      return R"({"file": "train.py", "line": 35, "function": "to_device"})";
    case Cause::items:
      return R"({"file": "train.py", "line": 61, "function": "log_metrics"})";
    case Cause::none:
    case Cause::launches:
      break;
  }
  return "null";
}

std::string accounts_json(const Totals& totals) {
  std::string out = "{";
  for (size_t i = 0; i < kEntryCount; ++i) {
    if (totals[i] == 0) continue;
    out += fmt::format("{}\"{}\": {}", out.size() > 1 ? ", " : "",
                       kEntryNames[i], totals[i]);
  }
  return out + "}";
}

std::string steps_json(const DeviceBooks& device, int64_t first_ns) {
  std::string out;
  for (const StepBooks& step : device.steps) {
    out += fmt::format(
        "{}\n        {{\"label\": \"{}\", \"start_ns\": {}, \"window_ns\": {}, "
        "\"accounts\": {}}}",
        out.empty() ? "" : ",", step.label, step.start_ns - first_ns,
        step.end_ns - step.start_ns, accounts_json(step.totals));
  }
  return out;
}

std::string causes_json(const Scenario& scenario, const RunOptions& options,
                        const Books& books) {
  std::vector<Priced> priced;
  for (Cause cause : scenario.causes) {
    const Books other = simulate(without(scenario, cause), options, nullptr);
    priced.push_back({cause, mean_lost_ns(books, cause), mean_step_ns(other)});
  }
  std::stable_sort(
      priced.begin(), priced.end(),
      [](const Priced& a, const Priced& b) { return a.lost_ns > b.lost_ns; });
  std::string out;
  for (const Priced& p : priced) {
    const CauseRow& row = kCauses[static_cast<size_t>(p.cause)];
    out += fmt::format(
        "{}\n    {{\"id\": \"{}\", \"cause\": \"{}\", \"lost_ns_per_step\": "
        "{}, \"step_ns_without\": {}, \"where\": {}}}",
        out.empty() ? "" : ",", row.id, row.code, p.lost_ns, p.step_ns_without,
        scenario.stacks != 0 ? where_of(p.cause) : "null");
  }
  return out;
}

}  // namespace

std::string truth_json(const Scenario& scenario, const RunOptions& options,
                       const Books& books, const TruthHeader& header) {
  std::string out = fmt::format(
      "{{\n  \"schema\": \"gpuledger-sim.truth/1\",\n  \"scenario\": \"{}\",\n"
      "  \"seed\": {},\n  \"verdict\": \"{}\",\n  \"resolution_ns\": {},\n"
      "  \"origin_ns\": \"{}\",\n  \"step_ns\": {},\n  \"devices\": [",
      header.scenario, header.seed, scenario.verdict, header.resolution_ns,
      header.origin_ns, mean_step_ns(books));
  const bool stepless =
      options.bytes > 0 ||
      scenario.annotations == static_cast<int64_t>(Annotations::none);
  for (size_t d = 0; d < books.devices.size(); ++d) {
    const DeviceBooks& device = books.devices[d];
    out += fmt::format(
        "{}\n    {{\n      \"id\": \"0:{}\",\n      \"window_start_ns\": {},\n"
        "      \"window_ns\": {},\n      \"accounts\": {},\n"
        "      \"steps\": [{}]\n    }}",
        d == 0 ? "" : ",", d, device.window_start_ns - header.first_ns,
        device.window_ns, accounts_json(device.totals),
        stepless ? "" : steps_json(device, header.first_ns));
  }
  out += fmt::format(
      "\n  ],\n  \"causes\": [{}\n  ],\n  \"quiet\": [",
      options.bytes > 0 ? "" : causes_json(scenario, options, books));
  for (size_t i = 0; i < scenario.quiet.size(); ++i) {
    const auto cause = static_cast<size_t>(scenario.quiet[i]);
    out += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", kCauses[cause].id);
  }
  return out + "]\n}\n";
}

}  // namespace gpuledger::sim
