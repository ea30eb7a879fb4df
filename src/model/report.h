// The report: everything that a renderer prints, as one value. Field names and
// meanings are the contract `gpuledger.report/1` (docs/report.schema.json).
// Times are nanoseconds after origin_ns; ratios are shares of the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/account.h"
#include "model/finding.h"
#include "model/import_stats.h"

namespace gpuledger {

struct InputReport {
  std::string path;  // as it was given
  std::string kind;  // pytorch-trace, or the kind that was refused
  std::string compression = "none";  // none, gzip, zstd
  int64_t bytes = 0;                 // of the file
  int64_t events = 0;
  bool truncated = false;
  double read_ratio = 1;  // of the bytes, where truncated
  std::string skipped;    // why, for a file of a folder that was not read
};

enum class VerdictStatus : uint8_t {
  ok,
  partial,
  gpu_activity_lost,
  no_gpu_activity,
};
std::string_view verdict_name(VerdictStatus status);

struct VerdictReason {
  std::string id;
  std::string text;
  std::string advice;
};

struct Verdict {
  VerdictStatus status = VerdictStatus::ok;
  std::vector<VerdictReason> reasons;
};

enum class StepSource : uint8_t {
  none,
  profiler_step,
  range,
  optimizer,
  period
};
std::string_view step_source_name(StepSource source);

struct StepReport {
  std::string label;                    // ProfilerStep#7, or the index from 0
  int64_t start_ns = 0, window_ns = 0;  // on the device
  int64_t host_start_ns = 0, host_ns = 0;  // on the host
  AccountTotals accounts;
  std::string note;  // "first", "last", "outlier", or empty
};

struct DeviceReport {
  std::string id;    // RANK:DEVICE
  std::string name;  // empty: the trace does not say
  std::optional<int64_t> rank;
  size_t input = 0;  // index into Report::inputs
  int64_t window_start_ns = 0, window_ns = 0;
  std::string window_source;  // steps, device, selection
  AccountTotals accounts;
  double reported_ratio = 0;  // at least one kernel of any kind
  double compute_ratio = 0;
  std::optional<double> tensor_ratio, mfu_ratio;
  int64_t host_late_communication_ns = 0, host_late_copy_ns = 0;
  std::vector<StepReport> steps;
};

struct StepsReport {
  StepSource source = StepSource::none;
  std::string range_name;  // where source is range
  int64_t count = 0;
  int64_t p50_ns = 0, p95_ns = 0, host_p50_ns = 0;
  std::optional<double> run_ahead_change_ratio;  // only where above 5 %
};

// A kernel sequence that repeats but is not known to be a step.
struct CycleReport {
  int64_t kernels = 0, count = 0, p50_ns = 0;
};

struct KernelReport {
  std::string device;
  std::string name;   // "other" for the rest
  std::string klass;  // account name
  int64_t count = 0, total_ns = 0;
};

// What the host did, for traces without GPU activity.
struct HostReport {
  int64_t span_ns = 0;
  int64_t threads = 0;
  struct Row {
    std::string name;
    std::string kind;  // op, api, range, frame
    int64_t count = 0, self_ns = 0;
  };
  std::vector<Row> top;  // by self time
};

struct ImportReport {
  std::string id;
  Severity severity = Severity::info;
  int64_t count = 0;
  std::optional<uint64_t> first_offset;
  std::string advice;
};

struct Report {
  std::string tool_version;
  int64_t origin_ns = 0;
  std::vector<InputReport> inputs;
  std::string framework;  // "PyTorch, CUDA 12.4"; empty: unknown
  Verdict verdict;
  std::vector<DeviceReport> devices;
  StepsReport steps;
  std::optional<CycleReport> cycle;
  std::vector<KernelReport> kernels;  // per device by total time, then "other"
  std::vector<Finding> findings;      // in the order to print
  std::vector<std::string> quiet;     // ids of detectors that found nothing
  std::vector<Blocked> blocked;
  std::vector<ImportReport> imports;
  std::optional<HostReport> host;
};

}  // namespace gpuledger
