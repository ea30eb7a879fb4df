// From the text of a JSON number of microseconds to integer nanoseconds,
// without a floating-point number in between.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuledger {

enum class TimeError : uint8_t { none, not_a_number, overflow };

struct TimeText {
  int64_t ns = 0;
  TimeError error = TimeError::none;
  bool whole_us = true;  // no fraction was written
};

// "123", "123.456", "-1.5e3", also inside quotes. Digits below a nanosecond
// are rounded to the nearest, halves away from zero.
TimeText parse_microseconds(std::string_view token);

// An integer, also inside quotes and with a fraction of zeros; saturates.
// Returns false if it is none.
bool parse_integer(std::string_view token, int64_t& value);

}  // namespace gpuledger
