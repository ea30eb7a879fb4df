#include "cli/analyze.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "cli/exit_code.h"
#include "cli/fail_on.h"
#include "cli/output.h"
#include "diagnose/inputs.h"
#include "render/json.h"
#include "render/text.h"
#include "render/units.h"

namespace gpuledger {
namespace {

constexpr std::string_view kHowToRecord =
    R"(no input. To record a trace that can be judged, put this around the loop:

  from torch.profiler import profile, schedule, tensorboard_trace_handler
  with profile(schedule=schedule(wait=5, warmup=3, active=10, repeat=1),
               on_trace_ready=tensorboard_trace_handler("trace"),
               record_shapes=True, with_stack=False) as profiler:
      for batch in loader:
          train_step(batch)
          profiler.step()

with_stack=True names the lines of code, but slows the host down: record once
without it for the times, once with it for the places. Then:

  gpuledger analyze trace/*.json)";

// A report written over its own trace would destroy the evidence.
bool overwrites_input(const std::string& output,
                      const std::vector<std::string>& inputs) {
  const std::vector<InputFile> files = expand_inputs(inputs);
  return std::any_of(
      files.begin(), files.end(), [&output](const InputFile& input) {
        std::error_code error;
        return std::filesystem::is_regular_file(input.path, error) &&
               std::filesystem::equivalent(input.path, output, error);
      });
}

std::string rendered(const Report& report, const AnalyzeArguments& arguments) {
  if (arguments.format == Format::json) return render_json(report);
  const bool to_file =
      !arguments.output_file.empty() && arguments.output_file != "-";
  TextStyle style;
  if (arguments.width)
    style.width = *arguments.width;
  else if (!to_file)
    style.width = terminal_width();
  style.color =
      to_file ? arguments.color == Color::always : use_color(arguments.color);
  style.top = arguments.top;
  return render_text(report, style);
}

// False if something could not be written; each is named.
bool write_report(const Report& report, const AnalyzeArguments& arguments) {
  bool written = true;
  const auto put = [&written](const std::string& path,
                              const std::string& text) {
    const Result<void> result = write_output(path, text);
    if (!result) print_note(error_text(result.error()));
    if (!result) written = false;
  };
  put(arguments.output_file, rendered(report, arguments));
  if (!arguments.json_file.empty())
    put(arguments.json_file, render_json(report));
  return written;
}

bool all_bounds_hold(const Report& report, const std::vector<Bound>& bounds) {
  bool hold = true;
  for (const Bound& bound : bounds) {
    const BoundOutcome outcome = judge_bound(report, bound);
    if (outcome.kind == BoundOutcome::Kind::within) continue;
    print_note(fmt::format("--fail-on '{}': {}", bound.text, outcome.text));
    hold = false;
  }
  return hold;
}

void print_profile(const Diagnosis& diagnosis) {
  double total_s = 0;
  for (const auto& phase : diagnosis.phase_seconds) {
    print_note(
        fmt::format("profile: {:<12}{:>10.3f} s", phase.first, phase.second));
    total_s += phase.second;
  }
  print_note(fmt::format("profile: {:<12}{:>10.3f} s", "total", total_s));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  print_note(
      fmt::format("profile: {:<12}{:>12}", "peak memory",
                  format_bytes(static_cast<double>(usage.ru_maxrss) * 1024)));
}

}  // namespace

int run_analyze(const Arguments& arguments) {
  return analyze_with(diagnose, arguments.analyze);
}

int analyze_with(Diagnose engine, const AnalyzeArguments& arguments) {
  if (arguments.inputs.empty()) {
    print_note(kHowToRecord);
    return kWrongUsage;
  }
  for (const std::string& file : {arguments.output_file, arguments.json_file}) {
    if (!file.empty() && overwrites_input(file, arguments.inputs)) {
      print_note(error_text({ErrorCode::usage,
                             file,
                             {},
                             "is an input and would be overwritten"}));
      return kWrongUsage;
    }
  }
  Result<Diagnosis> diagnosis = engine(arguments.inputs, arguments.options);
  if (!diagnosis) {
    print_note(error_text(diagnosis.error()));
    return diagnosis.error().code == ErrorCode::usage ? kWrongUsage
                                                      : kInputFailed;
  }
  for (const Error& error : diagnosis->failed_inputs)
    print_note(error_text(error));
  Report& report = diagnosis->report;
  if (report.inputs.empty()) return kInputFailed;
  report.tool_version = GPULEDGER_VERSION;
  const bool written = write_report(report, arguments);
  const bool hold = all_bounds_hold(report, arguments.fail_on);
  if (arguments.self_profile) print_profile(*diagnosis);
  if (!written) return kOutputFailed;
  if (!diagnosis->failed_inputs.empty()) return kInputFailed;
  return hold ? kOk : kBoundCrossed;
}

}  // namespace gpuledger
