// A stream of bytes, read once from front to back.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

namespace gpuledger {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `out` and returns how many bytes; 0 means the end.
  virtual Result<size_t> read(std::span<char> out) = 0;
};

}  // namespace gpuledger
