#include "diagnose/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>

#include "analyze/steps.h"
#include "detect/thresholds.h"
#include "diagnose/device_report.h"
#include "diagnose/host_summary.h"

namespace gpuledger {
namespace {

// When any activity ran, per device.
std::vector<IntervalUnion> find_busy(const Timeline& timeline,
                                     const Order& order) {
  std::vector<IntervalUnion> busy;
  for (const RowRange& rows : order.devices) {
    IntervalUnion united;
    for (uint32_t row = rows.begin; row < rows.end; ++row)
      united.add(timeline.device.start_ns[row], timeline.device.end_ns[row]);
    busy.push_back(std::move(united));
  }
  return busy;
}

// From the first activity to the end of the last. Devices of one process share
// the span: a device that stops early is idle, not gone.
std::vector<Interval> find_active(const Timeline& timeline, const Order& order,
                                  const Launches& launches) {
  std::vector<Interval> active(order.devices.size(), {INT64_MAX, INT64_MIN});
  for (size_t d = 0; d < active.size(); ++d)
    for (uint32_t row = order.devices[d].begin; row < order.devices[d].end;
         ++row) {
      active[d].start =
          std::min(active[d].start, timeline.device.start_ns[row]);
      active[d].end = std::max(active[d].end, timeline.device.end_ns[row]);
    }
  std::map<uint32_t, Interval> shared;  // by process
  for (size_t d = 0; d < active.size(); ++d) {
    Interval& span =
        shared.try_emplace(launches.main_process[d], active[d]).first->second;
    span.start = std::min(span.start, active[d].start);
    span.end = std::max(span.end, active[d].end);
  }
  for (size_t d = 0; d < active.size(); ++d)
    active[d] = shared[launches.main_process[d]];
  return active;
}

// Devices whose activity all fell to duplicates or lost times have no rows.
struct DeviceState {
  uint32_t index = 0;
  HostSteps steps;
  std::optional<KernelPeriod> period;
  DeviceBook book;
  DeviceWindow window;
};

class TraceAnalysis {
 public:
  TraceAnalysis(Timeline& timeline, int64_t rank, const AnalyzeOptions& options,
                const PhaseTimer& finished)
      : timeline_(timeline),
        rank_(rank),
        options_(options),
        finished_(finished) {}

  Result<TraceResult> run() {
    order_ = order_timeline(timeline_);
    finished_("order");
    launches_ = find_launches(timeline_, order_);
    names_.emplace(timeline_);
    labels_ = label_activities(timeline_, order_, launches_, *names_);
    busy_ = find_busy(timeline_, order_);
    blocking_ = find_blocking(timeline_, launches_, *names_);
    processes_ = group_by_process(timeline_, launches_, blocking_);
    overhead_ = find_overhead(timeline_);
    lost_ = find_lost_calls(timeline_, launches_, *names_);
    finished_("join");
    find_steps();
    finished_("steps");
    RETURN_IF_ERROR(book_devices());
    finished_("ledger");
    if (options_.steps && options_.window == AnalyzeOptions::Window::device)
      return fail(ErrorCode::usage,
                  "--steps and --window device exclude each other");
    if (options_.steps && nothing_selected())
      return fail(ErrorCode::usage,
                  "--steps selects no step of this trace; " + steps_there());
    judge();
    finished_("verdict");
    detect_causes();
    finished_("detect");
    report();
    finished_("report");
    return std::move(result_);
  }

 private:
  void find_steps() {
    std::vector<HostSteps> by_process;
    for (const ProcessRows& process : processes_)
      by_process.push_back(find_host_steps(timeline_, *names_, process));
    step_row_.assign(timeline_.host.size(), 0);
    for (const HostSteps& steps : by_process)
      for (uint32_t row : steps.rows) step_row_[row] = 1;
    for (uint32_t d = 0; d < order_.devices.size(); ++d) {
      if (order_.devices[d].empty()) continue;
      DeviceState device;
      device.index = d;
      device.steps = steps_of_device(d, by_process);
      if (device.steps.steps.empty()) {
        device.period = find_period(timeline_, labels_, order_.devices[d]);
        if (device.period && device.period->is_step)
          device.steps =
              steps_from_period(timeline_, launches_, *device.period);
      }
      devices_.push_back(std::move(device));
    }
  }

  // Of the processes that launch on a device, the one with the most trusted
  // source of steps; of equals the one that launched most.
  HostSteps steps_of_device(uint32_t device,
                            const std::vector<HostSteps>& by_process) const {
    const auto distrust = [&](uint32_t process) {
      const StepSource source = by_process[process].source;
      return source == StepSource::none ? INT_MAX : static_cast<int>(source);
    };
    if (by_process.empty()) return {};
    uint32_t best = launches_.main_process[device];
    for (uint32_t process : launches_.processes[device])
      if (distrust(process) < distrust(best)) best = process;
    return by_process[best];
  }

  std::string id_of(uint32_t device) const {
    return fmt::format("{}:{}", timeline_.metadata.rank.value_or(rank_),
                       timeline_.devices[device].id);
  }

