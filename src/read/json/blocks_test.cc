#include "read/json/blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger {
namespace {

std::string random_block(std::mt19937& random, std::string_view bytes) {
  std::string block;
  for (size_t i = 0; i < kBlockBytes; ++i)
    block += bytes.empty() ? static_cast<char>(random())
                           : bytes[random() % bytes.size()];
  return block;
}

BlockMasks masks_of(const std::string& block) {
  BlockMasks masks;
  find_masks(block.data(), {&masks, 1});
  return masks;
}

TEST(Blocks, VectorAndPortableAgree) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    std::vector<BlockMasks> masks(5), expected(5);
    for (size_t block = 0; block < masks.size(); ++block)
      text += random_block(random, i % 2 ? "" : "[]{}\"\\ ;{|}~^Z");
    find_masks(text.data(), masks);
    find_masks_portable(text.data(), expected);
    EXPECT_EQ(masks, expected);
  }
}

TEST(Blocks, EveryByteOnItsOwn) {
  for (int byte = 0; byte < 256; ++byte) {
    std::string block(kBlockBytes, ' ');
    block[byte % kBlockBytes] = static_cast<char>(byte);
    const uint64_t bit = uint64_t{1} << byte % kBlockBytes;
    const auto masks = masks_of(block);
    EXPECT_EQ(masks.quotes, byte == '"' ? bit : 0);
    EXPECT_EQ(masks.backslashes, byte == '\\' ? bit : 0);
    const bool bracket = std::string_view("[]{}").find(
                             static_cast<char>(byte)) != std::string_view::npos;
    EXPECT_EQ(masks.brackets, bracket ? bit : 0) << byte;
  }
}

// Byte by byte, as the words of the format say it.
TEST(Blocks, StringsLikeAByteWiseReader) {
  std::mt19937 random(2);
  StringState state;
  bool in_string = false, escaped = false;
  for (int i = 0; i < 5000; ++i) {
    const auto block = random_block(random, i % 2 ? "\"\\a" : "\\\\\\\\\"");
    const uint64_t inside = state.advance(masks_of(block));
    for (size_t k = 0; k < kBlockBytes; ++k) {
      const char c = block[k];
      const bool quote = c == '"' && !escaped;
      escaped = c == '\\' && !escaped;
      if (quote) in_string = !in_string;
      ASSERT_EQ(inside >> k & 1, in_string ? 1u : 0u) << i << ", " << k;
    }
  }
}

}  // namespace
}  // namespace gpuledger
