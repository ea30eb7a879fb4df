#include "diagnose/device_report.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "analyze/printable_name.h"
#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

// A step this far from the median of its device is called an outlier.
constexpr double kOutlierMin_ratio = 1.3;

double ratio(int64_t part_ns, int64_t whole_ns) {
  return whole_ns > 0
             ? static_cast<double>(part_ns) / static_cast<double>(whole_ns)
             : 0;
}

// Nearest rank.
int64_t percentile(std::vector<int64_t> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(
      std::ceil(p / 100 * static_cast<double>(values.size())));
  return values[std::max<size_t>(rank, 1) - 1];
}

AccountTotals without_idle(const AccountTotals& totals) {
  AccountTotals folded;
  for (const AccountRow& row : kAccounts)
    folded[account_within(row.name, "idle") ? Account::unattributed
                                            : row.account] +=
        totals[row.account];
  return folded;
}

void add_host_late(const DeviceBook& book, DeviceReport& report,
                   const DeviceWindow& window) {
  for (size_t i = book.piece_at(window.start_ns);
       i < book.pieces.size() && book.pieces[i].start_ns < window.end_ns; ++i) {
    const Piece& piece = book.pieces[i];
    if (piece.note != PieceNote::host_late) continue;
    const int64_t ns = std::min(book.piece_end_ns(i), window.end_ns) -
                       std::max(piece.start_ns, window.start_ns);
    const bool copy = account_within(account_name(piece.account), "copy");
    (copy ? report.host_late_copy_ns : report.host_late_communication_ns) +=
        std::max<int64_t>(0, ns);
  }
}

void add_notes(std::vector<StepReport>& steps) {
  std::vector<int64_t> inner;
  for (size_t i = 1; i + 1 < steps.size(); ++i)
    inner.push_back(steps[i].window_ns);
  const auto median = static_cast<double>(percentile(inner, 50));
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i == 0)
      steps[i].note = "first";
    else if (i + 1 == steps.size())
      steps[i].note = "last";
    else if (static_cast<double>(steps[i].window_ns) >
             kOutlierMin_ratio * median)
      steps[i].note = "outlier";
  }
}

}  // namespace

DeviceReport report_device(const Timeline& timeline, const DeviceBook& book,
                           const DeviceWindow& window, bool believed) {
  DeviceReport report;
  report.rank = timeline.metadata.rank;
  report.window_start_ns = window.start_ns - timeline.origin_ns;
  report.window_ns = window.end_ns - window.start_ns;
  report.window_source = window.source;
  const auto totals = [&](int64_t start_ns, int64_t end_ns) {
    const AccountTotals exact = book.totals(start_ns, end_ns);
    return believed ? exact : without_idle(exact);
  };
  report.accounts = totals(window.start_ns, window.end_ns);
  const int64_t compute_ns = report.accounts.within_ns("compute");
  report.compute_ratio = ratio(compute_ns, report.window_ns);
  report.reported_ratio =
      ratio(compute_ns + report.accounts.within_ns("communication"),
            report.window_ns);
  add_host_late(book, report, window);
  for (const DeviceStep& step : window.steps) {
    StepReport row;
    row.label = without_folders(step.label);
    row.start_ns = step.start_ns - timeline.origin_ns;
    row.window_ns = step.end_ns - step.start_ns;
    row.host_start_ns = step.host_start_ns - timeline.origin_ns;
    row.host_ns = step.host_end_ns - step.host_start_ns;
    row.accounts = totals(step.start_ns, step.end_ns);
    report.steps.push_back(std::move(row));
  }
  add_notes(report.steps);
  return report;
}

std::vector<KernelReport> report_kernels(const Timeline& timeline,
                                         const ActivityLabels& labels,
                                         RowRange device_rows,
                                         const DeviceWindow& window,
                                         const std::string& device_id) {
  constexpr size_t kLargest = 200;
  struct Total {
    int64_t count = 0, ns = 0;
  };
  std::map<std::pair<NameId, Account>, Total> totals;
  const DeviceRows& device = timeline.device;
  for (uint32_t row = device_rows.begin; row < device_rows.end; ++row) {
    if (device.end_ns[row] <= window.start_ns ||
        device.start_ns[row] >= window.end_ns)
      continue;
    Total& total = totals[{device.name[row], labels.account[row]}];
    ++total.count;
    total.ns += std::min(device.end_ns[row], window.end_ns) -
                std::max(device.start_ns[row], window.start_ns);
  }
  std::vector<KernelReport> kernels;
  for (const auto& [key, total] : totals)
    kernels.push_back(
        {device_id, without_folders(timeline.names.text(key.first)),
         std::string(account_name(key.second)), total.count, total.ns});
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelReport& a, const KernelReport& b) {
                     if (a.total_ns != b.total_ns)
                       return a.total_ns > b.total_ns;
                     return a.name < b.name;
                   });
  if (kernels.size() > kLargest) {
    KernelReport other{device_id, "other", "", 0, 0};
    for (size_t i = kLargest; i < kernels.size(); ++i) {
      other.count += kernels[i].count;
      other.total_ns += kernels[i].total_ns;
    }
    kernels.resize(kLargest);
    kernels.push_back(std::move(other));
  }
  return kernels;
}

StepsReport report_steps(const std::vector<DeviceReport>& devices,
                         StepSource source, std::string_view range_name) {
  StepsReport report;
  std::vector<int64_t> device_ns, host_ns;
  double run_ahead_change = 0;
  for (const DeviceReport& device : devices) {
    for (const StepReport& step : device.steps) {
      device_ns.push_back(step.window_ns);
      host_ns.push_back(step.host_ns);
    }
    if (device.steps.empty()) continue;
    const StepReport& first = device.steps.front();
    const StepReport& last = device.steps.back();
    const int64_t before_ns = first.start_ns - first.host_start_ns;
    const int64_t after_ns =
        last.start_ns + last.window_ns - (last.host_start_ns + last.host_ns);
    run_ahead_change =
        std::max(run_ahead_change,
                 ratio(std::abs(after_ns - before_ns), device.window_ns));
  }
  if (device_ns.empty()) return report;
  report.source = source;
  report.range_name = without_folders(range_name);
  report.count = static_cast<int64_t>(device_ns.size());
  report.p50_ns = percentile(device_ns, 50);
  report.p95_ns = percentile(device_ns, 95);
  report.host_p50_ns = percentile(host_ns, 50);
  if (run_ahead_change > kRunAheadChangeMin_ratio)
    report.run_ahead_change_ratio = run_ahead_change;
  return report;
}

}  // namespace gpuledger
