#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "render/display.h"
#include "render/text_sections.h"
#include "render/units.h"

namespace gpuledger {
namespace {

constexpr size_t kIndent = 3;
constexpr size_t kBody = 14;
constexpr size_t kEventsShown = 2;

Paint paint_of(const Finding& finding) {
  if (finding.certainty == Certainty::inconclusive) return Paint::dim;
  return finding.severity == "high" ? Paint::bad : Paint::warn;
}

// Without steps the window counts as one.
std::string_view per_step(const Report& report) {
  return report.steps.source == StepSource::none ? "" : " per step";
}

std::string gain_text(const Gain& gain, std::string_view per_step) {
  const std::string high = format_ns(gain.high_ns_per_step);
  if (!gain.from_replay)
    return fmt::format("at most {}{} (an upper bound)", high, per_step);
  if (gain.low_ns_per_step == gain.high_ns_per_step)
    return fmt::format("{}{}, by replay", high, per_step);
  return fmt::format("{} to {}{}, by replay", format_ns(gain.low_ns_per_step),
                     high, per_step);
}

// Findings leave out the first and the last of three or more steps.
std::string_view whole_of(const Report& report, const Finding& finding) {
  for (const DeviceReport& device : report.devices)
    if (finding.device.empty() || device.id == finding.device)
      return device.steps.size() < 3 ? "of the window" : "of the inner steps";
  return "of the window";
}

std::string cost_text(const Report& report, const Finding& finding) {
  return fmt::format("{}{}, {} {}", format_ns(finding.lost_ns_per_step),
                     per_step(report), format_ratio(finding.lost_ratio),
                     whole_of(report, finding));
}

// The unit stands with the value: "loader_wait_ns" is "loader wait",
// "loader_ns_per_step" is "loader per step".
std::string metric_text(const Evidence& evidence) {
  std::string unit = "_";
  for (const char c : evidence.unit) {
    if (c == '/')
      unit += "_per_";
    else
      unit += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::string name = evidence.metric + "_";
  const size_t at = name.rfind(unit + "_");
  const std::string after = at == std::string::npos ? "" : name.substr(at);
  if (at != std::string::npos && at > 0 &&
      (after == unit + "_" || after.rfind(unit + "_per_", 0) == 0))
    name.erase(at, unit.size());
  name.pop_back();
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string evidence_text(const Evidence& evidence, std::string_view per_step) {
  constexpr std::string_view kPerStep = " per step";
  std::string text = metric_text(evidence);
  if (per_step.empty() && text.ends_with(kPerStep))
    text.erase(text.size() - kPerStep.size());
  text += " " + format_value(evidence.value, evidence.unit);
  if (!evidence.device.empty()) text += " on GPU " + evidence.device;
  if (evidence.start_ns && evidence.end_ns)
    text += fmt::format(", from {} to {}", format_ns(*evidence.start_ns),
                        format_ns(*evidence.end_ns));
  return text;
}

void print_event(const EvidenceEvent& event, TextPage& page) {
  std::string facts = fmt::format("  {} at {}", format_ns(event.dur_ns),
                                  format_ns(event.start_ns));
  if (!event.device.empty()) facts += ", GPU " + event.device;
  if (!event.thread.empty()) facts += ", thread " + event.thread;
  facts = printable(facts);
  const size_t columns = display_columns(facts);
  const size_t used = kBody + 2 + columns;
  const size_t left = page.width() > used + 20 ? page.width() - used : 20;
  page.line({{std::string(kBody + 2, ' ')},
             {fit(printable(event.name), left), Paint::dim},
             {facts, Paint::dim}});
}

void print_evidence(const Finding& finding, std::string_view per_step,
                    TextPage& page) {
  Span label{"proof", Paint::dim};
  for (const Evidence& evidence : finding.evidence) {
    page.paragraph(kIndent, label, kBody, evidence_text(evidence, per_step));
    label.text.clear();
    const size_t shown = std::min(evidence.events.size(), kEventsShown);
    for (size_t i = 0; i < shown; ++i) print_event(evidence.events[i], page);
  }
}

void print_where(const Finding& finding, TextPage& page) {
  Span label{"where", Paint::dim};
  for (const Where& where : finding.where) {
    page.paragraph(
        kIndent, label, kBody,
        fmt::format("{} ({})", place_of(where), format_ratio(where.share)));
    label.text.clear();
  }
  if (!finding.where_note.empty())
    page.paragraph(kIndent, label, kBody, finding.where_note, Paint::dim);
}

// What the same cause costs on other devices.
void print_others(std::span<const Finding* const> others,
                  std::string_view per_step, TextPage& page) {
  if (others.empty()) return;
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < std::min(others.size(), kShown); ++i)
    text +=
        fmt::format("{}{}{} of GPU {}", i == 0 ? "" : ", ",
                    format_ns(others[i]->lost_ns_per_step),
                    i == 0 ? per_step : std::string_view(), others[i]->device);
  if (others.size() > kShown)
    text += fmt::format(" and of {} more", others.size() - kShown);
  page.paragraph(kIndent, {"also", Paint::dim}, kBody, text);
}

// Findings of one cause, the costliest first.
void print_cause(const Report& report, size_t number,
                 std::span<const Finding* const> alike, TextPage& page) {
  const Finding& finding = *alike.front();
  const std::string_view each = per_step(report);
  page.blank();
  const std::string tags = fmt::format("  {}  {}, {}", printable(finding.cause),
                                       certainty_name(finding.certainty),
                                       printable(finding.severity));
  const std::string lead = fmt::format("{}. ", number);
  const size_t left = page.width() - lead.size() - display_columns(tags);
  page.line({{lead, Paint::bold},
             {fit(printable(finding.title), left), paint_of(finding)},
             {tags, Paint::dim}});
  std::string cost = cost_text(report, finding);
  if (!finding.device.empty()) cost += " of GPU " + finding.device;
  page.paragraph(kIndent, {"costs", Paint::dim}, kBody, cost);
  print_others(alike.subspan(1), each, page);
  page.paragraph(kIndent, {"fix gives", Paint::dim}, kBody,
                 gain_text(finding.gain, each));
  print_where(finding, page);
  print_evidence(finding, each, page);
  page.paragraph(kIndent, {"fix", Paint::dim}, kBody, finding.remedy.text);
  if (!finding.remedy.code.empty()) {
    page.blank();
    page.code(kIndent + 2, finding.remedy.code);
    page.blank();
  }
  if (!finding.page.empty())
    page.paragraph(kIndent, {"read more", Paint::dim}, kBody, finding.page,
                   Paint::dim);
}

// The findings of each cause together, in the order of the first of each.
std::vector<std::vector<const Finding*>> by_cause(
    const std::vector<Finding>& findings) {
  std::vector<std::vector<const Finding*>> causes;
  for (const Finding& finding : findings) {
    auto it = std::find_if(causes.begin(), causes.end(), [&](const auto& c) {
      return c.front()->id == finding.id;
    });
    if (it == causes.end()) it = causes.emplace(causes.end());
    it->push_back(&finding);
  }
  return causes;
}

}  // namespace

std::string place_of(const Where& where) {
  std::string text;
  if (!where.file.empty()) {
    text = where.file;
    if (where.line > 0) text += fmt::format(":{}", where.line);
    if (!where.function.empty()) text += " in " + where.function;
  } else {
    text = where.op.empty() ? where.function : where.op;
  }
  if (!where.module.empty()) text += ", module " + where.module;
  return text;
}

void print_first_fix(const Report& report, TextPage& page) {
  if (report.findings.empty()) return;
  const Finding& first = report.findings.front();
  const std::string device = report.devices.size() > 1 && !first.device.empty()
                                 ? " of GPU " + printable(first.device)
                                 : "";
  page.blank();
  page.paragraph(
      0, {"FIRST FIX", Paint::bold}, 11,
      fmt::format("{}: {}{}", first.title, cost_text(report, first), device),
      paint_of(first));
  if (!first.where.empty() && !first.where.front().file.empty())
    page.paragraph(11, {}, 11, place_of(first.where.front()));
  if (first.remedy.code.empty())
    page.paragraph(11, {}, 11, first.remedy.text);
  else
    page.code(11, first.remedy.code);
}

void print_findings(const Report& report, TextPage& page) {
  const auto causes = by_cause(report.findings);
  const size_t shown = std::min(causes.size(), page.top());
  if (shown == 0) return;
  page.heading("FINDINGS");
  for (size_t i = 0; i < shown; ++i)
    print_cause(report, i + 1, causes[i], page);
  if (shown < causes.size())
    page.line({{fmt::format("   and {} more (--top N)", causes.size() - shown),
                Paint::dim}});
}

void print_unjudged(const Report& report, TextPage& page) {
  if (report.findings.empty() && !report.devices.empty() &&
      report.blocked.empty() && report.verdict.status == VerdictStatus::ok)
    page.heading("NO FINDINGS");
  if (!report.quiet.empty()) {
    std::string ids;
    for (const std::string& id : report.quiet)
      ids += (ids.empty() ? "" : ", ") + id;
    page.blank();
    page.paragraph(0, {"looked for, not found", Paint::dim}, 24, ids);
  }
  if (report.blocked.empty()) return;
  page.heading("COULD NOT BE JUDGED");
  for (const Blocked& blocked : report.blocked)
    page.paragraph(2, {blocked.id}, 26, "needs " + blocked.needs, Paint::dim);
}

}  // namespace gpuledger
