#include "render/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace gpuledger {
namespace {

struct Unit {
  double size;
  double limit;  // the next unit takes over from here
  std::string_view name;
};

// 999.5 would print as 1000: the next unit begins there.
constexpr double kNext = 999.5;

constexpr std::array kTimeUnits{
    Unit{1, kNext, "ns"},    Unit{1e3, kNext, "us"}, Unit{1e6, kNext, "ms"},
    Unit{1e9, kNext, "s"},   Unit{60e9, 120, "min"}, Unit{3600e9, kNext, "h"},
    Unit{86400e9, 1e9, "d"},
};
constexpr std::array kByteUnits{
    Unit{1, kNext, "B"},    Unit{1e3, kNext, "kB"},  Unit{1e6, kNext, "MB"},
    Unit{1e9, kNext, "GB"}, Unit{1e12, kNext, "TB"}, Unit{1e15, 1e6, "PB"},
};
constexpr std::array kCountUnits{
    Unit{1e6, kNext, "M"},
    Unit{1e9, kNext, "G"},
    Unit{1e12, 1e9, "T"},
};

std::string format_scaled(double value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    const double scaled = value / unit.size;
    if (std::abs(scaled) < unit.limit || &unit == &units.back())
      return fmt::format("{} {}", format_decimal(scaled), unit.name);
  }
  return {};
}

std::string with_commas(int64_t count) {
  std::string digits = fmt::format("{}", count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3; i -= 3)
    digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace

std::string format_decimal(double number) {
  if (!std::isfinite(number)) return "unknown";
  const double size = std::abs(number);
  if (size >= 1e6) return fmt::format("{:.3g}", number);
  if (size >= 99.95 || number == std::floor(number))
    return fmt::format("{:.0f}", number);
  return fmt::format("{:.{}f}", number, size >= 9.995 ? 1 : 2);
}

std::string format_ns(int64_t ns) {
  return format_scaled(static_cast<double>(ns), kTimeUnits);
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return "unknown";
  const double percent = ratio * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  if (percent < 100 && percent >= 99.95) return ">99.9 %";
  return fmt::format("{:.1f} %", percent);
}

std::string format_bytes(double bytes) {
  return format_scaled(bytes, kByteUnits);
}

std::string format_count(int64_t count) {
  const double size = std::abs(static_cast<double>(count));
  if (size < 1e7) return with_commas(count);
  return format_scaled(static_cast<double>(count), kCountUnits);
}

std::string format_value(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "unknown";
  if (unit == "ns") return format_scaled(value, kTimeUnits);
  if (unit == "ratio") return format_ratio(value);
  if (unit == "bytes") return format_bytes(value);
  if (unit == "count" && std::abs(value) < 9e18 && value == std::floor(value))
    return format_count(static_cast<int64_t>(value));
  if (unit == "count" || unit.empty()) return format_decimal(value);
  return fmt::format("{} {}", format_decimal(value), unit);
}

}  // namespace gpuledger
