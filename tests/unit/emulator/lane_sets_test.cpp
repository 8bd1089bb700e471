// Sets of lanes: the same ones have one number, and blocks of a batch have their own warps.

#include "emulator/checks/lane_sets.h"

#include "base/lane_mask.h"

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

TEST(LaneSets, of_one_block_is_what_its_warps_have) {
  LaneSets sets(2);
  const LaneSet* const half = sets.parts_of(0, {kAllLanes.bits, 0xffff}, {1})[0];
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(half->lanes, (WarpLanes{kAllLanes.bits, 0xffff}));
  EXPECT_EQ(half->warps, 2u);
  EXPECT_FALSE(half->is_full);
  const LaneSet* const full = sets.parts_of(1, {kAllLanes.bits, kAllLanes.bits, kAllLanes.bits}, {1})[0];
  EXPECT_TRUE(full->is_full);
  EXPECT_EQ(full->warps, 3u);
  EXPECT_NE(full->number, half->number);
  EXPECT_NE(full->number, 0u);
  EXPECT_EQ(sets.parts_of(1, {kAllLanes.bits, 0xffff}, {1})[0], half) << "another instruction";
}

TEST(LaneSets, a_gap_is_not_full) {
  LaneSets sets(1);
  const LaneSet* const gap = sets.parts_of(0, {0, kAllLanes.bits}, {1})[0];
  EXPECT_EQ(gap->warps, 2u);
  EXPECT_FALSE(gap->is_full);
  EXPECT_EQ(sets.parts_of(0, {}, {1})[0]->warps, 0u);
}

TEST(LaneSets, blocks_of_a_batch_have_their_own) {
  LaneSets sets(1);
  WarpLanes lanes{};
  constexpr trace::BatchOrder kFour{4};
  for (uint32_t block = 0; block < kFour.blocks; ++block) {
    lanes[kFour.number_of(block, 0)] = kAllLanes.bits;
    lanes[kFour.number_of(block, 1)] = block == 2 ? 1 : 3;
  }
  const LaneSets::Parts parts = sets.parts_of(0, lanes, kFour);
  EXPECT_EQ(parts[0]->lanes, (WarpLanes{kAllLanes.bits, 3}));
  EXPECT_EQ(parts[2]->lanes, (WarpLanes{kAllLanes.bits, 1}));
  EXPECT_EQ(parts[1], parts[0]);
  EXPECT_EQ(parts[3], parts[0]);
}

TEST(LaneSets, has_room_for_so_many) {
  LaneSets sets(1);
  uint32_t found = 0;
  while (sets.parts_of(0, {found + 1}, {1})[0] != nullptr) ++found;
  EXPECT_EQ(found, 1024u);
  EXPECT_NE(sets.parts_of(0, {1}, {1})[0], nullptr) << "those that are known stay";
}

}  // namespace
}  // namespace lanescope::emulator
