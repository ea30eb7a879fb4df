#include "read/json/repair.h"

#include <algorithm>
#include <array>

#include "read/json/element_shape.h"

namespace gpuledger {
namespace {

constexpr std::array<std::string_view, 13> kMissingWords{
    "N/A", "n/a",  "NaN", "nan",  "-nan",      "Infinity", "-Infinity",
    "inf", "-inf", "Inf", "-Inf", "undefined", "None"};

// How far behind a comma the end of the next key is looked for.
constexpr size_t kKeyBytes = 256;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
         (c >= 'A' && c <= 'F');
}

// Length of the valid UTF-8 sequence at the front of `text`; 0: none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : 0;
  };
  const uint8_t first = static_cast<uint8_t>(byte(0));
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const auto second = byte(1);
  // Overlong forms, surrogates and what lies beyond the last code point.
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

class Repairer {
 public:
  explicit Repairer(std::string_view text) : text_(text) {
    result_.text.reserve(text.size() + 64);
  }

  Repaired run();

 private:
  // What may come next.
  enum class Expect { key, colon, value, comma, nothing };

  char peek(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  void emit(char c) { result_.text += c; }
  void step();
  void value_begins();
  void value_ended();
  void open();
  void close();
  void comma();
  void drop_last_comma();
  void pop();
  void scalar();
  void string();
  void copy_plain();
  void escape();
  void control_byte();
  bool quote_ends(bool is_key) const;
  bool key_follows(size_t at) const;
  bool string_was_cut(bool is_key) const;
  void finish();

  std::string_view text_;
  size_t at_ = 0;
  std::string open_;  // the brackets that are open
  Expect expect_ = Expect::value;
  size_t comma_ = std::string::npos;  // in the result, if nothing followed it
  Repaired result_;
};

Repaired Repairer::run() {
  while (at_ < text_.size() && expect_ != Expect::nothing) step();
  const std::string_view rest = text_.substr(at_);
  const auto trailing = static_cast<int64_t>(std::count_if(
      rest.begin(), rest.end(), [](char c) { return !is_space(c); }));
  if (trailing == 0) result_.text += rest;
  result_.trailing_bytes += trailing;
  finish();
  return std::move(result_);
}

void Repairer::step() {
  const char c = text_[at_];
  switch (c) {
    case '{':
    case '[':
      return open();
    case '}':
    case ']':
      return close();
    case ',':
      return comma();
    case '"':
      value_begins();
      return string();
    case ':':
      if (expect_ == Expect::colon) expect_ = Expect::value;
      emit(c);
      ++at_;
      return;
    default:
      break;
  }
  if (!is_space(c) && static_cast<uint8_t>(c) >= 0x20) {
    value_begins();
    return scalar();
  }
  if (!is_space(c)) ++result_.control_bytes;
  emit(is_space(c) ? c : ' ');
  ++at_;
}

// A comma that is missing before it is put in.
void Repairer::value_begins() {
  comma_ = std::string::npos;
  if (expect_ != Expect::comma) return;
  emit(',');
  ++result_.commas;
  expect_ = open_.back() == '{' ? Expect::key : Expect::value;
}

void Repairer::value_ended() {
  expect_ = open_.empty() ? Expect::nothing : Expect::comma;
}

void Repairer::open() {
  value_begins();
  const char c = text_[at_++];
  emit(c);
  open_ += c;
  expect_ = c == '{' ? Expect::key : Expect::value;
}

// Closes what it can close, with all that was left open inside.
void Repairer::close() {
  const char opener = text_[at_] == '}' ? '{' : '[';
  ++at_;
  const size_t match = open_.rfind(opener);
  if (match == std::string::npos) {
    ++result_.brackets;
    return;
  }
  for (; open_.size() > match + 1; pop()) ++result_.brackets;
  pop();
}

void Repairer::pop() {
  drop_last_comma();
  if (expect_ == Expect::value && open_.back() == '{') {
    result_.text += "null";
    ++result_.missing_values;
  }
  emit(open_.back() == '{' ? '}' : ']');
  open_.pop_back();
  value_ended();
}

void Repairer::comma() {
  ++at_;
  if (expect_ != Expect::comma) {
    ++result_.commas;
    return;
  }
  comma_ = result_.text.size();
  emit(',');
  expect_ = open_.back() == '{' ? Expect::key : Expect::value;
}

void Repairer::drop_last_comma() {
  if (comma_ == std::string::npos) return;
  result_.text.erase(comma_, 1);
  comma_ = std::string::npos;
  ++result_.commas;
  expect_ = Expect::comma;
}

void Repairer::scalar() {
  const size_t end =
      std::min(text_.find_first_of(" \t\r\n,:]}[{\"", at_), text_.size());
  const std::string_view word = text_.substr(at_, end - at_);
  const bool missing = std::find(kMissingWords.begin(), kMissingWords.end(),
                                 word) != kMissingWords.end();
  const bool is_number = word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
  const bool cut = is_number && end == text_.size() && !open_.empty();
  at_ = end;
  if (missing || cut) {
    result_.text += "null";
    ++result_.missing_values;
  } else {
    result_.text += word;
  }
  value_ended();
}

void Repairer::string() {
  const bool is_key = expect_ == Expect::key;
  emit('"');
  ++at_;
  while (at_ < text_.size()) {
    copy_plain();
    const char c = peek(at_);
    if (at_ == text_.size()) {
      break;
    } else if (c == '"') {
      if (quote_ends(is_key)) {
        ++at_;
        break;
      }
      result_.text += "\\\"";
      ++result_.stray_quotes;
      ++at_;
    } else if (c == '\\') {
      escape();
    } else if (c == '\n' && string_was_cut(is_key)) {
      break;
    } else if (static_cast<uint8_t>(c) < 0x20) {
      control_byte();
    } else if (const size_t length = utf8_length(text_.substr(at_))) {
      result_.text.append(text_, at_, length);
      at_ += length;
    } else {
      result_.text += "\xef\xbf\xbd";
      ++result_.invalid_utf8;
      ++at_;
    }
  }
  emit('"');
  if (is_key)
    expect_ = Expect::colon;
  else
    value_ended();
}

// What a string holds most of.
void Repairer::copy_plain() {
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] >= ' ' && text_[at_] != '"' &&
         text_[at_] != '\\')
    ++at_;
  result_.text.append(text_, begin, at_ - begin);
}

