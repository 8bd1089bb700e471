// The sorting network against plain counting, on addresses of every kind.

#include "model/lane_keys.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using Addresses = std::array<uint64_t, kLanes>;

class LaneKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_sort_lanes()) GTEST_SKIP() << "the machine has no AVX2";
  }
};

int distinct_pieces(const Addresses& addresses, uint64_t bytes) {
  std::set<uint64_t> found;
  for (const uint64_t address : addresses) found.insert(address / bytes);
  return static_cast<int>(found.size());
}

void expect_plain_places(const Addresses& addresses, int shift) {
  const auto counted = count_pieces(addresses, shift);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->pieces, distinct_pieces(addresses, uint64_t{1} << shift));
  EXPECT_EQ(counted->sectors, distinct_pieces(addresses, 32));
  EXPECT_EQ(counted->lines, distinct_pieces(addresses, 128));
}

void expect_plain_banks(const Addresses& addresses) {
  std::map<uint64_t, std::multiset<uint64_t>> banks;
  for (const uint64_t address : addresses) banks[address / 4 % 32].insert(address / 4);
  size_t lanes = 0;
  size_t words = 0;
  for (const auto& [bank, of_bank] : banks) {
    lanes = std::max(lanes, of_bank.size());
    words = std::max(words, std::set(of_bank.begin(), of_bank.end()).size());
  }
  EXPECT_EQ(static_cast<size_t>(count_lanes_in_bank(addresses)), lanes);
  EXPECT_EQ(static_cast<size_t>(count_words_in_bank(addresses)), words);
}

TEST_F(LaneKeysTest, addresses_far_from_the_first_are_refused_in_every_lane) {
  for (size_t lane = 1; lane < kLanes; ++lane) {
    Addresses addresses;
    const uint64_t first = uint64_t{1} << 40;
    addresses.fill(first);
    addresses[lane] = first + 4;  // not a multiple of 8
    EXPECT_FALSE(count_pieces(addresses, 3));
    constexpr uint64_t kReach = uint64_t{1} << 31;
    addresses[lane] = first + kReach;
    EXPECT_FALSE(count_pieces(addresses, 3));
    addresses[lane] = first - kReach - 8;
    EXPECT_FALSE(count_pieces(addresses, 3));
    addresses[lane] = first + kReach - 8;
    expect_plain_places(addresses, 3);
    addresses[lane] = first - kReach;
    expect_plain_places(addresses, 3);
  }
}

/// From 65,536 pieces on, a number of 16 bits does not tell all of them apart.
TEST_F(LaneKeysTest, far_pieces_are_told_apart_like_near_ones) {
  for (int shift = 0; shift < 6; ++shift) {
    const uint64_t reach = uint64_t{1} << (15 + shift);
    const uint64_t first = uint64_t{1} << 40;
    for (const uint64_t apart : {reach - 128, reach, reach + 128, 2 * reach, 2 * reach + 128}) {
      for (size_t lane = 1; lane < kLanes; ++lane) {
        Addresses addresses;
        addresses.fill(first);
        addresses[lane] = first + apart;
        expect_plain_places(addresses, shift);
        addresses[lane] = first - apart;
        expect_plain_places(addresses, shift);
        addresses[0] = first + apart;
        expect_plain_places(addresses, shift);
      }
    }
  }
}

TEST_F(LaneKeysTest, far_words_are_told_apart_like_near_ones) {
  for (const uint64_t other : {65535u, 65536u, 65536u + 32, 131072u, 0x3fffffffu}) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      Addresses addresses;
      for (uint64_t n = 0; n < kLanes; ++n) addresses[n] = n % 5 * 128;
      addresses[lane] = other * 4;
      expect_plain_banks(addresses);
    }
  }
}

TEST_F(LaneKeysTest, every_two_equal_addresses_are_found) {
  for (const uint64_t stride : {4u, 32u, 128u, 4096u, 65536u}) {
    for (size_t one = 0; one < kLanes; ++one) {
      for (size_t other = 0; other < kLanes; ++other) {
        Addresses addresses;
        for (uint64_t lane = 0; lane < kLanes; ++lane) addresses[lane] = lane * 7 % kLanes * stride;
        addresses[one] = addresses[other];
        expect_plain_places(addresses, 2);
        expect_plain_banks(addresses);
      }
    }
  }
}

TEST_F(LaneKeysTest, equal_addresses_are_one_piece_and_one_word_of_all_lanes) {
  for (const uint64_t value : {uint64_t{0}, uint64_t{4}, uint64_t{124}, uint64_t{232448 - 4}}) {
    Addresses addresses;
    addresses.fill(value);
    expect_plain_places(addresses, 2);
    EXPECT_EQ(count_words_in_bank(addresses), 1);
    EXPECT_EQ(count_lanes_in_bank(addresses), 32);
  }
}

TEST_F(LaneKeysTest, a_single_different_address_is_found_in_every_lane) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (const uint64_t other : {0u, 384u}) {
      Addresses addresses;
      addresses.fill(256);
      addresses[lane] = other;
      EXPECT_EQ(count_pieces(addresses, 2)->pieces, 2) << lane;
      EXPECT_EQ(count_words_in_bank(addresses), 2) << lane;
    }
  }
}

TEST_F(LaneKeysTest, bytes_of_a_word_are_one_word) {
  Addresses addresses;
  for (size_t lane = 0; lane < kLanes; ++lane) addresses[lane] = 64 + lane % 4;
  EXPECT_EQ(count_words_in_bank(addresses), 1);
  expect_plain_places(addresses, 0);
}

TEST_F(LaneKeysTest, random_addresses_have_the_readable_count) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const uint32_t range : {2u, 3u, 8u, 33u, 1000u, 60000u, 0x7fffffffu}) {
    for (int round = 0; round < 300; ++round) {
      const int shift = round % 6;
      Addresses addresses;
      for (uint64_t& address : addresses)
        address = (uint64_t{random() % range} << shift) % 0x7fffff80 + (uint64_t{round % 2u} << 41);
      expect_plain_places(addresses, shift);
      for (uint64_t& address : addresses)
        address = uint64_t{random() % range % 60000} * 4 + (round % 3 == 0 ? random() % 5 * 128 : 0);
      expect_plain_banks(addresses);
    }
  }
}

TEST_F(LaneKeysTest, order_does_not_matter) {
  Addresses addresses;
  for (uint64_t lane = 0; lane < kLanes; ++lane) addresses[lane] = lane * lane % 17 * 64 + lane % 4 * 4;
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::ranges::shuffle(addresses, random);
    expect_plain_places(addresses, 2);
    expect_plain_banks(addresses);
  }
}

}  // namespace
}  // namespace lanescope::model
