#include "analyze/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analyze/thresholds.h"

namespace gpuledger {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string without_digits(std::string_view name) {
  std::string text;
  for (char c : name)
    if (!is_digit(c)) text += c;
  return text;
}

// The last run of digits: 7 of "train_step 7".
std::optional<int64_t> last_number(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end || end - begin > 18) return std::nullopt;
  int64_t number = 0;
  for (char c : name.substr(begin, end - begin))
    number = number * 10 + (c - '0');
  return number;
}

class HostStepFinder {
 public:
  HostStepFinder(const Timeline& timeline, const NameTable& names,
                 const ProcessRows& process)
      : timeline_(timeline),
        host_(timeline.host),
        names_(names),
        process_(process) {}

  HostSteps find() const {
    HostSteps steps = from_profiler_steps();
    if (steps.steps.empty()) steps = from_recurring_range();
    if (steps.steps.empty()) steps = from_optimizer();
    return steps;
  }

 private:
  bool launches_in(int64_t start_ns, int64_t end_ns) const {
    const auto& rows = process_.launches;
    const auto it = std::partition_point(
        rows.begin(), rows.end(),
        [&](uint32_t row) { return host_.start_ns[row] < start_ns; });
    return it != rows.end() && host_.start_ns[*it] < end_ns;
  }

  // Boundaries are the starts of the ranges and the end of the last. A range in
  // which nothing is launched is no step.
  HostSteps tile(StepSource source, std::vector<uint32_t> rows) const {
    HostSteps result;
    result.rows = rows;
    std::erase_if(rows, [&](uint32_t row) {
      return !launches_in(host_.start_ns[row], host_.end_ns[row]);
    });
    if (rows.empty()) return {};
    result.source = source;
    result.thread = host_.thread[rows.front()];
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string_view name = timeline_.names.text(host_.name[rows[i]]);
      result.steps.push_back({std::string(name), last_number(name),
                              host_.start_ns[rows[i]],
                              i + 1 < rows.size() ? host_.start_ns[rows[i + 1]]
                                                  : host_.end_ns[rows[i]]});
    }
    return result;
  }

  HostSteps from_profiler_steps() const {
    std::vector<uint32_t> rows;
    int64_t end_ns = INT64_MIN;
    for (uint32_t row : process_.ranges) {
      if (names_.frame_kind(host_.name[row]) != FrameKind::step_range ||
          host_.start_ns[row] < end_ns)
        continue;
      rows.push_back(row);
      end_ns = host_.end_ns[row];
    }
    return tile(StepSource::profiler_step, std::move(rows));
  }

  // Does the range recur without overlapping itself, and cover its span?
  bool may_be_step(const std::vector<uint32_t>& rows) const {
    if (static_cast<int64_t>(rows.size()) < kStepRangesMin) return false;
    int64_t covered_ns = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i > 0 && host_.start_ns[rows[i]] < host_.end_ns[rows[i - 1]])
        return false;
      covered_ns += host_.end_ns[rows[i]] - host_.start_ns[rows[i]];
    }
    const int64_t span_ns =
        host_.end_ns[rows.back()] - host_.start_ns[rows.front()];
    return static_cast<double>(covered_ns) >=
           kStepCoverageMin_ratio * static_cast<double>(span_ns);
  }

  HostSteps from_recurring_range() const {
    std::map<std::string, std::vector<uint32_t>> by_name;
    std::map<NameId, std::string> stripped;
    for (uint32_t row : process_.ranges) {
      const NameId id = host_.name[row];
      auto it = stripped.find(id);
      if (it == stripped.end())
        it = stripped.emplace(id, without_digits(timeline_.names.text(id)))
                 .first;
      by_name[it->second].push_back(row);
    }
    const std::vector<uint32_t>* best = nullptr;
    const std::string* best_name = nullptr;
    const auto named = [](const std::string& name) {
      std::string lower;
      for (char c : name)
        lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      return lower.find("step") != std::string::npos ||
             lower.find("iter") != std::string::npos ||
             lower.find("batch") != std::string::npos;
    };
    for (const auto& [name, rows] : by_name) {
      if (!may_be_step(rows)) continue;
      const bool better = best == nullptr || (named(name) != named(*best_name)
                                                  ? named(name)
                                                  : rows.size() > best->size());
      if (better) {
        best = &rows;
        best_name = &name;
      }
    }
    if (best == nullptr) return {};
    HostSteps steps = tile(StepSource::range, *best);
    steps.range_name = *best_name;
    return steps;
  }

  // The ends of the rarest optimizer step that recurs.
  HostSteps from_optimizer() const {
    std::map<std::string_view, std::vector<uint32_t>> by_name;
    for (uint32_t row : process_.ranges) {
      const std::string_view name = timeline_.names.text(host_.name[row]);
      if (name.substr(0, 14) == "Optimizer.step") by_name[name].push_back(row);
    }
    const std::vector<uint32_t>* rarest = nullptr;
    for (const auto& [name, rows] : by_name)
      if (static_cast<int64_t>(rows.size()) >= kStepRangesMin &&
          (rarest == nullptr || rows.size() < rarest->size()))
        rarest = &rows;
    if (rarest == nullptr) return {};
    HostSteps result;
    for (size_t i = 0; i + 1 < rarest->size(); ++i) {
      const int64_t start_ns = host_.end_ns[(*rarest)[i]];
      const int64_t end_ns = host_.end_ns[(*rarest)[i + 1]];
      if (!launches_in(start_ns, end_ns)) continue;
      if (!result.steps.empty()) result.steps.back().end_ns = start_ns;
      result.steps.push_back(
          {fmt::format("{}", result.steps.size()), {}, start_ns, end_ns});
    }
    if (result.steps.empty()) return {};
    result.source = StepSource::optimizer;
    result.thread = host_.thread[rarest->front()];
    return result;
  }

  const Timeline& timeline_;
  const HostRows& host_;
  const NameTable& names_;
  const ProcessRows& process_;
};

}  // namespace