void Repairer::escape() {
  const char next = peek(at_ + 1);
  const auto code_unit = [&](size_t at) -> int {
    if (text_.size() < at + 6 || text_[at] != '\\' || text_[at + 1] != 'u' ||
        !std::all_of(text_.begin() + at + 2, text_.begin() + at + 6, is_hex))
      return -1;
    return std::stoi(std::string(text_.substr(at + 2, 4)), nullptr, 16);
  };
  size_t length = 0;
  if (at_ + 1 < text_.size() &&
      std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos) {
    length = 2;
  } else if (const int unit = code_unit(at_); unit >= 0) {
    const int pair = code_unit(at_ + 6);
    const bool high = unit >= 0xd800 && unit < 0xdc00;
    const bool low = unit >= 0xdc00 && unit < 0xe000;
    if (low || (high && (pair < 0xdc00 || pair >= 0xe000))) {
      // Half of a character that takes two of them.
      result_.text += "\\ufffd";
      ++result_.invalid_escapes;
      at_ += 6;
      return;
    }
    length = high ? 12 : 6;
  }
  if (length == 0) {
    emit('\\');
    ++result_.invalid_escapes;
    length = 1;
  }
  result_.text.append(text_, at_, length);
  at_ += length;
}

void Repairer::control_byte() {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<uint8_t>(text_[at_++]);
  result_.text += "\\u00";
  emit(kHex[byte >> 4]);
  emit(kHex[byte & 15]);
  ++result_.control_bytes;
}

// Whether what follows the quote at at_ can follow the string.
bool Repairer::quote_ends(bool is_key) const {
  const size_t next = skip_spaces(text_, at_ + 1);
  const char c = peek(next);
  if (next >= text_.size()) return true;
  if (is_key) return c == ':';
  if (open_.empty()) return false;
  const bool in_object = open_.back() == '{';
  if (c == (in_object ? '}' : ']')) return true;
  if (c != ',') return false;
  if (!in_object) return true;
  const size_t after = skip_spaces(text_, next + 1);
  const char d = peek(after);
  return after >= text_.size() || d == '}' || d == ',' ||
         (d == '"' && key_follows(after));
}

// The string at text_[at] is followed by a colon, or is too long to tell.
bool Repairer::key_follows(size_t at) const {
  const size_t limit = std::min(text_.size(), at + kKeyBytes);
  for (size_t i = at + 1; i < limit; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      const size_t next = skip_spaces(text_, i + 1);
      return next >= text_.size() || text_[next] == ':';
    }
  }
  return true;
}

// The line that begins behind at_ begins with a key: the string was cut before.
bool Repairer::string_was_cut(bool is_key) const {
  if (is_key || open_.empty() || open_.back() != '{') return false;
  const size_t next = skip_spaces(text_, at_);
  if (peek(next) != '"') return false;
  const size_t end = text_.substr(0, next + kKeyBytes).find('"', next + 1);
  return end != std::string_view::npos &&
         peek(skip_spaces(text_, end + 1)) == ':';
}

void Repairer::finish() {
  while (!open_.empty()) {
    ++result_.brackets;
    if (expect_ == Expect::colon) {
      emit(':');
      expect_ = Expect::value;
    }
    pop();
  }
}

}  // namespace

Repaired repair_element(std::string_view element) {
  return Repairer(element).run();
}

}  // namespace gpuledger
