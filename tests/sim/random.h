// Jitter that depends on the seed, the purpose and a counter alone: switching
// one cause off leaves every other draw as it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuledger::sim {

enum class Draw : uint8_t { kernel, host, loader, copy, item, loss };

class Random {
 public:
  Random(uint64_t seed, int64_t jitter_percent)
      : seed_(seed), jitter_percent_(jitter_percent) {}

  uint64_t next(Draw draw) {
    const auto i = static_cast<size_t>(draw);
    uint64_t x = seed_ * 0x9e3779b97f4a7c15 + (uint64_t{i} << 56) + count_[i]++;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  // `mean_ns` plus or minus the jitter, never below 1.
  int64_t around(int64_t mean_ns, Draw draw) {
    const int64_t span_ns = mean_ns * jitter_percent_ / 100;
    if (span_ns == 0) return mean_ns < 1 ? 1 : mean_ns;
    const auto width = static_cast<uint64_t>(2 * span_ns + 1);
    return mean_ns - span_ns + static_cast<int64_t>(next(draw) % width);
  }

  bool percent(int64_t chance, Draw draw) {
    return static_cast<int64_t>(next(draw) % 100) < chance;
  }

 private:
  uint64_t seed_;
  int64_t jitter_percent_;
  std::array<uint64_t, 6> count_{};
};

}  // namespace gpuledger::sim
