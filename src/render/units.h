// Numbers for people: three digits and a unit, never twelve digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger {

std::string format_ns(int64_t ns);          // 812 ns, 12.3 us, 31.2 ms, 1.20 s
std::string format_ratio(double ratio);     // 41.2 %, <0.1 %, >99.9 %
std::string format_bytes(double bytes);     // 512 B, 12.3 MB (powers of 1000)
std::string format_count(int64_t count);    // 1,234,567, 12.3 M
std::string format_decimal(double number);  // three digits, no unit

// A measured value in the unit of the evidence table: ns, ratio, bytes, count,
// or any other unit, which is printed as it stands (24.1 GB/s).
std::string format_value(double value, std::string_view unit);

}  // namespace gpuledger