  Result<bool> book_devices() {
    input_.emplace(HostActivityInput{timeline_, order_, launches_, *names_,
                                     blocking_, processes_, overhead_, busy_,
                                     step_row_});
    activity_ = label_host(*input_);
    const std::vector<Interval> active =
        find_active(timeline_, order_, launches_);
    size_t booked = 0;
    for (DeviceState& device : devices_) {
      BookInput book{*input_,     activity_,    labels_,
                     lost_.calls, device.index, step_thread(device)};
      device.book = book_device(book);
      const std::vector<int64_t> boundaries =
          device_boundaries(timeline_, launches_, labels_,
                            order_.devices[device.index], device.steps);
      device.window = choose_window(timeline_, device.book, device.steps,
                                    boundaries, active[device.index], options_);
      booked += device.book.pieces.capacity() * sizeof(Piece);
      if (booked > options_.memory_bytes)
        return fail(ErrorCode::over_budget,
                    "the ledger of its devices does not fit the memory "
                    "budget; give more with --memory, or a part with --from "
                    "and --to");
    }
    return true;
  }

  // The thread to walk where nothing is launched any more: that of the steps,
  // else that of the last launch.
  uint32_t step_thread(const DeviceState& device) const {
    if (device.steps.thread != kNoRow) return device.steps.thread;
    const RowRange rows = order_.devices[device.index];
    for (uint32_t row = rows.end; row-- > rows.begin;)
      if (launches_.call[row] != kNoRow)
        return timeline_.host.thread[launches_.call[row]];
    return kNoRow;
  }

  bool nothing_selected() const {
    return std::all_of(
        devices_.begin(), devices_.end(),
        [](const DeviceState& d) { return d.window.steps.empty(); });
  }

  std::string steps_there() const {
    for (const DeviceState& device : devices_) {
      const std::vector<HostStep>& steps = device.steps.steps;
      if (steps.empty()) continue;
      if (steps.front().number && steps.back().number)
        return fmt::format("there are {} to {}", *steps.front().number,
                           *steps.back().number);
      return fmt::format("there are 0 to {}", steps.size() - 1);
    }
    return "it has none";
  }

  void judge() {
    std::vector<BookedWindow> windows;
    for (const DeviceState& device : devices_)
      windows.push_back(
          {&device.book, device.window.start_ns, device.window.end_ns});
    result_.verdict =
        judge_trace(timeline_, launches_, *names_, lost_, windows);
    believed_ = result_.verdict.status == VerdictStatus::ok;
    if (result_.verdict.status == VerdictStatus::no_gpu_activity &&
        (options_.from_ns || options_.to_ns))
      result_.verdict.reasons = {
          {"no-gpu-activity",
           "No GPU activity lies in the span that --from and --to select.",
           "Choose another span, or leave both out."}};
  }

  void detect_causes() {
    std::vector<DeviceFacts> facts;
    for (const DeviceState& device : devices_) {
      const InnerSteps inner = inner_steps(device.window);
      facts.push_back({*input_, labels_, device.book, id_of(device.index),
                       order_.devices[device.index], inner.start_ns,
                       inner.end_ns, inner.count,
                       device.book.totals(inner.start_ns, inner.end_ns)});
    }
    std::vector<bool> believed;
    for (const DeviceFacts& device : facts)
      believed.push_back(believed_ &&
                         device.share(device.inner[Account::unattributed]) <=
                             kUnattributedMax_ratio);
    result_.detection = detect(facts, believed);
  }

  void report() {
    for (const DeviceState& device : devices_) {
      DeviceReport row =
          report_device(timeline_, device.book, device.window, believed_);
      row.id = id_of(device.index);
      row.name = timeline_.devices[device.index].name;
      for (KernelReport& kernel :
           report_kernels(timeline_, labels_, order_.devices[device.index],
                          device.window, row.id))
        result_.kernels.push_back(std::move(kernel));
      result_.devices.push_back(std::move(row));
      if (device.period && !device.period->is_step && !result_.cycle)
        result_.cycle = cycle_of(*device.period);
    }
    if (!devices_.empty())
      result_.steps =
          report_steps(result_.devices, devices_.front().steps.source,
                       devices_.front().steps.range_name);
    if (devices_.empty()) result_.host = summarise_host(timeline_, order_);
  }

  CycleReport cycle_of(const KernelPeriod& period) const {
    CycleReport cycle;
    cycle.kernels = period.kernels;
    cycle.count = static_cast<int64_t>(period.firsts.size());
    std::vector<int64_t> lengths_ns;
    for (size_t i = 1; i < period.firsts.size(); ++i)
      lengths_ns.push_back(timeline_.device.start_ns[period.firsts[i]] -
                           timeline_.device.start_ns[period.firsts[i - 1]]);
    std::sort(lengths_ns.begin(), lengths_ns.end());
    if (!lengths_ns.empty())
      cycle.p50_ns = lengths_ns[(lengths_ns.size() - 1) / 2];
    return cycle;
  }

  Timeline& timeline_;
  int64_t rank_;
  const AnalyzeOptions& options_;
  const PhaseTimer& finished_;
  Order order_;
  Launches launches_;
  std::optional<NameTable> names_;
  ActivityLabels labels_;
  std::vector<IntervalUnion> busy_;
  std::vector<Blocking> blocking_;
  std::vector<ProcessRows> processes_;
  std::vector<uint32_t> overhead_;
  LostCalls lost_;
  std::vector<uint8_t> step_row_;
  std::optional<HostActivityInput> input_;
  HostActivity activity_;
  std::deque<DeviceState> devices_;
  bool believed_ = false;
  TraceResult result_;
};

}  // namespace

Result<TraceResult> analyze_trace(Timeline& timeline, int64_t rank,
                                  const AnalyzeOptions& options,
                                  const PhaseTimer& finished) {
  return TraceAnalysis(timeline, rank, options, finished).run();
}

}  // namespace gpuledger
