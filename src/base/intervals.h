// Half-open integer intervals and their unions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gpuledger {

struct Interval {
  int64_t start = 0, end = 0;
  int64_t length() const { return end - start; }
};

// A union of intervals: disjoint, in time order, with running totals, so that
// "how much of [a, b) is covered" takes two binary searches.
class IntervalUnion {
 public:
  // Intervals must come with non-decreasing starts; empty ones are ignored.
  void add(int64_t start, int64_t end) {
    if (end <= start) return;
    if (!spans_.empty() && start <= spans_.back().end) {
      spans_.back().end = std::max(spans_.back().end, end);
      return;
    }
    const int64_t before =
        spans_.empty() ? 0 : before_.back() + spans_.back().length();
    spans_.push_back({start, end});
    before_.push_back(before);
  }

  int64_t covered(int64_t a, int64_t b) const {
    return a < b ? covered_before(b) - covered_before(a) : 0;
  }

  const std::vector<Interval>& spans() const { return spans_; }

 private:
  int64_t covered_before(int64_t t) const {
    auto it = std::partition_point(
        spans_.begin(), spans_.end(),
        [t](const Interval& span) { return span.start < t; });
    if (it == spans_.begin()) return 0;
    --it;
    const size_t i = static_cast<size_t>(it - spans_.begin());
    return before_[i] + std::min(t, it->end) - it->start;
  }

  std::vector<Interval> spans_;
  std::vector<int64_t> before_;  // covered time before each span
};

}  // namespace gpuledger
