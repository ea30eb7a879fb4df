// Sources of text and of traces for the tests of this folder.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "read/json/elements.h"

namespace gpuledger {

// Gives a text in pieces of at most `chunk_bytes`.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text, size_t chunk_bytes = SIZE_MAX)
      : text_(text), chunk_bytes_(chunk_bytes) {}

  Result<size_t> read(std::span<char> out) override {
    const size_t count = std::min({out.size(), text_.size(), chunk_bytes_});
    std::memcpy(out.data(), text_.data(), count);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
  size_t chunk_bytes_;
};

// All that an ElementReader says of a text.
struct CutText {
  std::vector<std::string> elements;
  std::vector<bool> suspect;
  std::vector<uint64_t> offsets;
  std::string header;
  bool found_array = false, array_closed = false, header_cut = false;
  uint64_t text_bytes = 0;
  int64_t skipped = 0;
  std::optional<uint64_t> first_skipped_offset;
};

inline CutText cut_source(ByteSource& source, ElementLimits limits = {}) {
  ElementReader reader(source, limits);
  ElementWindow window;
  CutText cut;
  while (true) {
    const auto more = reader.next(window);
    if (!more || !*more) break;
    for (const Element& element : window.elements) {
      cut.elements.emplace_back(window.text_of(element));
      cut.suspect.push_back(element.suspect);
      cut.offsets.push_back(window.offset_of(element));
    }
  }
  cut.header = reader.header();
  cut.found_array = reader.found_array();
  cut.array_closed = reader.array_closed();
  cut.header_cut = reader.header_cut();
  cut.text_bytes = reader.text_bytes();
  cut.skipped = reader.skipped_elements();
  cut.first_skipped_offset = reader.first_skipped_offset();
  return cut;
}

inline CutText cut_text(std::string_view text, ElementLimits limits = {}) {
  TextSource source(text);
  return cut_source(source, limits);
}

}  // namespace gpuledger
