// Findings of kernel launches.
#pragma once

#include <optional>

#include "detect/facts.h"

namespace gpuledger {

// LK-01: the GPU waits for the host to launch kernels that are too short.
std::optional<Finding> find_launch_bound(const DeviceFacts& facts);

}  // namespace gpuledger
