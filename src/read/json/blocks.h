// Bit masks over 64 bytes of JSON text: bit i stands for byte i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuledger {

inline constexpr size_t kBlockBytes = 64;

struct BlockMasks {
  uint64_t quotes = 0, backslashes = 0;
  uint64_t brackets = 0;  // [ ] { }
  bool operator==(const BlockMasks&) const = default;
};

// The masks of masks.size() blocks of text, with the widest registers that the
// machine has.
void find_masks(const char* text, std::span<BlockMasks> masks);

// The same, byte by byte: what the tests compare with.
void find_masks_portable(const char* text, std::span<BlockMasks> masks);

// What one block leaves to the next.
struct StringState {
  uint64_t in_string = 0;  // all ones inside a string
  uint64_t escaped = 0;    // 1: a backslash escapes the next byte

  // Returns the bytes of the block that lie in a string, from the opening
  // quote to the byte before the closing one.
  uint64_t advance(const BlockMasks& masks) {
    uint64_t inside = masks.quotes & ~escaped_bytes(masks.backslashes);
    for (unsigned shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
    inside ^= in_string;
    in_string = uint64_t{0} - (inside >> 63);
    return inside;
  }

 private:
  // A byte is escaped if an odd number of backslashes stands before it. Adding
  // a run's first bit to the run carries out of it: at an odd distance from an
  // even start, or the other way round, the run was odd.
  uint64_t escaped_bytes(uint64_t backslashes) {
    const uint64_t from_before = escaped;
    if (backslashes == 0) {
      escaped = 0;
      return from_before;
    }
    constexpr uint64_t kEvenBits = 0x5555555555555555;
    backslashes &= ~from_before;
    const uint64_t follows = backslashes << 1 | from_before;
    const uint64_t odd_starts = backslashes & ~kEvenBits & ~follows;
    const uint64_t carried = odd_starts + backslashes;
    escaped = carried < backslashes ? 1 : 0;
    return (kEvenBits ^ carried << 1) & follows;
  }
};

}  // namespace gpuledger
