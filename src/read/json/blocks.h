// Bit masks over 64 bytes of JSON text: bit i stands for byte i.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuledger {

inline constexpr size_t kBlockBytes = 64;

struct BlockMasks {
  uint64_t quotes = 0, backslashes = 0, brackets = 0;  // brackets: [ ] { }
};

// The two give the same; the first uses the vector unit where there is one.
BlockMasks block_masks(const char* block);
BlockMasks block_masks_portable(const char* block);

// What one block leaves to the next.
struct StringState {
  uint64_t in_string = 0;  // all ones inside a string
  uint64_t escaped = 0;    // 1: the next byte is escaped by a backslash

  // Bytes of the block that lie in a string, its opening quote included.
  uint64_t advance(const BlockMasks& masks);
};

}  // namespace gpuledger
