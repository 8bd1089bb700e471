// The fast check of an access of all warps of a group at once, whose addresses have a spread.
// Compiled once per instruction set (vectors.h). Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/checks/block_checks.h"
#include "emulator/values/vectors.h"

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// FastChecks::check_group. Only accesses of some lanes whose addresses are in equal steps have masks.
uint32_t check_group(CheckedBlocks& blocks, const ObservedGroup& access);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
