// The L1: sets, ages, the limit on data, stores and atomics, counted by hand.

#include "caches/l1_cache.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

constexpr std::array<uint32_t, 4> kWholeSector{~uint32_t{0}, 0, 0, 0};

/// Five lines of set 0: bit 9 + n of a line's number adds a known set, which its low bits take away.
constexpr std::array<uint64_t, 5> kOfSet0{0, 512 | 0x071, 1024 | 0x01b, 1536 | (0x071 ^ 0x01b), 2048 | 0x176};

/// All bytes of these sectors.
L1Cache::Bytes whole(SectorMask sectors) {
  L1Cache::Bytes bytes{};
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector)
    if ((sectors >> sector & 1) != 0) bytes[sector] = ~uint32_t{0};
  return bytes;
}

bool hits(L1Cache& cache, uint64_t line) { return cache.load(line, whole(1), false).missing == 0; }

TEST(L1Cache, sets_of_neighboring_lines_are_all_different) {
  std::set<uint32_t> sets;
  for (uint64_t line = 0; line < 512; ++line) sets.insert(l1_set_of(line));
  EXPECT_EQ(sets.size(), 512u);
  EXPECT_EQ(l1_set_of(512), 0x071u);
  EXPECT_EQ(l1_set_of(uint64_t{1} << 27), 0x13du);
  for (const uint64_t line : kOfSet0) EXPECT_EQ(l1_set_of(line), 0u);
}

TEST(L1Cache, partitions_have_128_sets_each) {
  std::array<int, 4> count{};
  for (uint32_t set = 0; set < 512; ++set) ++count[l1_partition_of(set)];
  EXPECT_EQ(count, (std::array<int, 4>{128, 128, 128, 128}));
}

TEST(L1Cache, full_set_without_hits_is_first_in_first_out) {
  L1Cache cache(1000, {}, 0);
  for (const uint64_t line : kOfSet0) EXPECT_FALSE(hits(cache, line));
  EXPECT_FALSE(hits(cache, kOfSet0[0]));  // the fifth pushed it out, and it the second
  EXPECT_FALSE(hits(cache, kOfSet0[1]));
}

TEST(L1Cache, line_that_was_hit_stays_longer_than_newer_ones) {
  L1Cache cache(1000, {}, 0);
  for (size_t n = 0; n < 4; ++n) hits(cache, kOfSet0[n]);
  EXPECT_TRUE(hits(cache, kOfSet0[0]));   // age 0, the others 3
  EXPECT_FALSE(hits(cache, kOfSet0[4]));  // pushes out the second
  EXPECT_TRUE(hits(cache, kOfSet0[0]));
  EXPECT_FALSE(hits(cache, kOfSet0[1]));
}

TEST(L1Cache, of_least_recently_used_lines_keeps_the_stream_without_ages) {
  // Two lines are hit, then three new ones come: by ages the hit ones stay (0 and 1 against 2), by last use
  // they go.
  for (const bool ages : {true, false}) {
    L1Cache cache(1000, {.ages = ages}, 0);
    for (size_t n = 0; n < 2; ++n) hits(cache, kOfSet0[n]);
    EXPECT_TRUE(hits(cache, kOfSet0[0]));
    EXPECT_TRUE(hits(cache, kOfSet0[1]));
    for (size_t n = 2; n < 5; ++n) EXPECT_FALSE(hits(cache, kOfSet0[n]));
    EXPECT_EQ(hits(cache, kOfSet0[0]), ages);
  }
}

TEST(L1Cache, holds_as_many_lines_as_fit_beside_the_carve_out) {
  constexpr uint64_t kLines = 1736;  // beside 32 KiB
  L1Cache fitting(kLines, {}, 0);
  L1Cache longer(kLines, {}, 0);
  uint64_t missed = 0;
  for (int round = 0; round < 2; ++round)
    for (uint64_t line = 0; line < kLines + 8; ++line) {
      if (line < kLines && round == 1) {
        EXPECT_TRUE(hits(fitting, line)) << line;
      }
      if (line < kLines && round == 0) hits(fitting, line);
      if (!hits(longer, line) && round == 1) ++missed;
    }
  EXPECT_GT(missed, 8u);
  EXPECT_LT(missed, 100u);
}

TEST(L1Cache, sectors_of_a_line_are_valid_one_by_one) {
  L1Cache cache(1000, {}, 0);
  EXPECT_EQ(cache.load(7, whole(0b0011), false).missing, 0b0011u);
  const L1Cache::Outcome outcome = cache.load(7, whole(0b0110), false);
  EXPECT_TRUE(outcome.has_line);
  EXPECT_EQ(outcome.missing, 0b0100u);
}

