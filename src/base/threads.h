// Work on several cores whose result does not depend on their number.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

namespace gpuledger {

// How many cores this process may use; at least 1.
unsigned usable_threads();

// The three steps of a pipeline over numbered slots that are used again.
struct OrderedStages {
  std::function<Result<bool>(size_t slot)> produce;  // false: no more
  std::function<Result<bool>(size_t slot)> work;
  std::function<Result<bool>(size_t slot)> consume;
};
Result<bool> run_ordered(unsigned threads, size_t slots,
                         const OrderedStages& stages);

// produce(Item&) fills the next item and returns false at the end; it is called
// by one thread at a time, as is consume(Item&), which sees the items in the
// order in which they were produced. work(Item&) runs in parallel. All three
// return Result<bool>; only produce's value matters. Items are used again, so
// their buffers last. The first error in that order stops the run and is
// returned, whatever the number of threads. One thread: no other is started.
template <class Item, class Produce, class Work, class Consume>
Result<bool> ordered_parallel(unsigned threads, Produce&& produce, Work&& work,
                              Consume&& consume) {
  const size_t slots = threads <= 1 ? 1 : threads + 2;
  std::vector<Item> items(slots);
  const OrderedStages stages{
      [&](size_t slot) -> Result<bool> { return produce(items[slot]); },
      [&](size_t slot) -> Result<bool> { return work(items[slot]); },
      [&](size_t slot) -> Result<bool> { return consume(items[slot]); }};
  return run_ordered(threads, slots, stages);
}

}  // namespace gpuledger
