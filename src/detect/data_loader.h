// Findings of the data loader.
#pragma once

#include <optional>

#include "detect/facts.h"

namespace gpuledger {

// DL-01: the loader runs in the main process, so the GPU waits for each batch.
std::optional<Finding> find_loader_single_process(const DeviceFacts& facts);

}  // namespace gpuledger
