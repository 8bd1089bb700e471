#include "plot/line_bytes.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

std::vector<LineBytes> lines(const trace::WarpAccess& access) {
  return lines_of(access, model::count_sectors(access));
}

trace::WarpAccess affine(trace::Operation operation, uint64_t base, int64_t stride,
                         LaneMask active = kAllLanes) {
  return {.site = {},
          .cta = {},
          .warp = {},
          .active = active,
          .operation = operation,
          .addresses = {.base = trace::global_address(0, base), .stride = stride}};
}

TEST(LineBytes, a_coalesced_warp_fills_one_line_with_a_run_per_lane) {
  const auto found = lines(affine({}, 256, 4));
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].address, trace::global_address(0, 256));
  EXPECT_EQ(found[0].bytes_moved(), 128);
  EXPECT_EQ(found[0].bytes_wanted(), 128);
  ASSERT_EQ(found[0].runs.size(), 32);
  EXPECT_EQ(found[0].runs[3].first, 12);
  EXPECT_EQ(found[0].runs[3].count, 4);
  EXPECT_EQ(found[0].runs[3].lanes, LaneMask{1u << 3});
}

TEST(LineBytes, a_warp_that_starts_late_reaches_into_the_next_line) {
  const auto found = lines(affine({}, 4, 4));
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].bytes_moved(), 128);
  EXPECT_EQ(found[0].bytes_wanted(), 124);
  EXPECT_EQ(found[1].bytes_moved(), 32);
  EXPECT_EQ(found[1].bytes_wanted(), 4);
  EXPECT_EQ(found[1].runs[0].lanes, LaneMask{1u << 31});
}

TEST(LineBytes, a_column_touches_one_sector_of_each_line) {
  const auto found = lines(affine({.kind = trace::Kind::Store}, 40, 4096));
  ASSERT_EQ(found.size(), 32);
  EXPECT_EQ(found[7].moved, (std::array<bool, 4>{false, true, false, false}));
  EXPECT_EQ(found[7].wanted[1], 4);
  EXPECT_EQ(found[7].runs[0].first, 40);
}

TEST(LineBytes, bytes_that_several_lanes_use_are_one_run) {
  const auto found = lines(affine({}, 0, 0, LaneMask{0b1011}));
  ASSERT_EQ(found.size(), 1);
  ASSERT_EQ(found[0].runs.size(), 1);
  EXPECT_EQ(found[0].runs[0].lanes, LaneMask{0b1011});
}

TEST(LineBytes, local_memory_is_interleaved_by_lane) {
  // Offset 4 of every lane's local memory is word 1: the line at 128, lane l at 4 l.
  trace::WarpAccess access = affine({.space = trace::Space::Local}, 0, 0);
  access.addresses = {.base = 4, .stride = 0};
  const auto found = lines(access);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].address, 128);
  ASSERT_EQ(found[0].runs.size(), 32);
  EXPECT_EQ(found[0].runs[9].first, 36);
  EXPECT_EQ(found[0].runs[9].lanes, LaneMask{1u << 9});
}

}  // namespace
}  // namespace lanescope::plot
