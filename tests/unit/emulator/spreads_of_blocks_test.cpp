// Spreads of the blocks of a batch: differences from the first warp of each block.

#include "emulator/checks/spreads_of_blocks.h"

#include "base/ids.h"

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

constexpr trace::BatchOrder kTwo{2};

/// A spread of two blocks with two warps each. Lanes are 4 apart, the warps of a block 128, and the second
/// block begins at `second`.
const Spread* spread_of_batch(Spreads& spreads, int64_t second) {
  SpreadNumbers numbers;
  for (uint32_t block = 0; block < 2; ++block)
    for (uint32_t warp = 0; warp < 2; ++warp) {
      numbers.base[kTwo.number_of(block, warp)] = second * block + 128 * int64_t{warp};
      numbers.step[kTwo.number_of(block, warp)] = 4;
    }
  return spreads.find(numbers);
}

TEST(SpreadsOfBlocks, equal_blocks_have_one_spread_wherever_they_begin) {
  Spreads batch(1, 4, kLanes);
  SpreadsOfBlocks blocks(1, 2, kLanes);
  const SpreadsOfBlocks::Parts near = blocks.parts_of(0, *spread_of_batch(batch, 256), kTwo);
  ASSERT_NE(near[0], nullptr);
  EXPECT_EQ(near[0], near[1]);
  EXPECT_EQ(near[0]->base[0], 0);
  EXPECT_EQ(near[0]->base[1], 128);
  EXPECT_EQ(near[0]->step[1], 4);
  EXPECT_EQ(near[0]->base[2], 0) << "there is no third warp";
  EXPECT_EQ(blocks.parts_of(0, *spread_of_batch(batch, 4096), kTwo)[1], near[0]);
}

TEST(SpreadsOfBlocks, constant_is_constant_in_each_block) {
  SpreadsOfBlocks blocks(1, 2, kLanes);
  EXPECT_EQ(blocks.parts_of(0, kConstantSpread, kTwo)[1], &kConstantSpread);
}

}  // namespace
}  // namespace lanescope::emulator
