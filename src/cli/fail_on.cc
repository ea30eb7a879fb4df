#include "cli/fail_on.h"

#include <fmt/format.h>

#include <cstdint>

#include "detect/detector.h"
#include "render/units.h"

namespace gpuledger {
namespace {

using Kind = BoundOutcome::Kind;

bool is_cause(const Bound& bound) {
  return bound.name.find('-') != std::string::npos;
}

std::string why_no_verdict(const Report& report) {
  std::string text = fmt::format("the trace carries no verdict ({})",
                                 verdict_name(report.verdict.status));
  if (!report.verdict.reasons.empty())
    text += ": " + report.verdict.reasons.front().text;
  return text;
}

BoundOutcome outcome(const Bound& bound, bool crossed, double ratio,
                     std::string_view device) {
  std::string text = fmt::format("{} is {}", bound.name, format_ratio(ratio));
  if (!device.empty()) text += fmt::format(" of the window of GPU {}", device);
  return {crossed ? Kind::crossed : Kind::within, std::move(text)};
}

std::string_view cause_of(std::string_view id) {
  for (const Detector& detector : kDetectors)
    if (detector.id == id) return detector.cause;
  return {};
}

BoundOutcome judge_cause(const Report& report, const Bound& bound) {
  for (const Blocked& blocked : report.blocked)
    if (blocked.id == bound.name || cause_of(blocked.id) == bound.name)
      return {Kind::not_judged, fmt::format("{} could not be judged: needs {}",
                                            bound.name, blocked.needs)};
  const Finding* worst = nullptr;
  for (const Finding& finding : report.findings)
    if (finding.id == bound.name || finding.cause == bound.name)
      if (worst == nullptr || finding.lost_ratio > worst->lost_ratio)
        worst = &finding;
  if (worst == nullptr) return outcome(bound, false, 0, "");
  return outcome(bound, worst->lost_ratio * 100 > bound.percent,
                 worst->lost_ratio, worst->device);
}

BoundOutcome judge_account(const Report& report, const Bound& bound) {
  BoundOutcome worst;
  double worst_ratio = -1;
  for (const DeviceReport& device : report.devices) {
    if (device.window_ns <= 0) continue;
    const auto ns = static_cast<double>(device.accounts.within_ns(bound.name));
    const auto window_ns = static_cast<double>(device.window_ns);
    if (ns / window_ns <= worst_ratio) continue;
    worst_ratio = ns / window_ns;
    // Multiplied out, so that a share equal to the bound does not cross it.
    worst = outcome(bound, ns * 100 > bound.percent * window_ns, worst_ratio,
                    device.id);
  }
  return worst;
}

}  // namespace

BoundOutcome judge_bound(const Report& report, const Bound& bound) {
  if (report.verdict.status != VerdictStatus::ok || report.devices.empty())
    return {Kind::not_judged, why_no_verdict(report)};
  return is_cause(bound) ? judge_cause(report, bound)
                         : judge_account(report, bound);
}

}  // namespace gpuledger
