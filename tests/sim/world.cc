#include "sim/world.h"

#include <algorithm>

namespace gpuledger::sim {

World::World(const Scenario& scenario, uint64_t seed, TraceWriter* writer)
    : scenario_(scenario),
      random_(seed, scenario.jitter_percent),
      writer_(writer),
      log_(static_cast<int32_t>(scenario.processes)) {
  // One stream more than the scenario computes on: it carries collectives.
  for (int64_t d = 0; d < scenario.devices; ++d) {
    devices_.emplace_back(scenario.processes * (scenario.streams + 1));
    ledgers_.emplace_back(log_, static_cast<int32_t>(scenario.processes));
  }
}

bool World::lost(const DeviceRow& row) {
  if (scenario_.drop_all != 0 || !row.recorded) return true;
  return row.launched && random_.percent(scenario_.drop_percent, Draw::loss);
}

void World::add(int32_t d, const Activity& activity, DeviceRow row) {
  ledgers_[d].add(activity);
  if (scenario_.annotations == 0) {
    window_ns_ = std::min(window_ns_, activity.start_ns);
    for (Ledger& ledger : ledgers_) ledger.open_window(window_ns_);
  }
  if (writer_ == nullptr || lost(row)) return;
  row.device = d;
  row.start_ns = activity.start_ns;
  row.end_ns = activity.end_ns;
  row.entry = activity.entry;
  row.timed = !random_.percent(scenario_.zero_times_percent, Draw::loss);
  writer_->device(row);
}

void World::block(const Blocking& call) {
  for (Ledger& ledger : ledgers_) ledger.block(call);
}

void World::advance(int64_t time_ns) {
  int64_t needed_ns = time_ns;
  for (Ledger& ledger : ledgers_) {
    ledger.advance(time_ns);
    needed_ns = std::min(needed_ns, ledger.oldest_needed_ns());
  }
  log_.forget_before(needed_ns);
}

int64_t World::device_end_ns() const {
  int64_t end_ns = 0;
  for (const Ledger& ledger : ledgers_)
    end_ns = std::max(end_ns, ledger.last_end_ns());
  return end_ns;
}

}  // namespace gpuledger::sim
