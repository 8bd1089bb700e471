#include "base/relaxed_ref.h"

#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

struct alignas(8) Pair {
  uint32_t first = 0, second = 0;
  bool operator==(const Pair&) const = default;
};

TEST(RelaxedRef, an_exchange_happens_only_where_the_value_is_the_expected_one) {
  Pair pair{1, 2};
  Pair expected{1, 3};
  EXPECT_FALSE(RelaxedRef(pair).compare_exchange(expected, {9, 9}));
  EXPECT_EQ(expected, (Pair{1, 2}));
  EXPECT_TRUE(RelaxedRef(pair).compare_exchange(expected, {9, 9}));
  EXPECT_EQ(RelaxedRef(pair).load(), (Pair{9, 9}));
  RelaxedRef(pair).store({4, 5});
  EXPECT_EQ(pair, (Pair{4, 5}));
}

TEST(RelaxedRef, threads_lose_no_exchange) {
  constexpr uint64_t kAdditions = 20'000;
  uint64_t sum = 0;
  const auto add = [&sum] {
    for (uint64_t n = 0; n < kAdditions; ++n) {
      uint64_t found = RelaxedRef(sum).load();
      while (!RelaxedRef(sum).compare_exchange(found, found + 1)) {
      }
    }
  };
  {
    const std::vector<std::jthread> threads = [&add] {
      std::vector<std::jthread> started;
      for (int n = 0; n < 2; ++n) started.emplace_back(add);
      return started;
    }();
  }
  EXPECT_EQ(sum, 2 * kAdditions);
}

}  // namespace
}  // namespace lanescope
