// The ledger of one device over the whole input: every nanosecond from the
// first event to the last is in exactly one piece. Steps and windows are cut
// out of it afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/host_activity.h"
#include "analyze/kernel_labels.h"
#include "model/account.h"
#include "model/timeline.h"

namespace gpuledger {

enum class PieceNote : uint8_t {
  none,
  // Exposed communication or copy with no compute kernel launched and waiting:
  // the host was late too, and overlap cannot win it back.
  host_late,
  // Unattributed: a launched activity started long after its launch on an idle
  // device. Something before it is missing from the input.
  late_start,
};

// Holds from start_ns to the start of the next piece.
struct Piece {
  int64_t start_ns = 0;
  // Of compute, communication and copy: the device row. Of idle: the host row
  // that owns the time, or kNoRow.
  uint32_t owner = kNoRow;
  Account account = Account::unattributed;
  PieceNote note = PieceNote::none;
};

struct DeviceBook {
  std::vector<Piece> pieces;  // the first starts at the input's first event
  int64_t end_ns = 0;         // the end of the last piece

  int64_t piece_end_ns(size_t i) const {
    return i + 1 < pieces.size() ? pieces[i + 1].start_ns : end_ns;
  }
  // The first piece that ends after `time_ns`.
  size_t piece_at(int64_t time_ns) const;
  AccountTotals totals(int64_t start_ns, int64_t end_ns) const;
};

struct BookInput {
  const HostActivityInput& host;
  const HostActivity& activity;
  const ActivityLabels& labels;
  const std::vector<uint32_t>& lost_calls;  // by start
  uint32_t device = 0;
  uint32_t step_thread = 0;  // walked where nothing is launched any more
};

DeviceBook book_device(const BookInput& input);

}  // namespace gpuledger
