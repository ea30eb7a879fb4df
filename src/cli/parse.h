// Values of options: exact, with a unit, or refused with a reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace gpuledger {

// "120ms", "1.5s", "300us", "5000ns" in nanoseconds, exactly.
Result<int64_t> parse_time_ns(std::string_view text);

// "2G", "512M", "1.5G": powers of 1024.
Result<uint64_t> parse_memory_bytes(std::string_view text);

// "3:7": both ends belong to it.
Result<std::pair<int64_t, int64_t>> parse_step_range(std::string_view text);

// "idle>20%": crossed when the share of `name` is above `percent`.
struct Bound {
  std::string name;
  double percent = 0;
  std::string text;  // as it was given
};
Result<Bound> parse_bound(std::string_view text);

}  // namespace gpuledger
