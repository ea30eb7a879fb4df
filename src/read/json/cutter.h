// Finds where the elements of an array begin and end: brackets outside
// strings, 64 bytes at a time. Keeps its state from one call to the next.
//
// Broken text is told from what valid text cannot hold: a line (or a brace)
// that begins an element while inside a string, where an object cannot stand,
// or at an indent no deeper than that of the element it would lie in.
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

class Cutter {
 public:
  // Starts afresh: text[begin] is the first byte behind the array's bracket,
  // or of an element.
  void start(size_t begin);

  // Looks at the text from `from` on, appends the elements that end there and
  // returns how far it came. It looks ahead, and so leaves some of the text for
  // the next call unless `at_end` says that no more follows.
  size_t cut(std::string_view text, size_t from, bool at_end,
             std::vector<Element>& out);

  // The array's bracket is the byte before the position that cut() returned.
  bool array_ended() const { return array_ended_; }

  // Text before this is done with: where the element, or what stands between
  // elements, begins.
  size_t begin() const { return begin_; }
  bool inside_element() const { return depth_ > 0; }
  bool inside_string() const { return strings_.in_string != 0; }
  bool skipping() const { return skipping_; }

  // The text was moved down by so many bytes.
  void rebase(size_t bytes) { begin_ -= bytes; }
  // The text before `begin` is given up, and with it the element it is in.
  void skip_to(size_t begin);
  // Between elements: appends what ends with a comma before text[end].
  void split_between(std::string_view text, size_t end,
                     std::vector<Element>& out);

 private:
  struct Scan;

  uint64_t hidden_starts(const Scan& scan, uint64_t hidden) const;
  bool starts_afresh(const Scan& scan, size_t at);
  bool cut_block(Scan& scan, const BlockMasks& masks);
  bool step_inside(char c);
  bool handle(Scan& scan, size_t at);
  bool open(Scan& scan, size_t at);
  bool close(Scan& scan, size_t at);
  bool closes_array(const Scan& scan, size_t at) const;
  void pop(Scan& scan, size_t at, uint32_t levels);
  void restart(Scan& scan, size_t at);
  void deliver(std::string_view text, size_t end, bool suspect,
               std::vector<Element>& out);

  StringState strings_;
  size_t begin_ = 0;
  uint64_t objects_ =
      0;  // a bit per open bracket, the innermost lowest: 1 is {
  size_t depth_ = 0;
  size_t indent_ = 0;      // of the line on which the element begins
  bool typed_ = true;      // objects_ holds all open brackets
  bool broken_ = false;    // brackets did not match
  bool skipping_ = false;  // the element's begin is lost
  bool array_ended_ = false;
};

}  // namespace gpuledger
