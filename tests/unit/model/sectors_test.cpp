// Sector and line counts computed by hand.

#include "model/sectors.h"

#include "support/warp_pattern.h"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::affine_access;
using tests::global_load;
using tests::global_store;
using tests::local_load;
using tests::WarpPattern;

constexpr uint64_t kBase = trace::global_address(0, 0);

SectorReport of_stride(int bytes, int64_t stride, uint64_t offset = 0) {
  return count_sectors(affine_access(global_load(bytes), kBase + offset, stride));
}

TEST(Sectors, unit_stride_transfers_only_useful_bytes) {
  EXPECT_EQ(of_stride(1, 1).sectors, 1);
  EXPECT_EQ(of_stride(2, 2).sectors, 2);
  EXPECT_EQ(of_stride(4, 4).sectors, 4);
  EXPECT_EQ(of_stride(8, 8).sectors, 8);
  EXPECT_EQ(of_stride(16, 16).sectors, 16);
  EXPECT_EQ(of_stride(4, 4).lines, 1);
  EXPECT_EQ(of_stride(8, 8).lines, 2);
  EXPECT_EQ(of_stride(16, 16).lines, 4);
  EXPECT_EQ(of_stride(16, 16).ideal_sectors, 16);
}

TEST(Sectors, strides_of_four_byte_words) {
  // Stride s words: 31 s + 1 words from end to end, one sector for every 8 words, until each lane has a
  // separate sector.
  for (int stride = 1; stride <= 33; ++stride) {
    const int expected = stride >= 8 ? 32 : (31 * stride) / 8 + 1;
    EXPECT_EQ(of_stride(4, 4 * stride).sectors, expected) << stride;
    EXPECT_EQ(of_stride(4, 4 * stride).ideal_sectors, 4) << stride;
  }
}

TEST(Sectors, lines_of_strides) {
  EXPECT_EQ(of_stride(4, 8).lines, 2);
  EXPECT_EQ(of_stride(4, 64).lines, 16);
  EXPECT_EQ(of_stride(4, 128).lines, 32);
  EXPECT_EQ(of_stride(4, 4096).lines, 32);
}

TEST(Sectors, every_offset_within_a_line) {
  for (uint64_t offset = 0; offset < 128; offset += 4) {
    EXPECT_EQ(of_stride(4, 4, offset).sectors, offset % 32 == 0 ? 4 : 5) << offset;
    EXPECT_EQ(of_stride(4, 4, offset).lines, offset == 0 ? 1 : 2) << offset;
    EXPECT_EQ(of_stride(4, 4, offset).ideal_sectors, 4) << offset;
  }
}

TEST(Sectors, a_broadcast_is_one_sector) {
  const SectorReport report = of_stride(4, 0);
  EXPECT_EQ(report.sectors, 1);
  EXPECT_EQ(report.ideal_sectors, 1);
  EXPECT_EQ(report.bytes_wanted, 4u);
  ASSERT_EQ(report.used.size(), 1u);
  EXPECT_EQ(report.used[0].lanes, kAllLanes);
  EXPECT_EQ(report.used[0].bytes, 0xfu);
}

TEST(Sectors, a_naive_transposed_store_takes_a_sector_per_lane) {
  const SectorReport report = count_sectors(affine_access(global_store(4), kBase, 1024 * 4));
  EXPECT_EQ(report.sectors, 32);
  EXPECT_EQ(report.lines, 32);
  EXPECT_EQ(report.ideal_sectors, 4);
}

TEST(Sectors, a_tile_of_eight_floats_per_row_wastes_no_byte_and_accesses_a_line_per_row) {
  // Thread t of a 128 x 8 tile loads four floats of row t / 2, column 4 (t mod 2), from rows of 4096 floats.
  const WarpPattern warp(global_load(16), [](int lane) { return kBase + lane / 2 * 16384 + lane % 2 * 16; });
  const SectorReport report = count_sectors(warp.access());
  EXPECT_EQ(report.sectors, 16);
  EXPECT_EQ(report.ideal_sectors, 16);
  EXPECT_EQ(report.lines, 16);
}

TEST(Sectors, only_executing_lanes_count) {
  const auto access = [](uint32_t mask) { return affine_access(global_load(4), kBase, 4, LaneMask{mask}); };
  EXPECT_EQ(count_sectors(access(0x000000ff)).sectors, 1);
  EXPECT_EQ(count_sectors(access(0x00000180)).sectors, 2);
  EXPECT_EQ(count_sectors(access(0x80000001)).sectors, 2);
  EXPECT_EQ(count_sectors(access(0x01010101)).ideal_sectors, 1);
}

