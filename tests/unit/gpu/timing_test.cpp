// What is made of the seconds, and how many sets of buffers go round: all of it without a GPU.

#include "gpu/timing.h"

#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

TEST(Timing, quartiles_lie_between_repetitions) {
  const Timing five{{1, 2, 3, 4, 10}};
  EXPECT_DOUBLE_EQ(five.minimum(), 1);
  EXPECT_DOUBLE_EQ(five.lower_quartile(), 2);
  EXPECT_DOUBLE_EQ(five.median(), 3);
  EXPECT_DOUBLE_EQ(five.upper_quartile(), 4);
  const Timing two{{1, 3}};
  EXPECT_DOUBLE_EQ(two.median(), 2);
  EXPECT_DOUBLE_EQ(two.lower_quartile(), 1.5);
}

TEST(Timing, one_repetition_is_all_of_its_quantiles) {
  const Timing one{{7}};
  EXPECT_DOUBLE_EQ(one.median(), 7);
  EXPECT_DOUBLE_EQ(one.upper_quartile(), 7);
}

TEST(RotatingSets, small_buffers_take_many_and_large_ones_two) {
  constexpr uint64_t kL2 = uint64_t{60} << 20;
  EXPECT_EQ(rotating_sets(uint64_t{8} << 20, kL2),
            24);  // 180 MiB of others are 22.5 sets, and the set itself
  EXPECT_EQ(rotating_sets(uint64_t{180} << 20, kL2), 2);
  EXPECT_EQ(rotating_sets(uint64_t{2} << 30, kL2), 2);
  EXPECT_EQ(rotating_sets(1, kL2), 64);
  EXPECT_EQ(rotating_sets(0, kL2), 1);
}

}  // namespace
}  // namespace lanescope::gpu
