// One element of the array of events, as far as the ledger needs it. Texts
// point into the element or the parser and live until the next parse.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace gpuledger {

// Tokens as they stand in the text, numbers or quoted strings, but for those
// that are said to be texts.
struct EventArgs {
  std::string_view correlation, device, stream, bytes;
  std::string_view collective, group, dtype, call_stack;  // texts
  std::string_view in_elements, out_elements, group_size;
};

struct Event {
  char phase = 0;                   // 0: none
  std::string_view category, name;  // texts
  std::string_view pid, tid, ts, dur;
  EventArgs args;
  int64_t missing_values = 0;     // bare N/A, NaN, Infinity
  bool args_passed_over = false;  // nothing in them matters
  bool args_read = false;

  // As new; most events leave args as they were.
  void clear();
};

class EventParser {
 public:
  // `text` is followed by SIMDJSON_PADDING readable bytes. Returns false if it
  // is no JSON object; `event` is then undefined.
  bool parse(std::string_view text, Event& event);
  // About what the longest text so far took.
  size_t held_bytes() const;

 private:
  bool parse_field(simdjson::ondemand::field& field, Event& event);
  bool parse_args(simdjson::ondemand::value& value, Event& event);
  bool text_of(simdjson::ondemand::value& value, std::string_view& text);

  simdjson::ondemand::parser parser_;
};

// A token without quotes and space around it.
std::string_view unquoted(std::string_view token);

}  // namespace gpuledger
