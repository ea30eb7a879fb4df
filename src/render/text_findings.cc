#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
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

std::string gain_text(const Gain& gain) {
  if (!gain.from_replay)
    return fmt::format("at most {} per step (an upper bound)",
                       format_ns(gain.high_ns_per_step));
  if (gain.low_ns_per_step == gain.high_ns_per_step)
    return format_ns(gain.high_ns_per_step) + " per step, by replay";
  return fmt::format("{} to {} per step, by replay",
                     format_ns(gain.low_ns_per_step),
                     format_ns(gain.high_ns_per_step));
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

std::string evidence_text(const Evidence& evidence) {
  std::string text =
      metric_text(evidence) + " " + format_value(evidence.value, evidence.unit);
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

void print_evidence(const Finding& finding, TextPage& page) {
  Span label{"proof", Paint::dim};
  for (const Evidence& evidence : finding.evidence) {
    page.paragraph(kIndent, label, kBody, evidence_text(evidence));
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

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void print_code(std::string_view code, size_t indent, TextPage& page) {
  for (const std::string& line : lines_of(code))
    page.line({{std::string(indent, ' ')}, {line, Paint::good}});
}

void print_finding(size_t number, const Finding& finding, TextPage& page) {
  page.blank();
  const std::string tags = fmt::format("  {}  {}, {}", printable(finding.cause),
                                       certainty_name(finding.certainty),
                                       printable(finding.severity));
  const std::string lead = fmt::format("{}. ", number);
  const size_t left = page.width() - lead.size() - display_columns(tags);
  page.line({{lead, Paint::bold},
             {fit(printable(finding.title), left), paint_of(finding)},
             {tags, Paint::dim}});
  page.paragraph(
      kIndent, {"costs", Paint::dim}, kBody,
      fmt::format("{} per step, {} of the window{}",
                  format_ns(finding.lost_ns_per_step),
                  format_ratio(finding.lost_ratio),
                  finding.device.empty() ? std::string()
                                         : " of GPU " + finding.device));
  page.paragraph(kIndent, {"fix gives", Paint::dim}, kBody,
                 gain_text(finding.gain));
  print_where(finding, page);
  print_evidence(finding, page);
  page.paragraph(kIndent, {"fix", Paint::dim}, kBody, finding.remedy.text);
  if (!finding.remedy.code.empty()) {
    page.blank();
    print_code(finding.remedy.code, kIndent + 2, page);
    page.blank();
  }
  if (!finding.page.empty())
    page.paragraph(kIndent, {"read more", Paint::dim}, kBody, finding.page,
                   Paint::dim);
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
  page.paragraph(0, {"FIRST FIX", Paint::bold}, 11,
                 fmt::format("{}: {} per step, {} of the window{}", first.title,
                             format_ns(first.lost_ns_per_step),
                             format_ratio(first.lost_ratio), device),
                 paint_of(first));
  if (!first.where.empty() && !first.where.front().file.empty())
    page.paragraph(11, {}, 11, place_of(first.where.front()));
  if (first.remedy.code.empty())
    page.paragraph(11, {}, 11, first.remedy.text);
  else
    print_code(first.remedy.code, 11, page);
}

void print_findings(const Report& report, TextPage& page) {
  const size_t shown = std::min(report.findings.size(), page.top());
  if (shown == 0) return;
  page.heading("FINDINGS");
  for (size_t i = 0; i < shown; ++i)
    print_finding(i + 1, report.findings[i], page);
  if (shown < report.findings.size())
    page.line({{fmt::format("   and {} more (--top N)",
                            report.findings.size() - shown),
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
