// Everything that one simulated run shares: devices, their books, the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/device.h"
#include "sim/ledger.h"
#include "sim/random.h"
#include "sim/scenario.h"
#include "sim/trace_writer.h"

namespace gpuledger::sim {

class World {
 public:
  // `writer` may be null: only the books are kept.
  World(const Scenario& scenario, uint64_t seed, TraceWriter* writer);

  const Scenario& scenario() const { return scenario_; }
  Random& random() { return random_; }
  TraceWriter* writer() { return writer_; }
  HostLog& log() { return log_; }
  DeviceModel& device(int32_t d) { return devices_[d]; }
  int32_t device_count() const { return static_cast<int32_t>(devices_.size()); }
  std::vector<Ledger>& ledgers() { return ledgers_; }

  int64_t next_id() { return ++last_id_; }
  // Rows lost on their way into the file are booked all the same.
  void add(int32_t d, const Activity& activity, DeviceRow row);
  void block(const Blocking& call);
  // Books everything before `time_ns`, which every host has passed.
  void advance(int64_t time_ns);
  int64_t device_end_ns() const;

 private:
  bool lost(const DeviceRow& row);

  Scenario scenario_;
  Random random_;
  TraceWriter* writer_;
  HostLog log_;
  std::vector<DeviceModel> devices_;
  std::vector<Ledger> ledgers_;
  int64_t last_id_ = 0, window_ns_ = kNever;
};

}  // namespace gpuledger::sim
