// Numbers of the warps of a batch, counted by hand for three blocks.

#include "trace/batch_order.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

constexpr BatchOrder kThree{3};

TEST(BatchOrder, first_warps_of_all_blocks_come_first) {
  EXPECT_EQ(kThree.number_of(0, 0), 0u);
  EXPECT_EQ(kThree.number_of(2, 0), 2u);
  EXPECT_EQ(kThree.number_of(0, 1), 3u);
  EXPECT_EQ(kThree.number_of(1, 4), 13u);
}

TEST(BatchOrder, number_leads_back_to_block_and_warp) {
  EXPECT_EQ(kThree.block_of(13), 1u);
  EXPECT_EQ(kThree.warp_of(13), 4u);
  EXPECT_EQ(kThree.block_of(2), 2u);
  EXPECT_EQ(kThree.warp_of(2), 0u);
}

TEST(BatchOrder, warps_of_one_block_keep_their_numbers) {
  constexpr BatchOrder kOne;
  EXPECT_EQ(kOne.number_of(0, 7), 7u);
  EXPECT_EQ(kOne.block_of(7), 0u);
  EXPECT_EQ(kOne.warp_of(7), 7u);
}

/// Warps 0 to 6 of the batch are warps 0 to 2 of the first block, and 0 to 1 of the others.
TEST(BatchOrder, first_blocks_have_one_more_of_a_count_that_does_not_divide) {
  EXPECT_EQ(kThree.warps_among(7, 0), 3u);
  EXPECT_EQ(kThree.warps_among(7, 1), 2u);
  EXPECT_EQ(kThree.warps_among(7, 2), 2u);
  EXPECT_EQ(kThree.warps_among(2, 2), 0u);
  EXPECT_EQ(kThree.warps_among(6, 2), 2u);
}

}  // namespace
}  // namespace lanescope::trace
