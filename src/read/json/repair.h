// Makes valid JSON of an element that is almost JSON, in the ways that
// recorders are known to break it. Clean text comes back unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger {

struct Repaired {
  std::string text;
  int64_t control_bytes = 0;    // escaped inside strings
  int64_t invalid_utf8 = 0;     // replaced by U+FFFD
  int64_t invalid_escapes = 0;  // backslash doubled
  int64_t stray_quotes = 0;     // escaped inside strings
  int64_t commas = 0;           // doubled or trailing: removed; missing: added
  int64_t brackets = 0;         // unmatched: dropped, or closed
  int64_t missing_values = 0;   // N/A, NaN, Infinity, …: null
  int64_t trailing_bytes = 0;   // after the element's end: dropped

  // Of the text; a missing value is no damage.
  int64_t repairs() const {
    return control_bytes + invalid_utf8 + invalid_escapes + stray_quotes +
           commas + brackets + trailing_bytes;
  }
};

// One pass; the result is at most six times as long. It need not be JSON: a
// caller that still cannot parse it drops the element. A number that the end of
// the text may have cut becomes null.
Repaired repair_element(std::string_view element);

}  // namespace gpuledger
