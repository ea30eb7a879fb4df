#include "read/json/blocks.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace gpuledger {
namespace {

// [ and { differ in this bit only, as do ] and }.
constexpr char kFold = 0x20;

BlockMasks masks_of(const char* block) {
  BlockMasks masks;
  for (size_t i = 0; i < kBlockBytes; ++i) {
    const char c = block[i];
    const uint64_t bit = uint64_t{1} << i;
    const char folded = static_cast<char>(c | kFold);
    if (c == '"') masks.quotes |= bit;
    if (c == '\\') masks.backslashes |= bit;
    if (folded == '{' || folded == '}') masks.brackets |= bit;
  }
  return masks;
}

#ifdef __SSE2__

void find_masks_sse2(const char* text, std::span<BlockMasks> masks) {
  const __m128i fold = _mm_set1_epi8(kFold);
  const __m128i open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
  for (BlockMasks& of_block : masks) {
    BlockMasks found;
    for (int at = 0; at < 64; at += 16, text += 16) {
      const __m128i bytes =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
      const __m128i folded = _mm_or_si128(bytes, fold);
      const __m128i bracket = _mm_or_si128(_mm_cmpeq_epi8(folded, open),
                                           _mm_cmpeq_epi8(folded, close));
      const auto bits = [at](int mask) {
        return uint64_t{static_cast<uint32_t>(mask)} << at;
      };
      found.quotes |= bits(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, quote)));
      found.backslashes |=
          bits(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, slash)));
      found.brackets |= bits(_mm_movemask_epi8(bracket));
    }
    of_block = found;
  }
}

__attribute__((target("avx2"))) void find_masks_avx2(
    const char* text, std::span<BlockMasks> masks) {
  const __m256i fold = _mm256_set1_epi8(kFold);
  const __m256i open = _mm256_set1_epi8('{'), close = _mm256_set1_epi8('}');
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i slash = _mm256_set1_epi8('\\');
  for (BlockMasks& of_block : masks) {
    BlockMasks found;
    for (int at = 0; at < 64; at += 32, text += 32) {
      const __m256i bytes =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
      const __m256i folded = _mm256_or_si256(bytes, fold);
      const __m256i bracket = _mm256_or_si256(_mm256_cmpeq_epi8(folded, open),
                                              _mm256_cmpeq_epi8(folded, close));
      const uint32_t quotes =
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, quote));
      const uint32_t slashes =
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, slash));
      const uint32_t brackets = _mm256_movemask_epi8(bracket);
      found.quotes |= uint64_t{quotes} << at;
      found.backslashes |= uint64_t{slashes} << at;
      found.brackets |= uint64_t{brackets} << at;
    }
    of_block = found;
  }
}

#endif

}  // namespace

void find_masks_portable(const char* text, std::span<BlockMasks> masks) {
  for (BlockMasks& of_block : masks) {
    of_block = masks_of(text);
    text += kBlockBytes;
  }
}

void find_masks(const char* text, std::span<BlockMasks> masks) {
#ifdef __SSE2__
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  (has_avx2 ? find_masks_avx2 : find_masks_sse2)(text, masks);
#else
  find_masks_portable(text, masks);
#endif
}

}  // namespace gpuledger
