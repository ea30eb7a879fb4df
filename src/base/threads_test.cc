#include "base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace gpuledger {
namespace {

struct Item {
  int value = 0, squared = 0;
};

// Consumes squares of 0, 1, …; the step `where` fails at item `at`.
std::pair<std::vector<int>, std::string> run(unsigned threads, int count,
                                             std::string where = "",
                                             int at = 0) {
  std::vector<int> seen;
  int next = 0;
  const auto check = [&](const char* step, int value) -> Result<bool> {
    if (where == step && value == at)
      return fail(ErrorCode::io, where + std::to_string(value));
    return true;
  };
  const auto result = ordered_parallel<Item>(
      threads,
      [&](Item& item) -> Result<bool> {
        RETURN_IF_ERROR(check("produce", next));
        if (next == count) return false;
        item.value = next++;
        return true;
      },
      [&](Item& item) -> Result<bool> {
        if (item.value % 7 == 0) std::this_thread::yield();
        item.squared = item.value * item.value;
        return check("work", item.value);
      },
      [&](Item& item) -> Result<bool> {
        seen.push_back(item.squared);
        return check("consume", item.value);
      });
  return {seen, result ? "" : result.error().text};
}

TEST(Threads, AtLeastOne) { EXPECT_GE(usable_threads(), 1u); }

TEST(Threads, SameResultForAnyNumber) {
  for (const int count : {0, 1, 2, 500}) {
    const auto one = run(1, count);
    EXPECT_EQ(one.first.size(), static_cast<size_t>(count));
    for (const unsigned threads : {2u, 3u, 8u})
      EXPECT_EQ(run(threads, count), one);
  }
}

TEST(Threads, SameErrorForAnyNumber) {
  for (const char* where : {"produce", "work", "consume"}) {
    const auto one = run(1, 500, where, 123);
    EXPECT_EQ(one.second, std::string(where) + "123");
    for (const unsigned threads : {2u, 3u, 8u})
      EXPECT_EQ(run(threads, 500, where, 123), one);
  }
}

TEST(Threads, OneThreadStartsNoOther) {
  const auto self = std::this_thread::get_id();
  const auto on_self = [&](Item&) -> Result<bool> {
    EXPECT_EQ(std::this_thread::get_id(), self);
    return true;
  };
  int left = 3;
  const auto result = ordered_parallel<Item>(
      1, [&](Item&) -> Result<bool> { return left-- > 0; }, on_self, on_self);
  EXPECT_TRUE(result.has_value());
}

}  // namespace
}  // namespace gpuledger
