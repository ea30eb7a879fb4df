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

constexpr size_t kInputsShown = 8;
constexpr size_t kTableRows = 16;
constexpr size_t kLabelColumns = 26;
constexpr size_t kRatioColumns = 8;
constexpr size_t kShareEnd = 2 + kLabelColumns + kRatioColumns + 2;

std::string input_facts(const InputReport& input) {
  if (!input.skipped.empty()) return "skipped: " + input.skipped;
  std::string facts;
  if (input.compression != "none") facts = input.compression + ", ";
  facts += format_bytes(static_cast<double>(input.bytes)) + ", " +
           counted(input.events, "event");
  return facts;
}

std::string steps_text(const StepsReport& steps, size_t devices) {
  std::string count = counted(steps.count, "step");
  if (devices > 1) count += fmt::format(" on {} GPUs", devices);
  switch (steps.source) {
    case StepSource::profiler_step:
      return count + " named by the profiler";
    case StepSource::range:
      return count + " named by the range " + steps.range_name;
    case StepSource::optimizer:
      return count + " ended by the optimizer";
    case StepSource::period:
      return count + " found as a period of the kernels";
    case StepSource::none:
      break;
  }
  return "none found; the window counts as one";
}

void print_steps(const Report& report, TextPage& page) {
  const StepsReport& steps = report.steps;
  page.paragraph(0, {"steps", Paint::dim}, 10,
                 steps_text(steps, report.devices.size()));
  if (steps.source != StepSource::none)
    page.paragraph(0, {"step time", Paint::dim}, 10,
                   fmt::format("device p50 {}, p95 {}; host p50 {}",
                               format_ns(steps.p50_ns), format_ns(steps.p95_ns),
                               format_ns(steps.host_p50_ns)));
  if (steps.run_ahead_change_ratio)
    page.paragraph(
        10, {}, 10,
        fmt::format("the host gains or loses {} of the window on the GPU: "
                    "neither of these times is the rate alone",
                    *steps.run_ahead_change_ratio > 1
                        ? "more than all"
                        : format_ratio(*steps.run_ahead_change_ratio)));
  if (report.cycle)
    page.paragraph(0, {"cycle", Paint::dim}, 10,
                   fmt::format("{} kernels repeat {} times, p50 {} (a layer or "
                               "a token, not a step)",
                               format_count(report.cycle->kernels),
                               format_count(report.cycle->count),
                               format_ns(report.cycle->p50_ns)));
}

double share(const DeviceReport& device, int64_t ns) {
  if (device.window_ns <= 0) return 0;
  return static_cast<double>(ns) / static_cast<double>(device.window_ns);
}

void print_share(std::string_view label, double ratio, Paint paint,
                 TextPage& page) {
  const size_t columns = std::min<size_t>(page.width() - kShareEnd, 50);
  page.line({{"  "},
             {pad_right(label, kLabelColumns)},
             {pad_left(format_ratio(ratio), kRatioColumns), paint},
             {"  "},
             {bar(ratio, columns), paint}});
}

// "idle 37.5 %, communication 20.0 %": the largest first.
std::string rest_text(const DeviceReport& device) {
  struct Part {
    std::string_view name;
    int64_t ns;
  };
  std::vector<Part> parts;
  for (const std::string_view name :
       {"communication", "copy", "idle", "unattributed"})
    if (const int64_t ns = device.accounts.within_ns(name); ns > 0)
      parts.push_back({name, ns});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.ns > b.ns; });
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += ", ";
    text +=
        fmt::format("{} {}", part.name, format_ratio(share(device, part.ns)));
  }
  return text;
}

// The idle account that holds most, where it holds much.
void print_most_idle(const DeviceReport& device, TextPage& page) {
  constexpr double kShownFrom = 0.10;
  const AccountRow* most = nullptr;
  for (const AccountRow& row : kAccounts)
    if (account_within(row.name, "idle") &&
        (most == nullptr ||
         device.accounts[row.account] > device.accounts[most->account]))
      most = &row;
  const double ratio = share(device, device.accounts[most->account]);
  if (ratio < kShownFrom) return;
  page.paragraph(2,
                 {pad_right("  most idle time", kLabelColumns) +
                  pad_left(format_ratio(ratio), kRatioColumns)},
                 kShareEnd, fmt::format("{}: {}", most->name, most->what));
}

// A paragraph with a bar along its left side.
void quote(std::string_view mark, std::string_view text, TextPage& page) {
  const size_t indent = display_columns(mark);
  std::string lead(mark);
  for (const std::string& one :
       wrap(printable(text), page.width() - 2 - indent)) {
    page.line({{"▌ ", Paint::bad}, {lead}, {one}});
    lead.assign(indent, ' ');
  }
}

}  // namespace

