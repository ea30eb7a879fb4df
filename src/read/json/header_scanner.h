// Reads the top level of a trace, byte by byte, up to the array of events and
// again after it, and keeps its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuledger {

class HeaderScanner {
 public:
  explicit HeaderScanner(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Looks at the text from `from` on and returns how far it came. It looks
  // ahead, and so leaves some of the text for the next call unless `at_end`.
  size_t scan(std::string_view text, size_t from, bool at_end);
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
  // finish() found that the top level had not ended.
  bool unfinished() const { return unfinished_; }

 private:
  void step_in_string(std::string_view text, size_t at);
  void step(std::string_view text, size_t at);
  void open_bracket(std::string_view text, size_t at);
  void push(char c);
  void close_bracket(char c);
  bool element_goes_on(std::string_view text, size_t at) const;
  void reopen_array();
  void leave_broken_string();
  void keep(char c);
  void close_text();

  size_t max_bytes_;
  std::string text_;
  std::string open_;       // the brackets that are open
  std::string key_;        // the last string that may be a top-level key
  size_t deeper_ = 0;      // how many more open_ does not hold
  size_t safe_size_ = 0;   // text_ cut here needs only its brackets closed
  size_t array_size_ = 0;  // of text_ just behind the array's bracket
  char previous_ = '\0';   // the last byte that is no space
  bool in_string_ = false, in_key_ = false, escaped_ = false;
  bool bare_list_ = false, at_array_ = false, unfinished_ = false;
  bool found_array_ = false, array_closed_ = false, cut_ = false;
};

}  // namespace gpuledger