TEST(L1Cache, stored_sector_is_valid_once_it_is_whole) {
  L1Cache cache(1000, {}, 0);
  EXPECT_FALSE(cache.store(7, kWholeSector).has_line);
  EXPECT_TRUE(cache.store(7, {0, 0xffff, 0, 0}).has_line);
  EXPECT_EQ(cache.load(7, whole(0b0001), false).missing, 0u);
  EXPECT_EQ(cache.load(7, whole(0b0010), false).missing, 0b0010u);
  cache.store(9, {0xffff, 0, 0, 0});
  cache.store(9, {0xffff0000, 0, 0, 0});
  EXPECT_EQ(cache.load(9, whole(0b0001), false).missing, 0u);
  L1Cache other(1000, {.stores_allocate = false}, 0);
  other.store(7, kWholeSector);
  EXPECT_EQ(other.load(7, whole(0b0001), false).missing, 0b0001u);
}

TEST(L1Cache, atomic_makes_its_sector_invalid) {
  L1Cache cache(1000, {}, 0);
  cache.load(7, whole(0b0011), false);
  cache.forget(7, 0b0001);
  EXPECT_EQ(cache.load(7, whole(0b0011), false).missing, 0b0001u);
}

TEST(L1Cache, lines_of_evict_first_go_before_older_ones) {
  L1Cache cache(1000, {}, 0);
  for (size_t n = 0; n < 3; ++n) hits(cache, kOfSet0[n]);
  cache.load(kOfSet0[3], whole(1), true);
  EXPECT_FALSE(hits(cache, kOfSet0[4]));
  for (size_t n = 0; n < 3; ++n) EXPECT_TRUE(hits(cache, kOfSet0[n])) << n;
}

TEST(L1Cache, full_partition_spares_a_hot_set_while_there_is_a_stream_of_evict_first) {
  constexpr uint64_t kHot = 900, kStream = 1500, kStart = 1 << 16;
  L1Cache cache(1000, {}, 0);
  for (int round = 0; round < 2; ++round) {
    for (uint64_t line = 0; line < kHot; ++line) {
      const bool hit = hits(cache, line);
      if (round == 1) {
        EXPECT_TRUE(hit) << line;
      }
    }
    for (uint64_t line = 0; line < kStream; ++line) cache.load(kStart + line, whole(1), true);
  }
}

TEST(L1Cache, load_of_bytes_that_were_stored_hits_and_of_others_misses) {
  L1Cache cache(2000, {}, 1);
  cache.store(7, {0x0f0f0f0f, 0, 0, 0});
  EXPECT_EQ(cache.load(7, {0x00000f0f, 0, 0, 0}, false).missing, 0u);
  EXPECT_EQ(cache.load(7, {0x000000ff, 0, 0, 0}, false).missing, 0x1u);
  EXPECT_EQ(cache.load(7, {0x000000ff, 0, 0, 0}, false).missing, 0u);  // now it was fetched
  EXPECT_EQ(cache.load(7, {0x0000000f, 0x1, 0, 0}, false).missing, 0x2u);
}

TEST(L1Cache, without_its_rule_bytes_that_were_stored_are_not_there) {
  L1Cache cache(2000, {.stores_allocate = false}, 1);
  cache.load(7, whole(0x1), false);
  EXPECT_TRUE(cache.store(7, {0, ~uint32_t{0}, 0, 0}).has_line);
  EXPECT_EQ(cache.load(7, whole(0x2), false).missing, 0x2u);
}

TEST(L1Cache, remembers_who_brought_each_sector) {
  L1Cache cache(2000, {}, 1);
  cache.load(7, whole(0x1), false, 11);
  cache.load(7, whole(0x3), false, 12);
  const auto found = cache.load(7, whole(0x7), false, 13);
  EXPECT_EQ(found.missing, 0x4u);
  EXPECT_EQ(found.by[0], 11u);
  EXPECT_EQ(found.by[1], 12u);
  cache.store(7, {~uint32_t{0}, 0, 0, 0}, 14);
  const auto stored = cache.load(7, whole(0x7), false, 15);
  EXPECT_EQ(stored.missing, 0u);
  EXPECT_EQ(stored.by[0], 14u);
  EXPECT_EQ(stored.by[1], 12u);
  EXPECT_EQ(stored.by[2], 13u);
}

}  // namespace
}  // namespace lanescope::caches
