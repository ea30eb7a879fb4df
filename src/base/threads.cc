#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace gpuledger {
namespace {

// Every thread takes whatever step is next: it consumes the oldest item if that
// is ready, else it produces an item and works on it while it is in the cache.
class OrderedRun {
 public:
  OrderedRun(size_t slots, const OrderedStages& stages)
      : stages_(stages), slots_(slots) {}

  void run();
  Result<bool> result() {
    if (error_) return fail(std::move(*error_));
    return true;
  }

 private:
  struct Slot {
    bool worked = false;
    std::optional<Error> error;  // of work
  };
  using Lock = std::unique_lock<std::mutex>;

  bool can_consume() const {
    return !consuming_ && consumed_ < produced_ &&
           slots_[consumed_ % slots_.size()].worked;
  }
  bool can_produce() const {
    return !producing_ && !ended_ && produced_ - consumed_ < slots_.size();
  }
  bool over() const {
    return stopped_ || (ended_ && !producing_ && consumed_ == produced_);
  }
  void consume(Lock& lock);
  void produce_and_work(Lock& lock);

  const OrderedStages& stages_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  uint64_t produced_ = 0, consumed_ = 0;
  bool producing_ = false, consuming_ = false;
  bool ended_ = false;    // nothing more will be produced
  bool stopped_ = false;  // by an error that is in error_
  std::optional<Error> error_, produce_error_;
};

void OrderedRun::run() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock,
                  [&] { return over() || can_consume() || can_produce(); });
    if (over()) break;
    if (can_consume())
      consume(lock);
    else
      produce_and_work(lock);
    changed_.notify_all();
  }
  // What was produced before it has been consumed: now it is its turn.
  if (!error_ && produce_error_) error_ = std::move(produce_error_);
}

void OrderedRun::consume(Lock& lock) {
  const size_t slot = consumed_ % slots_.size();
  consuming_ = true;
  std::optional<Error> error = std::move(slots_[slot].error);
  lock.unlock();
  if (!error) {
    auto result = stages_.consume(slot);
    if (!result) error = std::move(result.error());
  }
  lock.lock();
  consuming_ = false;
  slots_[slot] = {};
  ++consumed_;
  if (error) {
    error_ = std::move(error);
    stopped_ = true;
  }
}

void OrderedRun::produce_and_work(Lock& lock) {
  const size_t slot = produced_ % slots_.size();
  producing_ = true;
  lock.unlock();
  auto more = stages_.produce(slot);
  lock.lock();
  producing_ = false;
  if (!more || !*more) {
    ended_ = true;
    if (!more) produce_error_ = std::move(more.error());
    return;
  }
  ++produced_;
  changed_.notify_all();
  lock.unlock();
  auto worked = stages_.work(slot);
  lock.lock();
  if (!worked) slots_[slot].error = std::move(worked.error());
  slots_[slot].worked = true;
}

}  // namespace

unsigned usable_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Refused where there are more cores than the set can hold.
  if (::sched_getaffinity(0, sizeof set, &set) != 0)
    return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

Result<bool> run_ordered(unsigned threads, size_t slots,
                         const OrderedStages& stages) {
  OrderedRun run(slots, stages);
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([&run] { run.run(); });
    run.run();
  }
  return run.result();
}

}  // namespace gpuledger
