// Sorts a permutation that is made of a few sorted runs, as columns from a
// recorder are: finds the runs and merges neighbours. Stable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpuledger {

template <class T, class Less>
void merge_sorted_runs(std::vector<T>& items, size_t begin, size_t end,
                       Less less) {
  std::vector<size_t> bounds{begin};
  for (size_t i = begin + 1; i < end; ++i)
    if (less(items[i], items[i - 1])) bounds.push_back(i);
  bounds.push_back(end);
  const auto at = [&](size_t i) { return items.begin() + bounds[i]; };
  if (bounds.size() > 64 + (end - begin) / 8) {  // no runs worth the name
    std::stable_sort(items.begin() + begin, items.begin() + end, less);
    return;
  }
  while (bounds.size() > 2) {
    std::vector<size_t> merged{begin};
    for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
      if (i + 2 < bounds.size()) {
        std::inplace_merge(at(i), at(i + 1), at(i + 2), less);
        merged.push_back(bounds[i + 2]);
      } else {
        merged.push_back(bounds[i + 1]);
      }
    }
    bounds = std::move(merged);
  }
}

}  // namespace gpuledger
