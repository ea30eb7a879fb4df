// Cuts the elements of a trace's array of events out of its text, one window
// at a time, without parsing them. The array is the value of the top-level key
// "traceEvents", wherever it stands, or a bare top-level list. A broken element
// costs no other: the cut starts afresh at the next line (or brace) that can
// only be the begin of an element.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "read/json/cutter.h"
#include "read/json/header_scanner.h"

namespace gpuledger {

// Some elements and the text they lie in. Movable; used again by next().
class ElementWindow {
 public:
  // So many readable bytes follow the text (simdjson reads ahead).
  static constexpr size_t kPaddingBytes = 64;

  std::vector<Element> elements;
  uint64_t offset = 0;  // of text()[0] in the decoded text

  std::string_view text() const { return {buffer_.get(), size_}; }
  std::string_view text_of(const Element& element) const {
    return {buffer_.get() + element.begin, element.size};
  }
  uint64_t offset_of(const Element& element) const {
    return offset + element.begin;
  }
  size_t held_bytes() const {
    return capacity_ + elements.capacity() * sizeof(Element);
  }

 private:
  friend class ElementReader;
  // Room for `bytes` of text; keeps the text there is.
  void reserve(size_t bytes);
  void drop_front(size_t bytes);

  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0, size_ = 0;
};

struct ElementLimits {
  size_t window_bytes = 1 << 20;
  size_t element_bytes = 64 << 20;  // a longer one is skipped and counted
  size_t header_bytes = 16 << 20;
};

class ElementReader {
 public:
  explicit ElementReader(ByteSource& source, ElementLimits limits = {});

  // Fills `window` with the next elements; false: there are no more.
  Result<bool> next(ElementWindow& window);

  // The following are complete once next() has returned false.

  // The top level without the array's elements, as one JSON text:
  // {"schemaVersion":1, "traceEvents":[], "traceName":"x"}. Closed where the
  // text was cut. "{}" for a bare list, "" for no text at all.
  const std::string& header() const { return header_.text(); }
  bool header_cut() const { return header_.cut(); }  // longer than the limit
  bool found_array() const { return header_.found_array(); }
  bool array_closed() const { return header_.array_closed(); }
  // The text ends inside the top-level object.
  bool top_level_cut() const { return header_.unfinished(); }
  uint64_t text_bytes() const { return text_bytes_; }
  int64_t skipped_elements() const { return skipped_; }
  std::optional<uint64_t> first_skipped_offset() const {
    return first_skipped_offset_;
  }

 private:
  Result<bool> fill(ElementWindow& window);
  void scan(ElementWindow& window);
  void make_room(ElementWindow& window);
  void finish(ElementWindow& window);
  void skip_byte_order_mark(const ElementWindow& window);
  // Where the text begins that is not done with.
  size_t pending() const { return in_array_ ? cutter_.begin() : scanned_; }

  ByteSource& source_;
  ElementLimits limits_;
  HeaderScanner header_;
  Cutter cutter_;
  bool in_array_ = false, source_ended_ = false;
  size_t scanned_ = 0;       // how far the window's text has been looked at
  std::vector<char> carry_;  // the text with which the next window begins
  uint64_t carry_offset_ = 0, text_bytes_ = 0;
  int64_t skipped_ = 0;
  std::optional<uint64_t> first_skipped_offset_;
};

}  // namespace gpuledger
