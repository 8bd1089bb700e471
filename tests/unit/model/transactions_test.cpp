// Transactions by compute capability: the guide's figures, hand-computed patterns, and properties.

#include "model/transactions.h"

#include "support/warp_pattern.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using tests::affine_access;
using tests::global_load;
using tests::global_store;
using tests::WarpPattern;

constexpr uint64_t kBase = 1 << 20;

/// How many transactions of each size.
std::map<uint32_t, int> sizes(const TransactionList& list) {
  std::map<uint32_t, int> count;
  for (const Transaction& one : list.all()) ++count[one.bytes];
  return count;
}
std::map<uint32_t, int> sizes_of(const trace::WarpAccess& access, int capability,
                                 Caching caching = Caching::L1AndL2) {
  return sizes(transactions_of(access, capability, caching));
}

// CUDA C Programming Guide 4.2, figure F-1: a warp of 4-byte words, aligned, and starting 4 bytes late.
TEST(Transactions, aligned_words_are_two_of_64_bytes_on_1x_and_one_line_on_2x) {
  const auto access = affine_access(global_load(4), kBase, 4);
  EXPECT_THAT(sizes_of(access, 10), ElementsAre(Pair(64, 2)));
  EXPECT_THAT(sizes_of(access, 13), ElementsAre(Pair(64, 2)));
  EXPECT_THAT(sizes_of(access, 20), ElementsAre(Pair(128, 1)));
  EXPECT_THAT(sizes_of(access, 20, Caching::L2Only), ElementsAre(Pair(32, 4)));
  EXPECT_THAT(sizes_of(access, 90), ElementsAre(Pair(32, 4)));
}
TEST(Transactions, words_4_bytes_late_are_as_in_the_guides_figure) {
  const auto access = affine_access(global_load(4), kBase + 4, 4);
  // 7 + 8 + 8 + 8 + 1 lanes in five blocks of 32 bytes, one transaction for each lane.
  EXPECT_THAT(sizes_of(access, 11), ElementsAre(Pair(32, 32)));
  EXPECT_THAT(sizes_of(access, 12), ElementsAre(Pair(32, 1), Pair(64, 1), Pair(128, 1)));
  EXPECT_THAT(sizes_of(access, 20), ElementsAre(Pair(128, 2)));
  EXPECT_THAT(sizes_of(access, 20, Caching::L2Only), ElementsAre(Pair(32, 5)));
}
TEST(Transactions, the_misaligned_blocks_of_1_0_hold_7_8_8_8_and_1_lanes) {
  std::map<uint64_t, int> lanes;
  const auto transactions = transactions_of(affine_access(global_load(4), kBase + 4, 4), 10);
  for (const Transaction& one : transactions.all()) ++lanes[(one.address - kBase) / 32];
  EXPECT_THAT(lanes, ElementsAre(Pair(0, 7), Pair(1, 8), Pair(2, 8), Pair(3, 8), Pair(4, 1)));
}

// F.3.2.1: the words of a half-warp in one segment of 64 bytes, 128, or two of 128.
TEST(Transactions, segments_of_1_0_follow_the_width) {
  EXPECT_THAT(sizes_of(affine_access(global_load(8), kBase, 8), 10), ElementsAre(Pair(128, 2)));
  EXPECT_THAT(sizes_of(affine_access(global_load(16), kBase, 16), 10), ElementsAre(Pair(128, 4)));
}
TEST(Transactions, out_of_order_lanes_are_16_transactions_on_1_0_and_one_on_1_2) {
  const WarpPattern swapped(global_load(4), [](int lane) { return kBase + 4 * (lane ^ 1); });
  EXPECT_THAT(sizes_of(swapped.access(), 10), ElementsAre(Pair(32, 32)));
  EXPECT_THAT(sizes_of(swapped.access(), 12), ElementsAre(Pair(64, 2)));
}
TEST(Transactions, inactive_lanes_leave_1_0_coalesced) {
  const auto odd = affine_access(global_load(4), kBase, 4, LaneMask{0xaaaaaaaa});
  EXPECT_THAT(sizes_of(odd, 10), ElementsAre(Pair(64, 2)));
}
TEST(Transactions, bytes_are_never_coalesced_on_1_0) {
  EXPECT_THAT(sizes_of(affine_access(global_load(1), kBase, 1), 10), ElementsAre(Pair(32, 32)));
}

