// Reads the top level of a trace, byte by byte, up to the array of events and
// again after it, and keeps its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger {

class HeaderScanner {
 public:
  explicit HeaderScanner(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Looks at text[from, limit) and returns how far it came. There is text
  // beyond `limit` to look ahead into, unless the input ends there.
  size_t scan(std::string_view text, size_t from, size_t limit);
  // scan() stopped behind the array's bracket, or at an element that goes on
  // with an array which only seemed to have ended.
  bool at_array() const { return at_array_; }
  void array_ended();
  // No more text: closes what is open.
  void finish();

  const std::string& text() const { return text_; }
  bool cut() const { return cut_; }
  bool found_array() const { return found_array_; }
  bool array_closed() const { return array_closed_; }

 private:
  // Where text_ can be cut so that only `open` has to be closed.
  struct SafePoint {
    size_t size = 0, depth = 0;
  };

  void step(std::string_view text, size_t at);
  void open_bracket(std::string_view text, size_t at);
  void close_bracket(char c);
  void keep(char c);
  void mark_safe(size_t size);

  size_t max_bytes_;
  std::string text_;
  std::string open_;  // the brackets that are open
  std::string key_;   // the last string at the depth of the top-level keys
  SafePoint safe_, array_begin_;
  size_t deeper_ = 0;  // brackets that open_ does not hold
  char previous_ = 0;  // the last byte that is neither space nor in a string
  bool in_string_ = false, escaped_ = false, at_array_ = false;
  bool found_array_ = false, array_closed_ = false, cut_ = false;
  bool bare_list_ = false;
};

}  // namespace gpuledger
