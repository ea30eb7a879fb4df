#include "cli/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

#include "detect/detector.h"
#include "model/account.h"

namespace gpuledger {
namespace {

struct Unit {
  std::string_view name;
  uint64_t size;
};

constexpr std::array kTimeUnits{
    Unit{"ns", 1},         Unit{"us", 1'000},        Unit{"µs", 1'000},
    Unit{"ms", 1'000'000}, Unit{"s", 1'000'000'000},
};
constexpr std::array kMemoryUnits{
    Unit{"K", uint64_t{1} << 10},
    Unit{"M", uint64_t{1} << 20},
    Unit{"G", uint64_t{1} << 30},
    Unit{"T", uint64_t{1} << 40},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number without sign or exponent, and the text after it.
struct Decimal {
  std::string_view whole, fraction, rest;
};

std::optional<Decimal> split_decimal(std::string_view text) {
  const auto digits = [](std::string_view from) {
    const auto end = std::find_if_not(from.begin(), from.end(), is_digit);
    return from.substr(0, static_cast<size_t>(end - from.begin()));
  };
  Decimal out;
  out.whole = digits(text);
  out.rest = text.substr(out.whole.size());
  if (out.whole.empty()) return {};
  if (out.rest.empty() || out.rest[0] != '.') return out;
  out.fraction = digits(out.rest.substr(1));
  if (out.fraction.empty()) return {};
  out.rest = out.rest.substr(1 + out.fraction.size());
  return out;
}

enum class Scale { ok, too_large, too_fine };

// whole.fraction × size in integers; what is below 1 is dropped and reported.
Scale scale(const Decimal& number, uint64_t size, uint64_t& out) {
  constexpr unsigned __int128 kMax = std::numeric_limits<int64_t>::max();
  unsigned __int128 value = 0;
  for (const char c : number.whole) {
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > kMax) return Scale::too_large;
  }
  value *= size;
  // Long division, digit by digit: `part` is what is left of one unit.
  unsigned __int128 divisor = 1;
  unsigned __int128 numerator = 0;
  std::string_view fraction = number.fraction;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > 18) return Scale::too_fine;
  for (const char c : fraction) {
    divisor *= 10;
    numerator = numerator * 10 + static_cast<unsigned>(c - '0');
  }
  const unsigned __int128 part = numerator * size;
  value += part / divisor;
  if (value > kMax) return Scale::too_large;
  out = static_cast<uint64_t>(value);
  return part % divisor == 0 ? Scale::ok : Scale::too_fine;
}

const Unit* unit_named(std::string_view name, std::span<const Unit> units) {
  const auto found =
      std::find_if(units.begin(), units.end(),
                   [name](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? nullptr : &*found;
}

// An account, or a parent of accounts.
bool names_account(std::string_view name) {
  return !name.empty() && std::any_of(kAccounts.begin(), kAccounts.end(),
                                      [name](const AccountRow& row) {
                                        return account_within(row.name, name);
                                      });
}

bool names_finding(std::string_view name) {
  return std::any_of(kDetectors.begin(), kDetectors.end(),
                     [name](const Detector& detector) {
                       return detector.id == name || detector.cause == name;
                     });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

tl::unexpected<Error> usage(std::string text) {
  return fail(ErrorCode::usage, std::move(text));
}

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

}  // namespace

Result<int64_t> parse_time_ns(std::string_view text) {
  const std::optional<Decimal> number = split_decimal(text);
  if (!number)
    return usage(fmt::format("'{}' is not a time such as 120ms", text));
  const Unit* unit = unit_named(number->rest, kTimeUnits);
  if (number->rest.empty())
    return usage(
        fmt::format("'{}' has no unit; write {}ms, for instance", text, text));
  if (unit == nullptr)
    return usage(fmt::format("'{}' is not a unit of time; use ns, us, ms or s",
                             number->rest));
  uint64_t ns = 0;
  switch (scale(*number, unit->size, ns)) {
    case Scale::ok:
      return static_cast<int64_t>(ns);
    case Scale::too_large:
      return usage(fmt::format("'{}' is too long a time", text));
    case Scale::too_fine:
      break;
  }
  return usage(fmt::format("'{}' is finer than a nanosecond", text));
}

Result<uint64_t> parse_memory_bytes(std::string_view text) {
  const std::optional<Decimal> number = split_decimal(text);
  const Unit* unit = number ? unit_named(number->rest, kMemoryUnits) : nullptr;
  uint64_t bytes = 0;
  if (unit == nullptr)
    return usage(
        fmt::format("'{}' is not a size such as 2G; use K, M, G or T", text));
  if (scale(*number, unit->size, bytes) == Scale::too_large)
    return usage(fmt::format("'{}' is too large", text));
  constexpr uint64_t kLeast_bytes = 1 << 20;
  if (bytes < kLeast_bytes)
    return usage(fmt::format("'{}' holds no trace; give 1M at least", text));
  return bytes;
}

Result<std::pair<int64_t, int64_t>> parse_step_range(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return usage(fmt::format("'{}' is not a range A:B of steps", text));
  const std::optional<int64_t> first = parse_integer(text.substr(0, colon));
  const std::optional<int64_t> last = parse_integer(text.substr(colon + 1));
  if (!first || !last || *first < 0)
    return usage(fmt::format("'{}' is not a range A:B of steps", text));
  if (*first > *last)
    return usage(fmt::format("'{}' ends before it begins", text));
  return std::pair{*first, *last};
}

Result<Bound> parse_bound(std::string_view text) {
  const size_t sign = text.find('>');
  if (sign == std::string_view::npos)
    return usage(fmt::format("'{}' is not of the form NAME>N%", text));
  const std::string_view name = trimmed(text.substr(0, sign));
  const std::optional<Decimal> number =
      split_decimal(trimmed(text.substr(sign + 1)));
  if (!number || trimmed(number->rest) != "%")
    return usage(
        fmt::format("'{}': the bound must be a percentage such as "
                    "20%",
                    text));
  if (!names_account(name) && !names_finding(name))
    return usage(
        fmt::format("'{}' is neither an account nor a cause; see "
                    "'gpuledger list accounts' and 'gpuledger list causes'",
                    name));
  Bound bound{std::string(name), 0, std::string(text)};
  const char* begin = number->whole.data();
  std::from_chars(begin, number->rest.data(), bound.percent);
  if (bound.percent > 100)
    return usage(fmt::format("'{}': the bound is above 100%", text));
  return bound;
}

}  // namespace gpuledger
