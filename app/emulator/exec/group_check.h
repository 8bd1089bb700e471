// The fast check of an access of all warps of a group at once, whose addresses are in a form (form.h).
// Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/exec/access_check.h"

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// The first `count` warps of a group.
constexpr uint32_t first_warps(uint32_t count) { return static_cast<uint32_t>((uint64_t{1} << count) - 1); }

/// Checks the plain access of the first `count` warps at `first` and a spread: by all their lanes, or by
/// those in `masks`, whose addresses are in equal steps. Returns the warps whose access is in order and has
/// been noted; nothing is reported.
uint32_t check_group(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                     uint32_t bytes, uint32_t count, const WarpLanes* masks = nullptr);
/// Checks the plain access of the first `count` warps by `lanes` of each warp, as check_group() does.
uint32_t check_lanes_of_group(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                              uint32_t bytes, uint32_t lanes, uint32_t count);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
