#include "read/kineto/time_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace gpuledger {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view token) {
  const auto is_edge = [](char c) {
    return c == '"' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  };
  while (!token.empty() && is_edge(token.front())) token.remove_prefix(1);
  while (!token.empty() && is_edge(token.back())) token.remove_suffix(1);
  return token;
}

// Digits of a decimal number, and where its point stands.
class Decimal {
 public:
  // Returns what follows the number.
  std::string_view read(std::string_view text) {
    size_t i = 0;
    for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
      if (text[i] == '.') {
        if (point_seen_) break;
        point_seen_ = true;
        continue;
      }
      any_ = true;
      add(text[i] - '0');
    }
    return text.substr(i);
  }

  // The value times ten to the `exponent`, rounded; false on overflow.
  bool scaled(int64_t exponent, int64_t& value) const {
    exponent += exponent_;
    unsigned __int128 whole = digits_;
    if (whole == 0) exponent = 0;
    if (exponent > 40) return false;
    for (; exponent > 0; --exponent) {
      whole *= 10;
      if (whole > kLimit) return false;
    }
    unsigned __int128 divisor = 1;
    for (; exponent < 0 && divisor <= kLimit * 10; ++exponent) divisor *= 10;
    whole = exponent < 0 ? 0 : (whole + divisor / 2) / divisor;
    if (whole >
        static_cast<unsigned __int128>(std::numeric_limits<int64_t>::max()))
      return false;
    value = static_cast<int64_t>(whole);
    return true;
  }

  bool any() const { return any_; }
  bool has_point() const { return point_seen_; }

 private:
  static constexpr auto kLimit =
      static_cast<unsigned __int128>(1'000'000'000'000'000'000) * 1'000'000'000;

  void add(int digit) {
    if (digits_ > kLimit / 10) {  // far more digits than count
      exponent_ += !point_seen_;
      return;
    }
    digits_ = digits_ * 10 + static_cast<unsigned>(digit);
    exponent_ -= point_seen_;
  }

  unsigned __int128 digits_ = 0;
  int64_t exponent_ = 0;
  bool point_seen_ = false, any_ = false;
};

// "1234" and "1234.567", as nearly all times are written.
bool parse_plain(std::string_view text, TimeText& time) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  // Sixteen digits below 9e15 us still fit 64-bit nanoseconds.
  if (whole.empty() || whole.size() > 16 ||
      (whole.size() == 16 && whole[0] == '9'))
    return false;
  int64_t ns = 0;
  for (char c : whole) {
    if (!is_digit(c)) return false;
    ns = ns * 10 + (c - '0');
  }
  time.whole_us = point == std::string_view::npos;
  size_t missing = 3;
  if (!time.whole_us) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.size() > 3) return false;
    for (char c : fraction) {
      if (!is_digit(c)) return false;
      ns = ns * 10 + (c - '0');
    }
    missing -= fraction.size();
  }
  for (; missing > 0; --missing) ns *= 10;
  time.ns = ns;
  return true;
}

}  // namespace

TimeText parse_microseconds(std::string_view token) {
  std::string_view text = trimmed(token);
  TimeText time;
  if (parse_plain(text, time)) return time;
  time = {};
  const auto failed = [&](TimeError error) {
    time.error = error;
    return time;
  };
  bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  Decimal decimal;
  std::string_view rest = decimal.read(text);
  if (!decimal.any()) return failed(TimeError::not_a_number);
  int64_t exponent = 0;
  // Old recorders print -5 ns as "0.-05": a whole number of nanoseconds.
  if (rest.starts_with('-') && text.substr(0, text.find('-')).ends_with('.')) {
    const std::string_view ns = rest.substr(1);
    if (ns.empty() || ns.size() > 3 ||
        !std::all_of(ns.begin(), ns.end(), is_digit))
      return failed(TimeError::not_a_number);
    decimal.read(std::string_view("00").substr(ns.size() - 1));
    decimal.read(ns);
    rest = {};
    negative = true;
  }
  if (!rest.empty()) {
    if (rest[0] != 'e' && rest[0] != 'E')
      return failed(TimeError::not_a_number);
    rest.remove_prefix(1);
    if (!rest.empty() && rest[0] == '+') rest.remove_prefix(1);
    const auto [end, status] =
        std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (status == std::errc::result_out_of_range)
      exponent = rest[0] == '-' ? -10'000 : 10'000;
    else if (status != std::errc() || end != rest.data() + rest.size())
      return failed(TimeError::not_a_number);
    exponent = std::clamp<int64_t>(exponent, -10'000, 10'000);
  }
  time.whole_us = !decimal.has_point() && exponent >= 0;
  if (!decimal.scaled(exponent + 3, time.ns))
    return failed(TimeError::overflow);
  if (negative) time.ns = -time.ns;
  return time;
}

bool parse_integer(std::string_view token, int64_t& value) {
  const std::string_view text = trimmed(token);
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) {
    value = text[0] == '-' ? std::numeric_limits<int64_t>::min()
                           : std::numeric_limits<int64_t>::max();
    return true;
  }
  if (status != std::errc() || text.empty()) return false;
  const std::string_view rest(
      end, static_cast<size_t>(text.data() + text.size() - end));
  return rest.empty() || (rest[0] == '.' && rest.find_first_not_of('0', 1) ==
                                                std::string_view::npos);
}

}  // namespace gpuledger
