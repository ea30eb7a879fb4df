// The host rows of each process that several stages look for, by start. Built
// once, so that no stage goes over all rows for each process.
#pragma once

#include <vector>

#include "analyze/launches.h"
#include "model/timeline.h"

namespace gpuledger {

struct ProcessRows {
  std::vector<uint32_t> ranges;
  std::vector<uint32_t> launches;  // calls with activities
  std::vector<uint32_t> syncs;     // calls that block
};

// How a host call blocks its thread until the device has caught up.
enum class Blocking : uint8_t { no, sync, copy };

std::vector<ProcessRows> group_by_process(
    const Timeline& timeline, const Launches& launches,
    const std::vector<Blocking>& blocking);

}  // namespace gpuledger
