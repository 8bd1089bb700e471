// Spreads of the lanes of a block: what follows from their numbers, and how they are kept and forgotten.

#include "emulator/values/spread.h"

#include <limits>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

/// Blocks of `warps` warps, whose thread indices are x and y in rows of `lanes`.
Spread rows_of(uint32_t lanes, uint32_t warps, int64_t along, int64_t down) {
  Spread spread;
  for (uint32_t w = 0; w < warps; ++w) {
    spread.base[w] = down * (w * kLanes / lanes);
    spread.step[w] = along;
    spread.row[w] = lanes < kLanes ? down : 0;
  }
  return spread;
}

TEST(Spread, of_addresses_in_rows_of_32_lanes) {
  Spreads spreads(1, 8, 32);
  const Spread* const found = spreads.find(rows_of(32, 8, 4, 4096));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->lowest, 0);
  EXPECT_EQ(found->highest, 7 * 4096 + 31 * 4);
  EXPECT_EQ(found->bits, 0x7004u);
  EXPECT_EQ(found->base_bits, 0x7000u);
  EXPECT_TRUE(found->has_same_steps);
  EXPECT_TRUE(found->is_affine);
  EXPECT_FALSE(found->is_uniform);
  EXPECT_FALSE(found->is_long);
}

TEST(Spread, of_rows_of_8_lanes_is_affine_where_they_follow_one_another) {
  Spreads spreads(1, 2, 8);
  const Spread* const apart = spreads.find(rows_of(8, 2, -4, 100));
  ASSERT_NE(apart, nullptr);
  EXPECT_FALSE(apart->is_affine);
  EXPECT_EQ(apart->lowest, -28);             // the last lane of the first row
  EXPECT_EQ(apart->highest, 400 + 3 * 100);  // the first lane of the last row
  const Spread* const together = spreads.find(rows_of(8, 2, 4, 32));
  ASSERT_NE(together, nullptr);
  EXPECT_TRUE(together->is_affine);
  EXPECT_EQ(together->highest, 63 * 4);
}

TEST(Spread, steps_that_differ_from_warp_to_warp_are_seen) {
  Spreads spreads(1, 2, 32);
  Spread numbers = rows_of(32, 2, 4, 128);
  numbers.step[1] = 8;
  EXPECT_FALSE(spreads.find(numbers)->has_same_steps);
  Spread uniform;
  uniform.base[1] = -1;
  EXPECT_TRUE(spreads.find(uniform)->is_uniform);
  EXPECT_EQ(spreads.find(uniform)->lowest, -1);
}

TEST(Spread, a_number_longer_than_a_region_is_long) {
  Spreads spreads(1, 1, 32);
  EXPECT_FALSE(spreads.find(rows_of(32, 1, int64_t{1} << 40, 0))->is_long);
  EXPECT_TRUE(spreads.find(rows_of(32, 1, (int64_t{1} << 40) + 1, 0))->is_long);
  EXPECT_TRUE(spreads.find(rows_of(32, 1, std::numeric_limits<int64_t>::min(), 0))->is_long);
}

TEST(Spreads, equal_numbers_are_one_spread_and_zeros_the_constant) {
  Spreads spreads(1, 4, 32);
  const Spread* const found = spreads.find(rows_of(32, 4, 4, 128));
  EXPECT_EQ(spreads.find(rows_of(32, 4, 4, 128)), found);
  EXPECT_NE(spreads.find(rows_of(32, 4, 8, 128)), found);
  EXPECT_EQ(spreads.find({}), &kConstantSpread);
}

TEST(Spreads, an_instruction_remembers_what_it_made_of_the_same_operands) {
  Spreads spreads(2, 4, 32);
  const Spread* const a = spreads.find(rows_of(32, 4, 1, 0));
  const Spread* const b = spreads.find(rows_of(32, 4, 4, 0));
  EXPECT_EQ(spreads.last_result(1, a, nullptr, 4), nullptr);
  spreads.set_last_result(1, a, nullptr, 4, b);
  EXPECT_EQ(spreads.last_result(1, a, nullptr, 4), b);
  EXPECT_EQ(spreads.last_result(0, a, nullptr, 4), nullptr);
  EXPECT_EQ(spreads.last_result(1, b, nullptr, 4), nullptr);
  EXPECT_EQ(spreads.last_result(1, a, b, 4), nullptr);
  EXPECT_EQ(spreads.last_result(1, a, nullptr, 5), nullptr);
}

TEST(Spreads, an_instruction_that_made_many_may_make_no_more) {
  Spreads spreads(2, 1, 32);
  for (int64_t step = 1; spreads.may_make(0); ++step) {
    ASSERT_LT(step, 1000);
    const Spread* const made = spreads.make(0, rows_of(32, 1, step, 0));
    ASSERT_NE(made, nullptr);
    spreads.set_last_result(0, made, nullptr, 0, made);
    EXPECT_EQ(spreads.make(1, rows_of(32, 1, step, 0)), made);  // which is no new one
  }
  EXPECT_TRUE(spreads.may_make(1));
}

TEST(Spreads, where_no_room_is_left_there_is_no_other_until_some_are_forgotten) {
  Spreads spreads(1, 1, 32);
  const Spread* const kept = spreads.find(rows_of(32, 1, 1, 0));
  spreads.keep_all();
  EXPECT_FALSE(spreads.forget());
  int64_t step = 2;
  while (spreads.find(rows_of(32, 1, step, 0)) != nullptr) ASSERT_LT(++step, 10'000);
  EXPECT_EQ(spreads.find(rows_of(32, 1, 1, 0)), kept);
  spreads.set_last_result(0, kept, nullptr, 2, spreads.find(rows_of(32, 1, 2, 0)));
  EXPECT_TRUE(spreads.forget());
  EXPECT_EQ(spreads.last_result(0, kept, nullptr, 2), nullptr);
  EXPECT_EQ(spreads.find(rows_of(32, 1, 1, 0)), kept);
  EXPECT_NE(spreads.find(rows_of(32, 1, step, 0)), nullptr);
  EXPECT_FALSE(spreads.forget());
}

}  // namespace
}  // namespace lanescope::emulator
