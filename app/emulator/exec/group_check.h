// The fast check of an access of all warps of a block at once, whose addresses are in a form (form.h).
// Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/exec/access_check.h"

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// The plain access of all lanes of `count` warps from the first on: `first` and a spread, in rows of
/// `row_lanes`. How many of them, one after the other, are in order and have been noted; nothing is reported.
uint32_t check_group(Checker& checker, const Step& step, uint64_t first, const Spread& spread, uint32_t bytes,
                     uint32_t count, uint32_t row_lanes);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
