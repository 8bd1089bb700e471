// How many lanes the warps of a group have.

#include "emulator/schedule/warp_masks.h"

#include <bit>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

WarpMaskCount counted(const std::vector<uint32_t>& lanes) {
  WarpMasks masks;
  for (size_t warp = 0; warp < lanes.size(); ++warp) masks.masks()[warp] = lanes[warp];
  return count(masks, static_cast<uint32_t>(lanes.size()));
}

void expect(const std::vector<uint32_t>& lanes, uint64_t warps, uint64_t of_all, uint32_t end,
            uint32_t common) {
  const WarpMaskCount found = counted(lanes);
  EXPECT_EQ(found.warps, warps);
  EXPECT_EQ(found.lanes, of_all);
  EXPECT_EQ(found.end, end);
  EXPECT_EQ(found.common, common);
}

TEST(WarpMasks, count_tells_warps_lanes_and_what_all_have) {
  constexpr uint32_t kAll = kAllLanes.bits;
  expect({0}, 0, 0, 0, 0);
  expect({kAll}, 1, 32, 1, kAll);
  expect(std::vector<uint32_t>(32, kAll), 32, 1024, 32, kAll);
  expect({7, 7, 7, 7, 7}, 5, 15, 5, 7);
  expect({7, 7, 0, 0, 0, 0}, 2, 6, 2, 7);       // the last have none
  expect({7, 7, 7, 0, 7}, 4, 12, 5, 0);         // one between them has none
  expect({0, 1u << 31, 1u << 31}, 2, 2, 3, 0);  // the first has none
  expect({7, 7, 7, 7, 6}, 5, 14, 5, 0);
}

TEST(WarpMasks, count_adds_up_the_lanes_of_any_warps) {
  std::mt19937 random(1);
  for (uint32_t warps = 1; warps <= SpreadNumbers::kMostWarps; ++warps) {
    std::vector<uint32_t> lanes(warps);
    uint64_t all = 0;
    for (uint32_t& mask : lanes) {
      mask = static_cast<uint32_t>(random());
      all += static_cast<uint64_t>(std::popcount(mask));
    }
    EXPECT_EQ(counted(lanes).lanes, all) << warps;
  }
}

}  // namespace
}  // namespace lanescope::emulator
