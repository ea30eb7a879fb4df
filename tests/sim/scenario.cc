#include "sim/scenario.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

namespace gpuledger::sim {
namespace {

struct NumberKey {
  std::string_view key;
  int64_t Scenario::*field;
  int64_t low, high;
};

constexpr int64_t kSecond = 1'000'000'000;

constexpr NumberKey kNumbers[] = {
    {"steps", &Scenario::steps, 1, 1'000'000},
    {"first_step", &Scenario::first_step, 0, 1'000'000},
    {"layers", &Scenario::layers, 1, 200},
    {"devices", &Scenario::devices, 0, 8},
    {"processes", &Scenario::processes, 1, 8},
    {"streams", &Scenario::streams, 1, 8},
    {"kernel_ns", &Scenario::kernel_ns, 2'000, kSecond},
    {"jitter_percent", &Scenario::jitter_percent, 0, 40},
    {"between_ns", &Scenario::between_ns, 500, 100'000},
    {"dispatch_ns", &Scenario::dispatch_ns, 500, 100'000},
    {"launch_ns", &Scenario::launch_ns, 500, 100'000},
    {"latency_ns", &Scenario::latency_ns, 500, 20'000},
    {"queue_gap_ns", &Scenario::queue_gap_ns, 0, 20'000},
    {"loader_ns", &Scenario::loader_ns, 0, 10 * kSecond},
    {"loader_workers", &Scenario::loader_workers, 1, 256},
    {"copy_bytes", &Scenario::copy_bytes, 0, int64_t{1} << 33},
    {"copy_count", &Scenario::copy_count, 1, 1'000},
    {"items_per_step", &Scenario::items_per_step, 0, 1'000},
    {"item_every", &Scenario::item_every, 1, 1'000'000},
    {"syncs_per_step", &Scenario::syncs_per_step, 0, 1'000},
    {"collective_ns", &Scenario::collective_ns, 0, 10 * kSecond},
    {"trouble_step", &Scenario::trouble_step, 0, 1'000'000},
    {"stall_ns", &Scenario::stall_ns, 0, 100 * kSecond},
    {"gc_ns", &Scenario::gc_ns, 0, 100 * kSecond},
    {"checkpoint_ns", &Scenario::checkpoint_ns, 0, 100 * kSecond},
    {"jit_ns", &Scenario::jit_ns, 0, 100 * kSecond},
    {"alloc_ns", &Scenario::alloc_ns, 0, 100 * kSecond},
    {"load_ns", &Scenario::load_ns, 0, 100 * kSecond},
    {"profiler_ns", &Scenario::profiler_ns, 0, 100 * kSecond},
    {"carried_kernels", &Scenario::carried_kernels, 0, 10'000},
    {"empty_steps", &Scenario::empty_steps, 0, 100},
    {"zero_memsets", &Scenario::zero_memsets, 0, 10'000},
    {"captured_launches", &Scenario::captured_launches, 0, 10'000},
    {"drop_percent", &Scenario::drop_percent, 0, 100},
    {"graph_drop_percent", &Scenario::graph_drop_percent, 0, 100},
    {"zero_times_percent", &Scenario::zero_times_percent, 0, 100},
};

struct ChoiceKey {
  std::string_view key;
  int64_t Scenario::*field;
  std::string_view choices;  // separated by spaces, numbered from 0
};

constexpr ChoiceKey kChoices[] = {
    {"annotations", &Scenario::annotations, "none steps optimizer"},
    {"stacks", &Scenario::stacks, "no yes"},
    {"autograd_thread", &Scenario::autograd_thread, "no yes"},
    {"colliding_ids", &Scenario::colliding_ids, "no yes"},
    {"loader", &Scenario::loader, "none single workers"},
    {"copies", &Scenario::copies, "none pageable pinned staged"},
    {"collectives", &Scenario::collectives, "none exposed hidden"},
    {"graphs", &Scenario::graphs, "no yes"},
    {"trouble_every_step", &Scenario::trouble_every_step, "no yes"},
    {"drop_all", &Scenario::drop_all, "no yes"},
    {"base_time_first", &Scenario::base_time_first, "no yes"},
};

constexpr std::string_view kVerdicts =
    "ok partial gpu_activity_lost no_gpu_activity";

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
    s.remove_prefix(1);
  while (!s.empty() &&
         (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> words(std::string_view s) {
  std::vector<std::string_view> out;
  while (!(s = trim(s)).empty()) {
    const size_t n = std::min(s.find(' '), s.size());
    out.push_back(s.substr(0, n));
    s.remove_prefix(n);
  }
  return out;
}

// Each setter returns what is wrong, or nothing.
std::string set_number(const NumberKey& row, std::string_view value,
                       Scenario& scenario) {
  int64_t number = 0;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    return fmt::format("'{}' is no whole number", value);
  if (number < row.low || number > row.high)
    return fmt::format("{} must lie in {}..{}", row.key, row.low, row.high);
  scenario.*row.field = number;
  return {};
}

std::string set_choice(const ChoiceKey& row, std::string_view value,
                       Scenario& scenario) {
  const auto choices = words(row.choices);
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] != value) continue;
    scenario.*row.field = static_cast<int64_t>(i);
    return {};
  }
  return fmt::format("{} must be one of: {}", row.key, row.choices);
}

std::string set_causes(std::string_view value, std::vector<Cause>& out) {
  for (std::string_view word : words(value)) {
    bool known = false;
    for (const CauseRow& row : kCauses) {
      if (row.id != word) continue;
      out.push_back(row.cause);
      known = true;
    }
    if (!known) return fmt::format("'{}' is no cause", word);
  }
  return {};
}

std::string set_key(std::string_view key, std::string_view value,
                    Scenario& scenario) {
  for (const NumberKey& row : kNumbers)
    if (row.key == key) return set_number(row, value, scenario);
  for (const ChoiceKey& row : kChoices)
    if (row.key == key) return set_choice(row, value, scenario);
  if (key == "causes") return set_causes(value, scenario.causes);
  if (key == "quiet") return set_causes(value, scenario.quiet);
  if (key == "verdict") {
    for (std::string_view word : words(kVerdicts)) {
      if (word != value) continue;
      scenario.verdict = value;
      return {};
    }
    return fmt::format("verdict must be one of: {}", kVerdicts);
  }
  return fmt::format("unknown key '{}'", key);
}

// What no run can do, or nothing.
std::string_view contradiction(const Scenario& s) {
  if (s.stacks == 0 && s.gc_ns + s.checkpoint_ns + s.jit_ns > 0)
    return "gc_ns, checkpoint_ns and jit_ns show only in Python frames: set "
           "stacks = yes";
  if (s.devices == 0 &&
      s.copies + s.items_per_step + s.load_ns + s.profiler_ns > 0)
    return "devices = 0 runs nothing: copies, items_per_step, load_ns and "
           "profiler_ns must be off";
  if (s.devices > 1 &&
      s.annotations == static_cast<int64_t>(Annotations::optimizer))
    return "annotations = optimizer tells the steps of one device only";
  return {};
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::string name) {
  Scenario scenario;
  int line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const size_t n = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, n);
    text.remove_prefix(std::min(n + 1, text.size()));
    const std::string_view line = trim(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const std::string wrong =
        equals == std::string_view::npos
            ? std::string("expected 'key = value'")
            : set_key(trim(line.substr(0, equals)),
                      trim(line.substr(equals + 1)), scenario);
    if (!wrong.empty())
      return fail(ErrorCode::malformed,
                  fmt::format("{}:{}: {}", name, line_number, wrong));
  }
  if (const std::string_view wrong = contradiction(scenario); !wrong.empty())
    return fail(ErrorCode::malformed, fmt::format("{}: {}", name, wrong));
  return scenario;
}

Result<Scenario> read_scenario(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(ErrorCode::io, path + ": cannot be opened");
  std::ostringstream text;
  text << in.rdbuf();
  return parse_scenario(text.str(), path);
}

Scenario without(Scenario scenario, Cause cause) {
  switch (cause) {
    case Cause::none:
      break;
    case Cause::loader:
      scenario.loader = static_cast<int64_t>(Loader::none);
      break;
    case Cause::copies:
      scenario.copies = static_cast<int64_t>(Copies::pinned);
      break;
    case Cause::items:
      scenario.items_per_step = 0;
      break;
    case Cause::launches:
      scenario.graphs = 1;
      break;
  }
  return scenario;
}

}  // namespace gpuledger::sim
