#include "model/report.h"

namespace gpuledger {

std::string_view verdict_name(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::ok:
      return "ok";
    case VerdictStatus::partial:
      return "partial";
    case VerdictStatus::gpu_activity_lost:
      return "gpu_activity_lost";
    case VerdictStatus::no_gpu_activity:
      return "no_gpu_activity";
  }
  return "ok";
}

std::string_view step_source_name(StepSource source) {
  switch (source) {
    case StepSource::none:
      return "none";
    case StepSource::profiler_step:
      return "profiler_step";
    case StepSource::range:
      return "range";
    case StepSource::optimizer:
      return "optimizer";
    case StepSource::period:
      return "period";
  }
  return "none";
}

}  // namespace gpuledger
