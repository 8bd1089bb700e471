// The sorting network against plain counting, on numbers of every kind.

#include "model/lane_keys.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

class LaneKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compare_lane_keys()) GTEST_SKIP() << "the machine has no AVX2";
  }
};

int distinct_above(const LaneKeys& keys, int shift) {
  std::set<uint32_t> found;
  for (const uint32_t key : keys) found.insert(key >> shift);
  return static_cast<int>(found.size());
}

void expect_plain_counts(const LaneKeys& keys) {
  const DistinctKeys counted = count_distinct(keys, 3, 5);
  EXPECT_EQ(counted.keys, distinct_above(keys, 0));
  EXPECT_EQ(counted.by_first, distinct_above(keys, 3));
  EXPECT_EQ(counted.by_second, distinct_above(keys, 5));
  std::map<uint32_t, std::multiset<uint32_t>> columns;
  for (const uint32_t key : keys) columns[key >> kColumnShift].insert(key);
  size_t most = 0;
  size_t most_distinct = 0;
  for (const auto& [column, of_column] : columns) {
    most = std::max(most, of_column.size());
    most_distinct = std::max(most_distinct, std::set(of_column.begin(), of_column.end()).size());
  }
  EXPECT_EQ(static_cast<size_t>(count_in_column(keys)), most);
  EXPECT_EQ(static_cast<size_t>(count_distinct_in_column(keys)), most_distinct);
}

TEST_F(LaneKeysTest, keys_are_places_behind_the_origin_in_order) {
  std::array<uint64_t, kLanes> addresses;
  for (uint64_t lane = 0; lane < kLanes; ++lane) addresses[lane] = 0x7000000000 + 8 * (lane * lane % 31);
  LaneKeys keys;
  ASSERT_TRUE(make_keys(addresses, 0x7000000000 - 800, 3, keys));
  for (uint32_t lane = 0; lane < kLanes; ++lane) EXPECT_EQ(keys[lane], 100 + lane * lane % 31);
}

TEST_F(LaneKeysTest, what_is_no_place_of_32_bits_is_refused_in_every_lane) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    std::array<uint64_t, kLanes> addresses;
    LaneKeys keys;
    addresses.fill(4096);
    addresses[lane] += 4;  // not a multiple of 8
    EXPECT_FALSE(make_keys(addresses, 4096, 3, keys));
    addresses[lane] = 4096 + (uint64_t{1} << 35);
    EXPECT_FALSE(make_keys(addresses, 4096, 3, keys));
    addresses[lane] = 4088;  // before the origin
    EXPECT_FALSE(make_keys(addresses, 4096, 3, keys));
    addresses[lane] = 4096 + (uint64_t{1} << 35) - 8;
    EXPECT_TRUE(make_keys(addresses, 4096, 3, keys));
    EXPECT_EQ(keys[lane], ~uint32_t{0});
  }
}

TEST_F(LaneKeysTest, equal_keys_are_one) {
  for (const uint32_t value : {0u, 1u, 0x80000000u, 0xffffffffu}) {
    LaneKeys keys;
    keys.fill(value);
    const DistinctKeys counted = count_distinct(keys, 1, 2);
    EXPECT_EQ(counted.keys, 1);
    EXPECT_EQ(counted.by_second, 1);
    EXPECT_EQ(count_in_column(keys), 32);
    EXPECT_EQ(count_distinct_in_column(keys), 1);
  }
}

TEST_F(LaneKeysTest, every_place_of_a_single_other_key_is_seen) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (const uint32_t other : {0u, 9u}) {
      LaneKeys keys;
      keys.fill(5);
      keys[lane] = other;
      EXPECT_EQ(count_distinct(keys, 1, 2).keys, 2) << lane;
    }
  }
}

TEST_F(LaneKeysTest, random_keys_are_counted_as_plainly) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const uint32_t range : {2u, 3u, 8u, 33u, 1000u, 0xffffffffu}) {
    for (int round = 0; round < 300; ++round) {
      LaneKeys keys;
      for (uint32_t& key : keys) {
        key =
            range == 0xffffffffu ? static_cast<uint32_t>(random()) : static_cast<uint32_t>(random() % range);
        if (round % 2 == 1) key |= static_cast<uint32_t>(random() % 5) << kColumnShift;
      }
      expect_plain_counts(keys);
    }
  }
}

TEST_F(LaneKeysTest, order_does_not_matter) {
  LaneKeys keys;
  for (uint32_t lane = 0; lane < kLanes; ++lane) keys[lane] = lane * lane % 17 << 4 | lane << kColumnShift;
  std::mt19937 random(1);
  const int wanted = count_distinct(keys, 3, 5).by_first;
  for (int round = 0; round < 100; ++round) {
    std::ranges::shuffle(keys, random);
    EXPECT_EQ(count_distinct(keys, 3, 5).by_first, wanted);
  }
}

}  // namespace
}  // namespace lanescope::model
