// The L2 and the DRAM, counted by hand.

#include "caches/l2_cache.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

constexpr uint64_t kPartition = uint64_t{25} << 20;
constexpr std::array<uint32_t, 4> kWholeLine{~uint32_t{0}, ~uint32_t{0}, ~uint32_t{0}, ~uint32_t{0}};
constexpr std::array<uint32_t, 4> kWord{0xf, 0, 0, 0};

TEST(L2Cache, miss_reads_the_pair_of_the_sector) {
  L2Cache cache(kPartition, {});
  EXPECT_EQ(cache.read(0, 5, 0b0001, 0), L2Cache::Found::Dram);
  EXPECT_EQ(cache.last_missing(), 0b0001u);
  EXPECT_EQ(cache.counts().dram_read, 2u);
  EXPECT_EQ(cache.read(0, 5, 0b0010, 0), L2Cache::Found::Here);
  EXPECT_EQ(cache.read(0, 5, 0b1000, 0), L2Cache::Found::Dram);
  EXPECT_EQ(cache.counts().dram_read, 4u);
  EXPECT_EQ(cache.counts().read_hits, 1u);
  L2Cache alone(kPartition, {.pairs = false});
  alone.read(0, 5, 0b0001, 0);
  EXPECT_EQ(alone.counts().dram_read, 1u);
}

TEST(L2Cache, hint_reads_the_line_or_two) {
  L2Cache cache(kPartition, {});
  cache.read(0, 4, 0b0001, 128);
  EXPECT_EQ(cache.counts().dram_read, 4u);
  cache.read(0, 8, 0b0001, 256);
  EXPECT_EQ(cache.counts().dram_read, 12u);
  EXPECT_EQ(cache.read(0, 9, 0b1111, 0), L2Cache::Found::Here);
  EXPECT_EQ(cache.counts().read, 6u);  // what was asked for, not what came along
}

TEST(L2Cache, other_partition_finds_a_line_at_home_or_keeps_it_too) {
  // One of the two partitions is the line's home: whichever reads first, the DRAM is read once.
  for (const uint32_t first : {0u, 1u}) {
    L2Cache cache(kPartition, {});
    EXPECT_EQ(cache.read(first, 5, 0b0011, 0), L2Cache::Found::Dram);
    EXPECT_NE(cache.read(1 - first, 5, 0b0011, 0), L2Cache::Found::Dram);
    EXPECT_EQ(cache.read(1 - first, 5, 0b0011, 0), L2Cache::Found::Here);
    EXPECT_EQ(cache.counts().dram_read, 2u);
  }
}

TEST(L2Cache, stored_line_is_read_without_the_dram) {
  L2Cache cache(kPartition, {});
  cache.write(5, kWholeLine);
  EXPECT_NE(cache.read(0, 5, kAllSectors, 0), L2Cache::Found::Dram);
  EXPECT_EQ(cache.counts().dram_read, 0u);
  EXPECT_EQ(cache.counts().written, 4u);
  EXPECT_EQ(cache.counts().dram_written, 0u);
}

TEST(L2Cache, rest_of_a_sector_that_was_stored_in_part_is_read) {
  L2Cache cache(kPartition, {});
  cache.write(5, kWord);
  EXPECT_EQ(cache.counts().dram_read, 0u);
  cache.read(0, 5, 0b0001, 0);
  EXPECT_EQ(cache.counts().dram_read, 2u);
}

TEST(L2Cache, reads_the_rest_of_partial_sectors_once_there_are_too_many) {
  constexpr uint64_t kLines = 131072;  // 16 MB of lines, a word of each: two thirds are read
  L2Cache cache(kPartition, {});
  for (uint64_t line = 0; line < kLines; ++line) cache.write(line, kWord);
  EXPECT_NEAR(static_cast<double>(cache.counts().dram_read), .66 * kLines, 2);
  L2Cache other(kPartition, {.partial_lines = false});
  for (uint64_t line = 0; line < kLines; ++line) other.write(line, kWord);
  EXPECT_EQ(other.counts().dram_read, 0u);
}

