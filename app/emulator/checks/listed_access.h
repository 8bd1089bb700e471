// Access of a warp group (spread.h) that the checks have numbered but not stamped: it is stamped only if an
// access follows that it could race with. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "emulator/checks/lane_sets.h"
#include "emulator/values/spread.h"
#include "trace/site.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// A plain access by the first `warps` warps of a block.
struct ListedAccess {
  uint64_t first = 0;  // address of lane 0 of warp 0
  const Spread* spread = nullptr;
  uint32_t step = 0;  // in Program::steps
  trace::Kind kind = trace::Kind::Load;
  uint32_t bytes = 0;   // of a lane
  uint32_t number = 0;  // of warp 0's access; the other warps' numbers follow
  uint32_t warps = 0;
  const LaneSet* lanes = nullptr;  // null: all of each warp

  uint32_t lanes_of(uint32_t warp) const { return lanes == nullptr ? kAllLanes.bits : lanes->lanes[warp]; }
};

/// Address that the lane accesses if it is active. `row_lanes`: lanes of a warp in one row of the block.
inline uint64_t address_of(const ListedAccess& access, uint32_t warp, uint32_t lane, uint32_t row_lanes) {
  const Spread& spread = *access.spread;
  const uint32_t in_row = spread.is_affine ? uint32_t{kLanes} : row_lanes;
  return access.first +
         static_cast<uint64_t>(spread.base[warp] + spread.step[warp] * static_cast<int64_t>(lane % in_row) +
                               spread.row[warp] * static_cast<int64_t>(lane / in_row));
}

/// Calls f(warp, lane, address) for each active lane, warp by warp. `row_lanes`: lanes of a warp in one row.
template <class F>
void for_each_lane_of(const ListedAccess& access, uint32_t row_lanes, F&& f) {
  for (uint32_t warp = 0; warp < access.warps; ++warp) {
    for_each_lane({access.lanes_of(warp)}, [&](int l) {
      const auto lane = static_cast<uint32_t>(l);
      f(warp, lane, address_of(access, warp, lane, row_lanes));
    });
  }
}

}  // namespace lanescope::emulator
