#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "base/threads.h"
#include "diagnose/device_report.h"
#include "diagnose/inputs.h"
#include "diagnose/trace.h"
#include "read/reader.h"

namespace gpuledger {
namespace {

// Adds up the seconds of each phase, in the order in which phases first ended.
class Phases {
 public:
  void finished(const char* phase) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    for (auto& [name, sum] : seconds_)
      if (name == phase) {
        sum += seconds;
        return;
      }
    seconds_.emplace_back(phase, seconds);
  }
  std::vector<std::pair<std::string, double>> take() {
    return std::move(seconds_);
  }

 private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, double>> seconds_;
};

// Earlier statuses weigh more: one lost trace taints what is said of all.
int weight(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::partial:
      return 3;
    case VerdictStatus::gpu_activity_lost:
      return 2;
    case VerdictStatus::ok:
      return 1;
    case VerdictStatus::no_gpu_activity:
      return 0;
  }
  return 0;
}

std::string framework_of(const TraceMetadata& metadata) {
  std::string text = "PyTorch";
  if (!metadata.cuda_runtime.empty())
    text += fmt::format(", CUDA {}", metadata.cuda_runtime);
  if (!metadata.cuda_driver.empty())
    text += fmt::format(", driver for CUDA {}", metadata.cuda_driver);
  if (!metadata.hip_runtime.empty())
    text += fmt::format(", HIP {}", metadata.hip_runtime);
  return text;
}

// Builds the report input by input; each trace is let go before the next.
class ReportBuilder {
 public:
  // `wanted`: the one device to report, by id; empty: all.
  ReportBuilder(Diagnosis& diagnosis, std::string wanted)
      : diagnosis_(diagnosis), wanted_(std::move(wanted)) {}

  void add(ReadInput&& input, TraceResult&& trace) {
    Report& report = diagnosis_.report;
    const size_t index = report.inputs.size();
    const Timeline& timeline = input.timeline;
    if (report.framework.empty())
      report.framework = framework_of(timeline.metadata);
    add_devices(trace, index);
    add_verdict(trace.verdict);
    if (!report.host && trace.host) report.host = std::move(trace.host);
    if (!report.cycle) report.cycle = trace.cycle;
    if (trace.steps.source != StepSource::none &&
        step_source_ == StepSource::none) {
      step_source_ = trace.steps.source;
      range_name_ = trace.steps.range_name;
    }
    const int64_t origin_ns =
        timeline.origin_ns + timeline.metadata.base_time_ns.value_or(0);
    report.origin_ns =
        index == 0 ? origin_ns : std::min(report.origin_ns, origin_ns);
    imports_.merge(timeline.imports);
    detections_.push_back(std::move(trace.detection));
    report.inputs.push_back(std::move(input.report));
  }

  void skip(const std::string& path, const Error& error) {
    InputReport input;
    input.path = path;
    input.skipped = error.text;
    diagnosis_.report.inputs.push_back(std::move(input));
  }

  // A device that was asked for must be in some input.
  Result<bool> check_device() const {
    if (wanted_.empty() || claimed_.empty() ||
        !diagnosis_.report.devices.empty())
      return true;
    std::string known;
    for (const std::string& id : claimed_)
      known += (known.empty() ? "" : ", ") + id;
    return fail(ErrorCode::usage,
                fmt::format("--device {}: no such device; there are: {}",
                            wanted_, known));
  }

  void finish() {
    Report& report = diagnosis_.report;
    report.steps = report_steps(report.devices, step_source_, range_name_);
    Detection merged =
        merge_detections(std::move(detections_), report.devices.size());
    report.findings = std::move(merged.findings);
    report.quiet = std::move(merged.quiet);
    report.blocked = std::move(merged.blocked);
    if (!report.devices.empty()) report.host.reset();
    for (const ImportRow& row : kImports) {
      const auto& counter = imports_.of(row.import);
      if (counter.count > 0)
        report.imports.push_back({std::string(row.id), row.severity,
                                  counter.count, counter.first_offset,
                                  std::string(row.advice)});
    }
  }