TEST(L2Cache, sector_that_is_filled_soon_is_not_read) {
  L2Cache cache(kPartition, {});
  for (uint64_t line = 0; line < 131072; ++line) {
    cache.write(line, kWord);
    cache.write(line, {~uint32_t{0xf}, 0, 0, 0});
  }
  EXPECT_EQ(cache.counts().dram_read, 0u);
}

TEST(L2Cache, share_of_partial_sectors_follows_the_measured_points) {
  constexpr double kMegabyte = 1 << 20;
  EXPECT_EQ(share_of_partial_sectors_read(5 * kMegabyte), 0);
  EXPECT_DOUBLE_EQ(share_of_partial_sectors_read(8 * kMegabyte), .09);
  EXPECT_DOUBLE_EQ(share_of_partial_sectors_read(11 * kMegabyte), .27);
  EXPECT_NEAR(share_of_partial_sectors_read(118 * kMegabyte), .95, 1e-12);
}

TEST(L2Cache, what_is_read_by_both_partitions_takes_room_in_both) {
  // 20 MB by one partition fit, as half of it is at home in the other one; by both they take 20 MB in each.
  constexpr uint64_t kLines = (uint64_t{20} << 20) / kLineBytes;
  L2Cache cache(kPartition, {});
  for (int round = 0; round < 2; ++round)
    for (uint64_t line = 0; line < kLines; ++line)
      for (const uint32_t partition : {0u, 1u}) cache.read(partition, line, kAllSectors, 0);
  EXPECT_NEAR(static_cast<double>(cache.counts().dram_read), 4.0 * kLines, .02 * 4 * kLines);
}

/// Sectors of 8 MB that are there after they were loaded into a full L2 of 50 MB.
uint64_t kept_of_a_stream(bool leaves_first, const Rules& rules = {}) {
  constexpr uint64_t kFull = (uint64_t{256} << 20) / kLineBytes, kStream = (uint64_t{8} << 20) / kLineBytes;
  L2Cache cache(kPartition, rules);
  for (uint64_t line = 0; line < kFull; ++line) cache.read(line & 1, line, kAllSectors, 0);
  for (uint64_t line = kFull; line < kFull + kStream; ++line)
    cache.read(line & 1, line, kAllSectors, 0, leaves_first);
  cache.begin_launch();
  for (uint64_t line = kFull; line < kFull + kStream; ++line) cache.read(line & 1, line, kAllSectors, 0);
  return 4 * kStream - cache.counts().dram_read;
}

TEST(L2Cache, stream_that_leaves_first_pushes_out_itself) {
  constexpr uint64_t kStream = (uint64_t{8} << 20) / kSectorBytes;
  EXPECT_EQ(kept_of_a_stream(false), kStream);
  // An H200 kept a tenth: a line of each set is replaced again and again.
  EXPECT_LT(kept_of_a_stream(true), kStream / 2);
  EXPECT_EQ(kept_of_a_stream(true, {.evict_first = false}), kStream);
}

TEST(L2Cache, line_that_leaves_first_stays_once_another_load_has_hit_it) {
  L2Cache cache(uint64_t{16} * kLineBytes, {.halves = false});  // two sets of 16 ways
  cache.read(0, 0, kAllSectors, 0, true);
  cache.read(0, 0, kAllSectors, 0);
  for (uint64_t line = 2; line < 32; line += 2) cache.read(0, line, kAllSectors, 0, true);
  for (uint64_t line = 100; line < 110; ++line) cache.read(0, line, kAllSectors, 0, true);
  EXPECT_EQ(cache.read(0, 0, kAllSectors, 0), L2Cache::Found::Here);
}

}  // namespace
}  // namespace lanescope::caches