// F.3.2.2: 32 bytes for 1-byte words, 64 for 2, 128 for 4, 8 and 16; then the half that is used.
TEST(Transactions, segments_of_1_3_shrink_to_what_is_used) {
  EXPECT_THAT(sizes_of(affine_access(global_load(1), kBase, 1), 13), ElementsAre(Pair(32, 2)));
  EXPECT_THAT(sizes_of(affine_access(global_load(2), kBase, 2), 13), ElementsAre(Pair(32, 2)));
  EXPECT_THAT(sizes_of(affine_access(global_load(4), kBase, 0), 13), ElementsAre(Pair(32, 2)));
  EXPECT_THAT(sizes_of(affine_access(global_load(8), kBase, 8), 13), ElementsAre(Pair(128, 2)));
  EXPECT_THAT(sizes_of(affine_access(global_load(16), kBase, 16), 13), ElementsAre(Pair(128, 4)));
  // Words at 60 and 64: both halves of the segment, so it stays whole.
  const WarpPattern across(global_load(4), [](int lane) { return kBase + 60 + 4 * lane; }, LaneMask{0x3});
  EXPECT_THAT(sizes_of(across.access(), 13), ElementsAre(Pair(128, 1)));
}
TEST(Transactions, a_column_is_32_transactions_of_32_bytes_everywhere_but_in_lines) {
  const auto column = affine_access(global_store(4), kBase, 8192);
  for (const int capability : {10, 13, 20, 30, 50, 90})
    EXPECT_THAT(sizes_of(column, capability), ElementsAre(Pair(32, 32))) << capability;
  const auto read = affine_access(global_load(4), kBase, 8192);
  EXPECT_THAT(sizes_of(read, 20), ElementsAre(Pair(128, 32)));
  EXPECT_THAT(sizes_of(read, 20, Caching::L2Only), ElementsAre(Pair(32, 32)));
}

// F.4.2: 8 bytes are two requests of a half-warp, 16 bytes four of a quarter.
TEST(Transactions, wide_words_are_more_requests_on_2x) {
  EXPECT_EQ(transactions_of(affine_access(global_load(4), kBase, 4), 20).requests(), 1u);
  EXPECT_EQ(transactions_of(affine_access(global_load(8), kBase, 8), 20).requests(), 2u);
  EXPECT_EQ(transactions_of(affine_access(global_load(16), kBase, 16), 30).requests(), 4u);
  EXPECT_THAT(sizes_of(affine_access(global_load(16), kBase, 16), 20), ElementsAre(Pair(128, 4)));
  // All lanes at one double: each half-warp requests its own line.
  EXPECT_THAT(sizes_of(affine_access(global_load(8), kBase, 0), 20), ElementsAre(Pair(128, 2)));
  EXPECT_EQ(transactions_of(affine_access(global_load(16), kBase, 16), 90).requests(), 1u);
  EXPECT_EQ(transactions_of(affine_access(global_load(4), kBase, 4), 13).requests(), 2u);
}

TEST(Transactions, other_spaces_make_none) {
  EXPECT_TRUE(transactions_of(affine_access(tests::shared_load(4), 0, 4), 13).all().empty());
}

TEST(Transactions, totals_are_the_sum_of_their_parts) {
  const auto aligned = affine_access(global_load(4), kBase, 4);
  const auto late = affine_access(global_load(4), kBase + 4, 4);
  TransactionTotals totals;
  for (const auto& access : {aligned, late}) totals.add(access, transactions_of(access, 13));
  EXPECT_EQ(totals.requests, 4u);
  EXPECT_EQ(totals.transactions, 2u + 3u);
  EXPECT_EQ(totals.bytes_moved, 128u + 128u + 64u + 32u);
  EXPECT_EQ(totals.bytes_used, 256u);
  EXPECT_DOUBLE_EQ(totals.efficiency(), 256.0 / 352.0);
}

TEST(Transactions, a_permutation_of_the_lanes_of_a_half_warp_changes_nothing_since_1_2) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int width = 1 << random() % 5;
    std::array<uint64_t, kLanes> at{};
    for (uint64_t& address : at) address = kBase + random() % 600 / width * width;
    std::array<size_t, kLanes> order{};
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.begin() + 16, random);
    std::shuffle(order.begin() + 16, order.end(), random);
    const WarpPattern plain(global_load(width), [&](int lane) { return at[lane]; });
    const WarpPattern mixed(global_load(width), [&](int lane) { return at[order[lane]]; });
    for (const int capability : {12, 13, 50, 90})
      EXPECT_EQ(sizes_of(plain.access(), capability), sizes_of(mixed.access(), capability)) << round;
    if (width <= 8) {
      EXPECT_EQ(sizes_of(plain.access(), 20), sizes_of(mixed.access(), 20)) << round;
    }
  }
}

TEST(Transactions, every_lane_is_served_and_every_transaction_is_aligned) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    const int width = 1 << random() % 5;
    const LaneMask active{static_cast<uint32_t>(random()) | 1};
    std::array<uint64_t, kLanes> at{};
    for (uint64_t& address : at) address = kBase + random() % 5000 / width * width;
    const WarpPattern pattern(global_load(width), [&](int lane) { return at[lane]; }, active);
    for (const int capability : {10, 11, 12, 13, 20, 30, 35, 50, 70, 90}) {
      const TransactionList list = transactions_of(pattern.access(), capability);
      for (const Transaction& one : list.all()) EXPECT_EQ(one.address % one.bytes, 0u);
      for_each_lane(active, [&](int lane) {
        const bool served = std::ranges::any_of(list.all(), [&](const Transaction& one) {
          return at[lane] >= one.address && at[lane] + width <= one.address + one.bytes;
        });
        EXPECT_TRUE(served) << capability << " lane " << lane << " round " << round;
      });
    }
  }
}

}  // namespace
}  // namespace lanescope::model
