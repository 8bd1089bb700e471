#include "base/random.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

// The first numbers of splitmix64 seeded with 1234567, as its authors' program prints them.
TEST(Random, numbers_are_those_of_splitmix64) {
  EXPECT_EQ(random_at(1234567, 0), 6457827717110365317u);
  EXPECT_EQ(random_at(1234567, 1), 3203168211198807973u);
  EXPECT_EQ(random_at(1234567, 2), 9817491932198370423u);
}

TEST(Random, positions_are_independent) {
  const uint64_t late = random_at(7, 1000);
  random_at(7, 3);
  EXPECT_EQ(random_at(7, 1000), late);
  EXPECT_NE(random_at(8, 1000), late);
}

}  // namespace
}  // namespace lanescope