 private:
  void add_devices(TraceResult& trace, size_t index) {
    Report& report = diagnosis_.report;
    std::map<std::string, std::string> renamed;
    for (DeviceReport& device : trace.devices) {
      device.input = index;
      if (!claimed_.insert(device.id).second) {
        renamed[device.id] = fmt::format("{}/{}", index, device.id);
        device.id = renamed[device.id];
        claimed_.insert(device.id);
        imports_.add(Import::device_claimed_twice);
      }
      if (is_wanted(device.id)) report.devices.push_back(std::move(device));
    }
    const auto rename = [&](std::string& id) {
      if (const auto it = renamed.find(id); it != renamed.end())
        id = it->second;
    };
    for (KernelReport& kernel : trace.kernels) {
      rename(kernel.device);
      if (is_wanted(kernel.device)) report.kernels.push_back(std::move(kernel));
    }
    for (Finding& finding : trace.detection.findings) {
      rename(finding.device);
      for (Evidence& evidence : finding.evidence) rename(evidence.device);
    }
    std::erase_if(trace.detection.findings, [&](const Finding& finding) {
      return !is_wanted(finding.device);
    });
  }

  bool is_wanted(const std::string& id) const {
    return wanted_.empty() || wanted_ == id;
  }

  void add_verdict(Verdict& verdict) {
    Verdict& whole = diagnosis_.report.verdict;
    const bool first = detections_.empty();
    if (first || weight(verdict.status) > weight(whole.status))
      whole.status = verdict.status;
    for (VerdictReason& reason : verdict.reasons) {
      const auto same = std::find_if(
          whole.reasons.begin(), whole.reasons.end(),
          [&](const VerdictReason& r) { return r.id == reason.id; });
      if (same == whole.reasons.end())
        whole.reasons.push_back(std::move(reason));
    }
  }

  Diagnosis& diagnosis_;
  std::string wanted_;
  std::set<std::string> claimed_;
  ImportStats imports_;
  std::vector<Detection> detections_;
  StepSource step_source_ = StepSource::none;
  std::string range_name_;
};

// Nothing was read: say so of each folder, and report nothing.
void refuse_folders(const std::vector<std::string>& inputs,
                    Diagnosis& diagnosis) {
  diagnosis.report.inputs.clear();
  std::error_code error;
  for (const std::string& input : inputs)
    if (std::filesystem::is_directory(input, error))
      diagnosis.failed_inputs.push_back(
          {ErrorCode::wrong_kind, input, {}, "no trace in this folder"});
}

}  // namespace

Result<Diagnosis> diagnose(const std::vector<std::string>& inputs,
                           const AnalyzeOptions& options) {
  Diagnosis diagnosis;
  Phases phases;
  ReportBuilder builder(diagnosis, options.device);
  const PhaseTimer finished = [&](const char* phase) {
    phases.finished(phase);
  };
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    return fail(ErrorCode::usage, "standard input (-) can be read once only");
  int64_t rank = 0;
  for (const InputFile& file : expand_inputs(inputs)) {
    ReadRequest request;
    request.path = file.path;
    request.memory_bytes = options.memory_bytes;
    request.threads = options.threads > 0 ? options.threads : usable_threads();
    request.from_ns = options.from_ns;
    request.to_ns = options.to_ns;
    auto input = read_input(request);
    finished("read");
    if (!input) {
      if (input.error().code == ErrorCode::usage)
        return fail(std::move(input.error()));
      if (file.from_folder && input.error().code == ErrorCode::wrong_kind)
        builder.skip(file.path, input.error());
      else
        diagnosis.failed_inputs.push_back(std::move(input.error()));
      continue;
    }
    auto trace = analyze_trace(input->timeline, rank, options, finished);
    if (!trace) {
      trace.error().file = file.path;
      if (trace.error().code == ErrorCode::usage)
        return fail(std::move(trace.error()));
      diagnosis.failed_inputs.push_back(std::move(trace.error()));
      continue;
    }
    builder.add(std::move(*input), std::move(*trace));
    ++rank;
  }
  RETURN_IF_ERROR(builder.check_device());
  if (rank == 0) refuse_folders(inputs, diagnosis);
  builder.finish();
  diagnosis.phase_seconds = phases.take();
  return diagnosis;
}

}  // namespace gpuledger
