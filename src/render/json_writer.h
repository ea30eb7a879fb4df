// Writes JSON into a string: two spaces of indentation, small values on one
// line. Independent of the locale; strings are escaped, and bytes that are not
// valid UTF-8 become U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger {

class JsonWriter {
 public:
  // How the members of an object or array are laid out. Everything within a
  // `row` is on its line.
  enum class Layout : uint8_t { lines, row };

  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object(Layout layout) { begin('{', layout); }
  void begin_array(Layout layout) { begin('[', layout); }
  void end();  // of the innermost object or array

  // REQUIRES: the innermost container is an object, and a value follows.
  void key(std::string_view name);

  void text(std::string_view value);
  void integer(int64_t value);
  void unsigned_integer(uint64_t value);
  void boolean(bool value);
  void ratio(double value);   // at most six decimals
  void number(double value);  // whole numbers exactly, else six digits

 private:
  struct Open {
    char close;
    Layout layout;
    bool empty = true;
  };

  void begin(char open, Layout layout);
  void separate();
  void break_line(size_t depth);
  void quote(std::string_view value);

  std::string& out_;
  std::vector<Open> open_;
  bool after_key_ = false;
};

}  // namespace gpuledger