bool records_missing(const Report& report) {
  return report.verdict.status == VerdictStatus::partial ||
         report.verdict.status == VerdictStatus::gpu_activity_lost;
}

// A file that ends early was read whole, as far as it goes.
std::string truncation(const InputReport& input) {
  constexpr double kAllRead_ratio = 0.995;
  if (input.read_ratio >= kAllRead_ratio) return "cut short: it ends early";
  return fmt::format("cut short: {} of its bytes were read",
                     format_ratio(input.read_ratio));
}

void print_inputs(const Report& report, TextPage& page) {
  std::string title = "gpuledger " + report.tool_version;
  if (!report.framework.empty()) title += "  " + report.framework;
  page.line({{title, Paint::bold}});
  const size_t shown = std::min(report.inputs.size(), kInputsShown);
  for (size_t i = 0; i < shown; ++i) {
    const InputReport& input = report.inputs[i];
    const std::string facts = "  " + printable(input_facts(input));
    const size_t columns = display_columns(facts);
    const size_t left =
        page.width() > columns + 30 ? page.width() - 10 - columns : 20;
    page.line({{i == 0 ? "input     " : "          ", Paint::dim},
               {fit_end(printable(input.path), left)},
               {facts, Paint::dim}});
    if (input.truncated)
      page.line({{"          " + truncation(input), Paint::warn}});
  }
  if (shown < report.inputs.size())
    page.line(
        {{fmt::format("          and {} more", report.inputs.size() - shown)}});
  if (!report.devices.empty()) print_steps(report, page);
}

void print_verdict(const Report& report, TextPage& page) {
  std::string title;
  switch (report.verdict.status) {
    case VerdictStatus::ok:
      return;
    case VerdictStatus::partial:
      title = "PART OF THE TRACE IS MISSING";
      break;
    case VerdictStatus::gpu_activity_lost:
      title = "RECORDS OF THE GPU WERE LOST";
      break;
    case VerdictStatus::no_gpu_activity:
      title = "NO GPU ACTIVITY IN THE TRACE";
      break;
  }
  page.blank();
  quote("", title, page);
  if (records_missing(report) && !report.devices.empty())
    quote("",
          "Busy shares are lower bounds. Idle time looks the same as lost "
          "records: it is not attributed.",
          page);
  for (const VerdictReason& reason : report.verdict.reasons) {
    quote("", reason.text, page);
    quote("  → ", reason.advice, page);
  }
}

void print_headline(const Report& report, const DeviceReport& device,
                    TextPage& page) {
  std::string title = "GPU " + device.id;
  if (!device.name.empty()) title += "  " + device.name;
  if (report.devices.size() > 2) title += "  (computes least)";
  page.heading(title);
  const std::string least = records_missing(report) ? ", at least" : "";
  print_share("the driver's tool shows", device.reported_ratio, Paint::plain,
              page);
  print_share("really computing" + least, device.compute_ratio, Paint::good,
              page);
  if (device.tensor_ratio)
    print_share("  on tensor cores", *device.tensor_ratio, Paint::plain, page);
  if (device.mfu_ratio)
    print_share("  of the dense peak", *device.mfu_ratio, Paint::plain, page);
  if (device.compute_ratio < 1)
    page.paragraph(
        2,
        {pad_right("not computing", kLabelColumns) +
         pad_left(format_ratio(1 - device.compute_ratio), kRatioColumns)},
        kShareEnd, rest_text(device));
  print_most_idle(device, page);
}

void print_device_table(const Report& report, TextPage& page) {
  page.heading("DEVICES, THE LEAST COMPUTING FIRST");
  page.line({{fmt::format("  {:<16}{:>10}{:>10}{:>8}{:>8}{:>8}{:>14}", "device",
                          "reported", "compute", "comm", "copy", "idle",
                          "unattributed"),
              Paint::dim}});
  std::vector<const DeviceReport*> rows;
  for (const DeviceReport& device : report.devices) rows.push_back(&device);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const DeviceReport* a, const DeviceReport* b) {
                     return a->compute_ratio < b->compute_ratio;
                   });
  const size_t shown = std::min(rows.size(), kTableRows);
  for (size_t i = 0; i < shown; ++i) {
    const DeviceReport& device = *rows[i];
    const auto within = [&](std::string_view parent) {
      return format_ratio(share(device, device.accounts.within_ns(parent)));
    };
    page.line({{"  " + pad_right(printable(device.id), 16)},
               {fmt::format("{:>10}{:>10}{:>8}{:>8}{:>8}{:>14}",
                            format_ratio(device.reported_ratio),
                            format_ratio(device.compute_ratio),
                            within("communication"), within("copy"),
                            within("idle"), within("unattributed"))}});
  }
  if (shown < rows.size())
    page.line({{fmt::format("  and {} more, which compute more",
                            rows.size() - shown)}});
}

}  // namespace gpuledger
