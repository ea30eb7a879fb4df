// What detectors look at: one trace, ordered, joined and booked, and one of
// its devices. Findings take their share from the steps between the first and
// the last ("inner"): neither edge alone makes a finding.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "analyze/book.h"
#include "analyze/host_activity.h"
#include "analyze/launches.h"
#include "analyze/name_table.h"
#include "analyze/order.h"
#include "model/finding.h"
#include "model/timeline.h"

namespace gpuledger {

struct DeviceFacts {
  const HostActivityInput& host;
  const ActivityLabels& labels;
  const DeviceBook& book;
  std::string device_id;
  RowRange device_rows;
  int64_t inner_start_ns = 0, inner_end_ns = 0;
  int64_t inner_steps = 1;
  AccountTotals inner;

  const Timeline& timeline() const { return host.timeline; }
  std::string_view host_name(uint32_t row) const {
    return timeline().names.text(timeline().host.name[row]);
  }
  std::string_view device_name(uint32_t row) const {
    return timeline().names.text(timeline().device.name[row]);
  }
  int64_t window_ns() const { return inner_end_ns - inner_start_ns; }
  double share(int64_t ns) const {
    return window_ns() > 0
               ? static_cast<double>(ns) / static_cast<double>(window_ns())
               : 0;
  }
  int64_t per_step(int64_t ns) const { return ns / inner_steps; }
};

// A piece of the ledger, clipped to the inner steps.
struct Charge {
  int64_t start_ns = 0, end_ns = 0;
  uint32_t owner = kNoRow;
  Account account = Account::unattributed;
  PieceNote note = PieceNote::none;
  int64_t ns() const { return end_ns - start_ns; }
};

// The inner pieces of these accounts for which `keep` holds, in time order.
std::vector<Charge> charges_of(const DeviceFacts& facts,
                               std::initializer_list<Account> accounts,
                               const std::function<bool(const Charge&)>& keep);

int64_t total_ns(const std::vector<Charge>& charges);

// The nearest row around `row` (itself included) for which `is` holds, or
// kNoRow.
uint32_t enclosing_row(const DeviceFacts& facts, uint32_t row,
                       const std::function<bool(uint32_t)>& is);

// The rows of `facts` launched by the inner part, for evidence.
bool starts_inside(const DeviceFacts& facts, int64_t start_ns);

bool has_rows(const Timeline& timeline, HostKind kind);

// The host row behind a charge: of a copy or kernel, its launch.
uint32_t host_row_of(const DeviceFacts& facts, const Charge& charge);

// The longest charges, as events to look at.
Evidence longest_charges(const DeviceFacts& facts, std::string metric,
                         const std::vector<Charge>& charges);

Evidence measure(std::string metric, double value, std::string unit);

}  // namespace gpuledger
