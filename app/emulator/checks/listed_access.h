// An access of a whole group (spread.h) that the checks have numbered but not stamped: it is stamped only if
// something follows that it could race with. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/spread.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// A plain access by all lanes of the first `warps` warps.
struct ListedAccess {
  uint64_t first = 0;  // address of lane 0 of warp 0
  const Spread* spread = nullptr;
  uint32_t bytes = 0;   // of a lane
  uint32_t number = 0;  // of warp 0's access; those of the others follow
  uint32_t warps = 0;
};

/// Calls f(warp, lane, address) for each lane, warp by warp. `row_lanes`: of the block.
template <class F>
void for_each_lane_of(const ListedAccess& access, uint32_t row_lanes, F&& f) {
  const Spread& spread = *access.spread;
  const uint32_t in_row = spread.is_affine ? uint32_t{kLanes} : row_lanes;
  for (uint32_t warp = 0; warp < access.warps; ++warp) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const int64_t more = spread.base[warp] + spread.step[warp] * static_cast<int64_t>(lane % in_row) +
                           spread.row[warp] * static_cast<int64_t>(lane / in_row);
      f(warp, lane, access.first + static_cast<uint64_t>(more));
    }
  }
}

}  // namespace lanescope::emulator
