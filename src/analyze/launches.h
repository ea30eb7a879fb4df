// Ties device activities to the host calls that launched them.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/order.h"
#include "model/timeline.h"

namespace gpuledger {

// How an activity without launch record came to be.
enum class LaunchState : uint8_t {
  launched,  // its call is in the trace
  carried,   // launched before the recording began: real work, known lead
  lost,      // its call should be in the trace and is not
};

struct Launches {
  // Per device row: the outermost API call with its correlation in its
  // process, or kNoRow.
  std::vector<uint32_t> call;
  std::vector<LaunchState> state;
  // Per host row: how many device rows it launched (saturating), and whether it
  // was the first to launch some kernel name.
  std::vector<uint16_t> activities;
  std::vector<uint8_t> first_of_kernel;
  // Per device: the processes that launched on it, in order of the file, and
  // the one that launched most.
  std::vector<std::vector<uint32_t>> processes;
  std::vector<uint32_t> main_process;
};

// Where several processes use one correlation, calls and activities of a kind
// are paired in order of time. Such rows are counted in `imports`.
Launches find_launches(Timeline& timeline, const Order& order);

}  // namespace gpuledger
