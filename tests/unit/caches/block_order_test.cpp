#include "caches/block_order.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

TEST(BlockOrder, few_blocks_get_a_multiprocessor_each) {
  const BlockOrder order(132, 8, 132);
  EXPECT_EQ(std::set<uint32_t>(order.first().begin(), order.first().end()).size(), 132u);
}

TEST(BlockOrder, small_ring_begins_and_comes_again_before_the_large_one_is_round) {
  // As an H100 did it: 8 multiprocessors, 70 others, the 8 again.
  const BlockOrder order(132, 8, 1056);
  ASSERT_EQ(order.first().size(), 1056u);
  for (uint32_t block = 0; block < 8; ++block) {
    EXPECT_EQ(order.multiprocessor_of(block), 124 + block);
    EXPECT_EQ(order.multiprocessor_of(78 + block), 124 + block);
  }
  for (uint32_t block = 8; block < 78; ++block) EXPECT_EQ(order.multiprocessor_of(block), block - 8);
  EXPECT_EQ(order.multiprocessor_of(86), 70u);
  std::vector<int> blocks(132);
  for (const uint32_t multiprocessor : order.first()) ++blocks[multiprocessor];
  EXPECT_EQ(blocks, std::vector<int>(132, 8));
}

TEST(BlockOrder, grid_that_does_not_fill_the_device_starts_whole) {
  EXPECT_EQ(BlockOrder(132, 8, 300).first().size(), 300u);
  EXPECT_EQ(BlockOrder(2, 1, 5).first(), (std::vector<uint32_t>{0, 1}));
}

TEST(BlockOrder, each_later_round_gives_every_multiprocessor_one_block_in_another_order) {
  const BlockOrder order(132, 2, 1000);
  std::vector<std::vector<uint32_t>> rounds;
  for (uint64_t round = 2; round < 5; ++round) {
    std::vector<uint32_t>& numbers = rounds.emplace_back();
    for (uint64_t n = 0; n < 132; ++n) numbers.push_back(order.multiprocessor_of(round * 132 + n));
    EXPECT_EQ(std::set<uint32_t>(numbers.begin(), numbers.end()).size(), 132u);
  }
  EXPECT_NE(rounds[0], rounds[1]);
  EXPECT_NE(rounds[1], rounds[2]);
  EXPECT_EQ(BlockOrder(132, 2, 1000, false).multiprocessor_of(132 * 7 + 5), 5u);
}

TEST(BlockOrder, sample_has_each_multiprocessor_once) {
  const BlockOrder order(132, 2, 1000);
  std::set<uint32_t> places;
  for (uint32_t n = 0; n < 132; ++n) places.insert(order.place_in_sample(n));
  EXPECT_EQ(places.size(), 132u);
  EXPECT_EQ(*places.rbegin(), 131u);
  EXPECT_EQ(BlockOrder(1, 1, 1).place_in_sample(0), 0u);
}

}  // namespace
}  // namespace lanescope::caches
