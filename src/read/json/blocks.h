// Bit masks over 64 bytes of JSON text: bit i stands for byte i.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>

namespace gpuledger {

inline constexpr size_t kBlockBytes = 64;

struct BlockMasks {
  uint64_t quotes = 0, backslashes = 0;
  uint64_t brackets = 0;  // [ ] { }
  bool operator==(const BlockMasks&) const = default;
};

inline BlockMasks block_masks_portable(const char* block) {
  BlockMasks masks;
  for (size_t i = 0; i < kBlockBytes; ++i) {
    const char c = block[i];
    const uint64_t bit = uint64_t{1} << i;
    // [ and { differ in one bit, as do ] and }.
    const char folded = static_cast<char>(c | 0x20);
    if (c == '"') masks.quotes |= bit;
    if (c == '\\') masks.backslashes |= bit;
    if (folded == '{' || folded == '}') masks.brackets |= bit;
  }
  return masks;
}

#ifdef __SSE2__
inline BlockMasks block_masks(const char* block) {
  const __m128i fold = _mm_set1_epi8(0x20);
  const __m128i open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
  BlockMasks masks;
  for (size_t part = 0; part < 4; ++part) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * part));
    const __m128i folded = _mm_or_si128(bytes, fold);
    const auto bits = [part](__m128i equal) {
      return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(equal))}
             << (16 * part);
    };
    masks.quotes |= bits(_mm_cmpeq_epi8(bytes, quote));
    masks.backslashes |= bits(_mm_cmpeq_epi8(bytes, slash));
    masks.brackets |= bits(_mm_or_si128(_mm_cmpeq_epi8(folded, open),
                                        _mm_cmpeq_epi8(folded, close)));
  }
  return masks;
}
#else
inline BlockMasks block_masks(const char* block) {
  return block_masks_portable(block);
}
#endif

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
