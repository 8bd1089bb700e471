// The fast check of an access for races and uninitialized reads: the stamps of all its granules at once.
// Method: either every granule is in order and is stamped, or nothing is changed and Checker examines lane by
// lane. Compiled once per instruction set (vectors.h).
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/checker.h"
#include "emulator/values/vectors.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// FastChecks::check_whole_warp: a plain access of all 32 lanes with a constant stride.
bool check_whole_warp(Checker& checker, const Step& step, uint64_t base, int64_t stride, uint32_t bytes,
                      uint32_t warp);

/// FastChecks::check_lanes: an access of any lanes at any addresses in one space, plain or atomic.
bool check_lanes(Checker& checker, const ObservedAccess& access);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
