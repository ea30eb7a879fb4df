// What a user may ask of an analysis. Passive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gpuledger {

struct AnalyzeOptions {
  enum class Window : uint8_t { steps, device };
  Window window = Window::steps;
  // --steps A:B, inclusive: annotation numbers, else the index from 0.
  std::optional<std::pair<int64_t, int64_t>> steps;
  // --from/--to, nanoseconds after the first event.
  std::optional<int64_t> from_ns, to_ns;
  std::string device;  // --device ID; empty: all
  uint64_t memory_bytes = uint64_t{2} << 30;
  // 0: as many as this process may use.
  unsigned threads = 0;
};

}  // namespace gpuledger
