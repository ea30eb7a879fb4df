#include "read/json/header_scanner.h"

#include "read/json/element_shape.h"

namespace gpuledger {
namespace {

constexpr std::string_view kArrayKey = "traceEvents";
constexpr size_t kMaxDepth = 1000;  // deeper text is not kept

// Whether a line that begins at text[at] begins the array of events.
bool array_line(std::string_view text, size_t at) {
  std::string_view line = text.substr(at, kLookAheadBytes);
  line.remove_prefix(skip_spaces(line, 0));
  if (!line.starts_with("\"traceEvents\"")) return false;
  line.remove_prefix(kArrayKey.size() + 2);
  const size_t colon = skip_spaces(line, 0);
  if (colon == line.size() || line[colon] != ':') return false;
  const size_t bracket = skip_spaces(line, colon + 1);
  return bracket < line.size() && line[bracket] == '[';
}

}  // namespace

size_t HeaderScanner::scan(std::string_view text, size_t from, bool at_end) {
  const size_t ahead = at_end ? 1 : 1 + kLookAheadBytes;
  size_t at = from;
  while (at + ahead <= text.size()) {
    if (in_string_)
      step_in_string(text, at);
    else
      step(text, at);
    // An array's bracket is done with, an element's is not.
    if (at_array_) return text[at] == '[' ? at + 1 : at;
    ++at;
  }
  return at;
}

void HeaderScanner::step_in_string(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '\n' && !found_array_ && array_line(text, at + 1)) {
    leave_broken_string();
    return;
  }
  if (c == '{' && element_goes_on(text, at)) {
    reopen_array();
    return;
  }
  keep(c);
  if (escaped_) {
    escaped_ = false;
  } else if (c == '\\') {
    escaped_ = true;
  } else if (c == '"') {
    in_string_ = in_key_ = false;
    previous_ = c;
    return;
  }
  if (in_key_ && key_.size() <= kArrayKey.size()) key_ += c;
}

void HeaderScanner::step(std::string_view text, size_t at) {
  const char c = text[at];
  if (is_space(c) || c == '\0') {
    if (!open_.empty()) keep(c);
    return;
  }
  if (c == '{' || c == '[') {
    open_bracket(text, at);
  } else if (c == '}' || c == ']') {
    close_bracket(c);
  } else if (open_.empty() && found_array_) {
    // Bytes behind the end of a trace.
  } else {
    if (c == ',' && !cut_) safe_size_ = text_.size();
    if (c == '"') {
      in_string_ = true;
      in_key_ = open_ == "{" && (previous_ == '{' || previous_ == ',');
      if (in_key_) key_.clear();
    }
    keep(c);
  }
  previous_ = c;
}

void HeaderScanner::open_bracket(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '{' && element_goes_on(text, at)) {
    reopen_array();
    return;
  }
  const bool first = open_.empty() && text_.empty() && !found_array_;
  const bool bare = first && c == '[';
  if (bare) {
    bare_list_ = true;
    text_ = "{}";
  } else if (open_.empty() && !first) {
    return;
  } else {
    keep(c);
    push(c);
  }
  const bool is_value = open_ == "{[" && previous_ == ':' && key_ == kArrayKey;
  if (!bare && (c != '[' || !is_value)) return;
  found_array_ = at_array_ = true;
  array_closed_ = false;
  array_size_ = text_.size();
}

void HeaderScanner::push(char c) {
  if (open_.size() == kMaxDepth) {
    close_text();
    ++deeper_;
    return;
  }
  open_ += c;
  if (!cut_) safe_size_ = text_.size();
}

void HeaderScanner::close_bracket(char c) {
  if (open_.empty()) return;
  if (deeper_ > 0) {
    --deeper_;
    return;
  }
  keep(c);
  open_.pop_back();
  if (!cut_) safe_size_ = text_.size();
}

// Whether the { at text[at] is an element behind an end of the array that was
// none: an object cannot stand there.
bool HeaderScanner::element_goes_on(std::string_view text, size_t at) const {
  if (!found_array_) return false;
  const bool fits = !in_string_ && !open_.empty() &&
                    (open_.back() == '[' || previous_ == ':');
  return !fits && !element_key(text, at).empty();
}

void HeaderScanner::reopen_array() {
  if (!cut_) text_.resize(array_size_);
  open_.clear();
  if (!bare_list_) open_.append({'{', '['});
  deeper_ = 0;
  in_string_ = in_key_ = escaped_ = false;
  array_closed_ = false;
  at_array_ = true;
}

void HeaderScanner::array_ended() {
  at_array_ = false;
  array_closed_ = true;
  if (!bare_list_) close_bracket(']');
  previous_ = ']';
}

// A string that was never closed swallowed the key of the array: gives up what
// it spoilt and goes on behind it.
void HeaderScanner::leave_broken_string() {
  if (!cut_) {
    text_.resize(safe_size_);
    for (; open_.size() > 1; open_.pop_back())
      text_ += open_.back() == '{' ? '}' : ']';
    if (!text_.ends_with('{')) text_ += ',';
  }
  open_.clear();
  if (text_.starts_with('{')) open_ += '{';
  in_string_ = in_key_ = escaped_ = false;
  previous_ = ',';
}

void HeaderScanner::keep(char c) {
  if (cut_) return;
  if (text_.size() >= max_bytes_)
    close_text();
  else
    text_ += c;
}

// Ends text_ for good at its last safe place.
void HeaderScanner::close_text() {
  if (cut_) return;
  cut_ = true;
  if (open_.empty()) return;
  text_.resize(safe_size_);
  for (size_t i = open_.size(); i > 0; --i)
    text_ += open_[i - 1] == '{' ? '}' : ']';
}

void HeaderScanner::finish() {
  const bool was_cut = cut_;
  unfinished_ = unfinished_ || !open_.empty();
  close_text();
  cut_ = was_cut;
  open_.clear();
}

}  // namespace gpuledger
