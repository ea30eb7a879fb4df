#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "render/display.h"
#include "render/text_sections.h"
#include "render/units.h"

namespace gpuledger {
namespace {

constexpr size_t kNameColumns = 30;
constexpr size_t kClassColumns = 24;
constexpr size_t kTimeColumns = 12;
constexpr size_t kShareColumns = 9;
// Smaller entries are summed in one line per parent.
constexpr double kShownFrom = 0.001;

// A row of the ledger: a parent or a leaf.
struct Node {
  std::string name;  // last parts of the account's name
  int64_t ns = 0;
  std::vector<Node> children;
};

Node& child_named(Node& parent, std::string_view name) {
  for (Node& child : parent.children)
    if (child.name == name) return child;
  parent.children.emplace_back();
  parent.children.back().name = name;
  return parent.children.back();
}

// A parent with one child says nothing of its own: "launch.dispatch".
void simplify(Node& node) {
  for (Node& child : node.children) simplify(child);
  std::stable_sort(node.children.begin(), node.children.end(),
                   [](const Node& a, const Node& b) { return a.ns > b.ns; });
  if (node.children.size() != 1 || node.name.empty()) return;
  Node only = std::move(node.children.front());
  node.name += "." + only.name;
  node.children = std::move(only.children);
}

Node account_tree(const AccountTotals& accounts) {
  Node root;
  root.ns = accounts.total_ns();
  for (const AccountRow& row : kAccounts) {
    const int64_t ns = accounts[row.account];
    if (ns == 0) continue;
    Node* at = &root;
    std::string_view rest = row.name;
    while (!rest.empty()) {
      const size_t dot = std::min(rest.find('.'), rest.size());
      at = &child_named(*at, rest.substr(0, dot));
      at->ns += ns;
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
  }
  simplify(root);
  return root;
}

// One unit for a whole column, so that its numbers can be compared.
struct TimeUnit {
  double ns;
  std::string_view name;
};

TimeUnit unit_for(double largest_ns) {
  if (largest_ns >= 1e11) return {1e9, "s"};
  if (largest_ns >= 1e6) return {1e6, "ms"};
  return {1e3, "us"};
}

struct Ledger {
  TextPage& page;
  TimeUnit unit;
  double steps;
  double window_ns;

  double ratio(int64_t ns) const {
    return window_ns > 0 ? static_cast<double>(ns) / window_ns : 0;
  }

  void row(size_t depth, std::string_view name, int64_t ns, Paint paint) const {
    const size_t used = kNameColumns + kTimeColumns + kShareColumns + 2;
    const size_t columns = std::min<size_t>(page.width() - used, 50);
    numbers(std::string(2 + 2 * depth, ' ').append(name), ns, paint,
            {bar(ratio(ns), columns), depth == 0 ? Paint::plain : Paint::dim});
  }

  void total() const {
    numbers("  total", static_cast<int64_t>(window_ns), Paint::dim, {});
  }

  void numbers(const std::string& name, int64_t ns, Paint paint,
               const Span& rest) const {
    const std::string time =
        fmt::format("{:.2f}", static_cast<double>(ns) / steps / unit.ns);
    page.line({{pad_right(name, kNameColumns), paint},
               {pad_left(time, kTimeColumns), paint},
               {pad_left(format_ratio(ratio(ns)), kShareColumns), paint},
               {"  "},
               rest});
  }

  void children(size_t depth, const Node& parent) const {
    std::vector<const Node*> small;
    int64_t small_ns = 0;
    for (const Node& child : parent.children) {
      // Never hidden: what the input does not say.
      if (ratio(child.ns) < kShownFrom && child.name != "unattributed") {
        small.push_back(&child);
        small_ns += child.ns;
        continue;
      }
      row(depth, child.name, child.ns, depth == 0 ? Paint::bold : Paint::plain);
      children(depth + 1, child);
    }
    if (small.size() == 1) {
      row(depth, small.front()->name, small_ns, Paint::plain);
    } else if (!small.empty()) {
      row(depth, fmt::format("{} smaller", small.size()), small_ns,
          Paint::plain);
    }
  }
};

Ledger ledger_of(const DeviceReport& device, TextPage& page) {
  const double steps =
      device.steps.empty() ? 1 : static_cast<double>(device.steps.size());
  const auto window_ns = static_cast<double>(device.window_ns);
  return {page, unit_for(window_ns / steps), steps, window_ns};
}

std::string time_header(const DeviceReport& device, const TimeUnit& unit) {
  return device.steps.empty() ? std::string(unit.name)
                              : fmt::format("{}/step", unit.name);
}

void print_outliers(const DeviceReport& device, TextPage& page) {
  constexpr size_t kShown = 3;
  std::string text;
  size_t count = 0;
  for (const StepReport& step : device.steps) {
    if (step.note != "outlier") continue;
    if (++count > kShown) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", step.label,
                        format_ns(step.window_ns));
  }
  if (count == 0) return;
  if (count > kShown) text += fmt::format(" and {} more", count - kShown);
  page.paragraph(2, {"outliers", Paint::dim}, 12, text);
}

// The return type of a template's name says nothing.
std::string_view without_void(std::string_view kernel) {
  constexpr std::string_view kVoid = "void ";
  if (kernel.substr(0, kVoid.size()) == kVoid)
    kernel.remove_prefix(kVoid.size());
  return kernel;
}

}  // namespace

void print_ledger(const Report& report, const DeviceReport& device,
                  TextPage& page) {
  const Ledger ledger = ledger_of(device, page);
  page.blank();
  page.line(
      {{pad_right("LEDGER  GPU " + printable(device.id), kNameColumns),
        Paint::bold},
       {pad_left(time_header(device, ledger.unit), kTimeColumns), Paint::dim},
       {pad_left("share", kShareColumns), Paint::dim},
       {"  "},
       {"window " + format_ns(device.window_ns), Paint::dim}});
  ledger.children(0, account_tree(device.accounts));
  ledger.total();
  print_outliers(device, page);
  if (records_missing(report))
    page.paragraph(2, {}, 2,
                   "Compute, communication and copy: at least. Unattributed: "
                   "idle, or busy with lost records.",
                   Paint::warn);
  const int64_t late =
      device.host_late_communication_ns + device.host_late_copy_ns;
  if (ledger.ratio(late) >= kShownFrom)
    page.paragraph(
        2, {}, 2,
        fmt::format("For {} of the window {} ran alone while no kernel was "
                    "queued: without it the GPU would have been idle.",
                    format_ratio(ledger.ratio(late)),
                    device.host_late_communication_ns == 0 ? "a copy"
                    : device.host_late_copy_ns == 0
                        ? "communication"
                        : "communication or a copy"),
        Paint::dim);
}

void print_kernels(const Report& report, const DeviceReport& device,
                   TextPage& page) {
  std::vector<const KernelReport*> rows;
  for (const KernelReport& kernel : report.kernels)
    if (kernel.device == device.id && kernel.name != "other")
      rows.push_back(&kernel);
  const size_t shown = std::min(rows.size(), page.top());
  if (shown == 0) return;
  const Ledger ledger = ledger_of(device, page);
  page.blank();
  page.line(
      {{pad_right("KERNELS, summed", kClassColumns), Paint::bold},
       {pad_left(time_header(device, ledger.unit), kTimeColumns), Paint::dim},
       {pad_left("count", kShareColumns), Paint::dim},
       {"  name", Paint::dim}});
  for (size_t i = 0; i < shown; ++i) {
    const KernelReport& kernel = *rows[i];
    const double time =
        static_cast<double>(kernel.total_ns) / ledger.steps / ledger.unit.ns;
    page.line({{pad_right("  " + printable(kernel.klass), kClassColumns)},
               {pad_left(fmt::format("{:.2f}", time), kTimeColumns)},
               {pad_left(format_count(kernel.count), kShareColumns)},
               {"  "},
               {std::string(without_void(kernel.name)), Paint::dim}});
  }
  if (shown < rows.size())
    page.line({{fmt::format("  and {} more (--top N)", rows.size() - shown),
                Paint::dim}});
}

}  // namespace gpuledger