HostSteps find_host_steps(const Timeline& timeline, const NameTable& names,
                          const ProcessRows& process) {
  return HostStepFinder(timeline, names, process).find();
}

HostSteps steps_from_period(const Timeline& timeline, const Launches& launches,
                            const KernelPeriod& period) {
  HostSteps result;
  const HostRows& host = timeline.host;
  const auto launch_ns = [&](uint32_t row) {
    const uint32_t call = launches.call[row];
    return call == kNoRow ? timeline.first_ns : host.start_ns[call];
  };
  for (size_t i = 0; i < period.firsts.size(); ++i) {
    HostStep step;
    step.label = fmt::format("{}", i);
    step.start_ns = launch_ns(period.firsts[i]);
    if (!result.steps.empty()) {
      step.start_ns = std::max(step.start_ns, result.steps.back().start_ns);
      result.steps.back().end_ns = step.start_ns;
    }
    step.end_ns = std::max(step.start_ns, launch_ns(period.last) + 1);
    result.steps.push_back(std::move(step));
  }
  if (result.steps.empty()) return {};
  result.source = StepSource::period;
  const uint32_t call = launches.call[period.firsts.back()];
  if (call != kNoRow) result.thread = host.thread[call];
  return result;
}

std::vector<int64_t> device_boundaries(const Timeline& timeline,
                                       const Launches& launches,
                                       const ActivityLabels& labels,
                                       RowRange device_rows,
                                       const HostSteps& steps) {
  if (steps.steps.empty()) return {};
  struct Launched {
    int64_t launch_ns, end_ns;
  };
  std::vector<Launched> kernels, others;
  for (uint32_t row = device_rows.begin; row < device_rows.end; ++row) {
    if (launches.state[row] == LaunchState::lost) continue;
    const uint32_t call = launches.call[row];
    const int64_t launch_ns =
        call == kNoRow ? INT64_MIN : timeline.host.start_ns[call];
    auto& list = labels.family[row] == KernelFamily::compute ? kernels : others;
    list.push_back({launch_ns, timeline.device.end_ns[row]});
  }
  std::vector<Launched>& moved_by = kernels.empty() ? others : kernels;
  std::stable_sort(moved_by.begin(), moved_by.end(),
                   [](const Launched& a, const Launched& b) {
                     return a.launch_ns < b.launch_ns;
                   });
  for (size_t i = 1; i < moved_by.size(); ++i)
    moved_by[i].end_ns = std::max(moved_by[i].end_ns, moved_by[i - 1].end_ns);

  std::vector<int64_t> boundaries;
  const auto add = [&](int64_t host_ns) {
    const auto after = std::partition_point(
        moved_by.begin(), moved_by.end(),
        [&](const Launched& kernel) { return kernel.launch_ns < host_ns; });
    boundaries.push_back(after == moved_by.begin()
                             ? host_ns
                             : std::max(host_ns, (after - 1)->end_ns));
  };
  for (const HostStep& step : steps.steps) add(step.start_ns);
  add(steps.steps.back().end_ns);
  return boundaries;
}

}  // namespace gpuledger
