#include "diagnose/window.h"

#include <algorithm>

namespace gpuledger {
namespace {

std::vector<DeviceStep> device_steps(const HostSteps& host_steps,
                                     const std::vector<int64_t>& boundaries) {
  std::vector<DeviceStep> steps;
  for (size_t i = 0; i < host_steps.steps.size(); ++i) {
    const HostStep& host = host_steps.steps[i];
    steps.push_back({host.label, host.number, boundaries[i], boundaries[i + 1],
                     host.start_ns, host.end_ns});
  }
  return steps;
}

void select_steps(std::vector<DeviceStep>& steps,
                  std::pair<int64_t, int64_t> range) {
  const bool numbered =
      std::all_of(steps.begin(), steps.end(),
                  [](const DeviceStep& s) { return s.number.has_value(); });
  std::vector<DeviceStep> chosen;
  for (size_t i = 0; i < steps.size(); ++i) {
    const int64_t number =
        numbered ? *steps[i].number : static_cast<int64_t>(i);
    if (number >= range.first && number <= range.second)
      chosen.push_back(steps[i]);
  }
  steps = std::move(chosen);
}

void clip(DeviceWindow& window, int64_t start_ns, int64_t end_ns) {
  window.start_ns = std::clamp(window.start_ns, start_ns, end_ns);
  window.end_ns = std::clamp(window.end_ns, start_ns, end_ns);
  std::vector<DeviceStep> kept;
  for (DeviceStep step : window.steps) {
    step.start_ns = std::clamp(step.start_ns, start_ns, end_ns);
    step.end_ns = std::clamp(step.end_ns, start_ns, end_ns);
    if (step.start_ns < step.end_ns) kept.push_back(std::move(step));
  }
  window.steps = std::move(kept);
}

// Work before the cut of the recording may be missing: an unattributed lead-in
// says nothing of the job.
int64_t lead_in_end_ns(const DeviceBook& book, const DeviceWindow& window) {
  if (window.start_ns >= window.end_ns) return window.start_ns;
  bool unattributed = false;
  for (size_t i = book.piece_at(window.start_ns); i < book.pieces.size(); ++i) {
    const Piece& piece = book.pieces[i];
    if (piece.start_ns >= window.end_ns) break;
    const std::string_view name = account_name(piece.account);
    unattributed |= piece.account == Account::unattributed;
    if (piece.account != Account::unattributed && !account_within(name, "idle"))
      return unattributed ? std::max(window.start_ns, piece.start_ns)
                          : window.start_ns;
  }
  return window.start_ns;
}

}  // namespace

DeviceWindow choose_window(const Timeline& timeline, const DeviceBook& book,
                           const HostSteps& host_steps,
                           const std::vector<int64_t>& boundaries,
                           Interval active, const AnalyzeOptions& options) {
  DeviceWindow window;
  const bool selection = options.from_ns || options.to_ns;
  const bool steps = options.window == AnalyzeOptions::Window::steps &&
                     !host_steps.steps.empty();
  if (steps) {
    window.steps = device_steps(host_steps, boundaries);
    if (options.steps) select_steps(window.steps, *options.steps);
  }
  if (!window.steps.empty()) {
    window.start_ns = window.steps.front().start_ns;
    window.end_ns = window.steps.back().end_ns;
    window.source = "steps";
  } else if (!options.steps) {
    window.start_ns = active.start;
    window.end_ns = active.end;
    window.source = "device";
  }
  if (selection) {
    const int64_t from_ns = timeline.origin_ns + options.from_ns.value_or(0);
    const int64_t to_ns =
        options.to_ns ? timeline.origin_ns + *options.to_ns : timeline.last_ns;
    if (!steps) window.start_ns = from_ns, window.end_ns = to_ns;
    clip(window, from_ns, to_ns);
    window.source = "selection";
  }
  clip(window, timeline.first_ns, timeline.last_ns);
  if (!selection) clip(window, lead_in_end_ns(book, window), window.end_ns);
  return window;
}

InnerSteps inner_steps(const DeviceWindow& window) {
  const size_t count = window.steps.size();
  if (count < 3)
    return {window.start_ns, window.end_ns,
            std::max<int64_t>(1, static_cast<int64_t>(count))};
  return {window.steps[1].start_ns, window.steps[count - 2].end_ns,
          static_cast<int64_t>(count - 2)};
}

}  // namespace gpuledger
