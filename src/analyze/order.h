// Puts a timeline's columns in time order: host rows per thread, device rows
// per device. Readers deliver rows in file order; everything later relies on
// the order made here.
#pragma once

#include <vector>

#include "model/timeline.h"

namespace gpuledger {

struct RowRange {
  uint32_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct Order {
  // Rows of each thread, by start; of equal starts the longer one first.
  std::vector<RowRange> threads;
  // The row that was open on the same thread when a row began, or kNoRow.
  std::vector<uint32_t> parent;
  // Rows of each device, by start, then stream, then file order.
  std::vector<RowRange> devices;
};

// Sorts `timeline` in place. Device rows that repeat another row exactly are
// removed and counted.
Order order_timeline(Timeline& timeline);

}  // namespace gpuledger
