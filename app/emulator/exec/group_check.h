// The fast check of an access of all warps of a group at once, whose addresses are in a form (form.h).
// Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/exec/access_check.h"

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// The first `count` warps of a group.
constexpr uint32_t first_warps(uint32_t count) { return static_cast<uint32_t>((uint64_t{1} << count) - 1); }

/// The plain access of `count` warps from the first on: `first` and a spread; of all their lanes, or of those
/// in `masks`, whose addresses are in equal steps. Which warps are in order and have been noted; nothing is
/// reported.
uint32_t check_group(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                     uint32_t bytes, uint32_t count, const WarpLanes* masks = nullptr);
/// The same of `lanes` of each warp.
uint32_t check_lanes_of_group(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                              uint32_t bytes, uint32_t lanes, uint32_t count);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
