// Finds where the elements of an array begin and end: brackets outside
// strings, 64 bytes at a time. Keeps its state from one call to the next.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "read/json/blocks.h"

namespace gpuledger {

// A piece of a window's text, without the separators around it.
struct Element {
  uint32_t begin = 0, size = 0;
  bool suspect = false;  // cut by a guess: repair it or drop it
};

// How far both scanners of this folder look ahead of the byte they are at.
inline constexpr size_t kLookAheadBytes = 512;

class Cutter {
 public:
  // Starts afresh: text[begin] is the first byte of the array's inside, or of
  // an element.
  void start(size_t begin);

  // Looks at text[from, limit) and appends the elements that end there. At
  // least kLookAheadBytes lie between `limit` and the end of `text`, unless the
  // input itself ends there. Returns how far it came; less than `limit` by up
  // to a block, or because the array ended.
  size_t cut(std::string_view text, size_t from, size_t limit, bool at_end,
             std::vector<Element>& out);

  // The array's bracket closed just before the position that cut() returned.
  bool array_ended() const { return array_ended_; }
  // Where the element (or the separators) being looked at began: text before
  // it is done with.
  size_t begin() const { return begin_; }
  bool inside_element() const { return depth_ > 0; }
  // The text has moved down by so many bytes in its buffer.
  void rebase(size_t bytes) { begin_ -= bytes; }
  // Text before begin() + `bytes` is lost: the element will not be delivered.
  void skip_to(size_t begin);

 private:
  StringState strings_;
  size_t begin_ = 0;
  uint64_t objects_ = 0;  // one bit per open bracket, innermost lowest: { is 1
  uint32_t depth_ = 0;
  uint32_t indent_ = 0;    // of the line on which the element begins
  bool typed_ = true;      // objects_ holds all open brackets
  bool broken_ = false;    // brackets that do not match were seen
  bool skipping_ = false;  // the element's begin is lost
  bool array_ended_ = false;
};

}  // namespace gpuledger
