// Findings of copies and of reads that make the host wait.
#pragma once

#include <optional>

#include "detect/facts.h"

namespace gpuledger {

// HD-01: copies from pageable memory block the host and run slowly.
std::optional<Finding> find_pageable_copies(const DeviceFacts& facts);

// HD-03: .item() and its kin make the host wait for the device.
std::optional<Finding> find_scalar_reads(const DeviceFacts& facts);

}  // namespace gpuledger