TEST(Sectors, useful_bytes_count_once_for_any_number_of_lanes) {
  const WarpPattern warp(global_load(4), [](int lane) { return kBase + 4 * (lane / 2); });
  EXPECT_EQ(count_sectors(warp.access()).bytes_wanted, 64u);
  EXPECT_EQ(count_sectors(warp.access()).ideal_sectors, 2);
}

TEST(Sectors, the_report_names_lanes_and_bytes_of_each_sector) {
  const SectorReport report = of_stride(4, 16, 8);
  ASSERT_EQ(report.used.size(), 16u);
  EXPECT_EQ(report.used[0].address, kBase);
  EXPECT_EQ(report.used[0].lanes.bits, 0x3u);
  EXPECT_EQ(report.used[0].bytes, 0x0f000f00u);
  EXPECT_EQ(report.used[15].address, kBase + 480);
}

TEST(Sectors, a_lane_across_two_sectors_accesses_both) {
  const SectorReport report = count_sectors(affine_access(global_load(8), kBase + 28, 0, LaneMask{1}));
  ASSERT_EQ(report.used.size(), 2u);
  EXPECT_EQ(report.used[0].bytes, 0xf0000000u);
  EXPECT_EQ(report.used[1].bytes, 0x0000000fu);
}

TEST(Sectors, buffers_are_far_apart) {
  const WarpPattern warp(global_load(4), [](int lane) { return trace::global_address(lane % 2, 0); });
  EXPECT_EQ(count_sectors(warp.access()).sectors, 2);
}

TEST(Sectors, local_memory_of_one_offset_is_a_full_line_per_word) {
  const auto at_offset = [](int bytes) { return count_sectors(affine_access(local_load(bytes), 16, 0)); };
  EXPECT_EQ(at_offset(4).sectors, 4);
  EXPECT_EQ(at_offset(4).lines, 1);
  EXPECT_EQ(at_offset(8).sectors, 8);
  EXPECT_EQ(at_offset(8).lines, 2);
  EXPECT_EQ(at_offset(16).sectors, 16);
  EXPECT_EQ(at_offset(4).ideal_sectors, 4);
}

TEST(Sectors, bytes_of_local_memory_are_interleaved_by_word) {
  const SectorReport report = count_sectors(affine_access(local_load(1), 1, 0));
  EXPECT_EQ(report.sectors, 4);
  EXPECT_EQ(report.ideal_sectors, 1);
  EXPECT_EQ(report.used[0].bytes, 0x22222222u);
}

TEST(Sectors, lanes_at_different_local_offsets_access_different_lines) {
  const SectorReport report = count_sectors(affine_access(local_load(4), 0, 4));
  EXPECT_EQ(report.sectors, 32);
  EXPECT_EQ(report.lines, 32);
}

TEST(Sectors, shared_and_constant_memory_have_none) {
  trace::Operation operation = global_load(4);
  operation.space = trace::Space::Constant;
  EXPECT_EQ(count_sectors(affine_access(operation, 0, 4)).sectors, 0);
  operation.space = trace::Space::Shared;
  EXPECT_EQ(count_sectors(affine_access(operation, 0, 4)).sectors, 0);
}

TEST(SectorProperties, which_lane_holds_which_address_does_not_matter) {
  const uint32_t seed = std::random_device{}();
  std::mt19937 generator(seed);
  for (int round = 0; round < 500; ++round) {
    std::array<uint64_t, 32> addresses{};
    for (uint64_t& address : addresses) address = kBase + generator() % 4096 * 4;
    std::array<uint64_t, 32> shuffled = addresses;
    for (size_t n = 31; n > 0; --n) std::swap(shuffled[n], shuffled[generator() % (n + 1)]);
    const WarpPattern first(global_load(4), [&](int lane) { return addresses[lane]; });
    const WarpPattern second(global_load(4), [&](int lane) { return shuffled[lane]; });
    const SectorReport left = count_sectors(first.access());
    const SectorReport right = count_sectors(second.access());
    ASSERT_EQ(left.sectors, right.sectors) << "seed " << seed;
    ASSERT_EQ(left.lines, right.lines) << "seed " << seed;
    ASSERT_EQ(left.bytes_wanted, right.bytes_wanted) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lanescope::model
