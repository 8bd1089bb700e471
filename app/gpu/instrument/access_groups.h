// Which accesses of a function share a recorder: those with the same base register and other constant
// offsets, with nothing in between that could change the register or the set of active lanes. Their addresses
// follow from the first one's, so an unrolled inner loop needs a recorder for each base and not for each
// access. Tests: tests/unit/gpu/access_groups_test.cpp

#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::gpu {

/// How an instruction's access is recorded.
struct GroupedAccess {
  uint32_t leader = 0;     // index of the instruction whose recorder reports it; often its own
  int64_t distance = 0;    // from the leader's address, bytes
  uint32_t stretch = 0;    // index of the first of the instructions that the same lanes execute in sequence
  uint32_t block = 0;      // index of the first of the basic block: lanes that enter it execute all of it
  uint32_t followers = 0;  // of a leader: accesses that it reports in addition to its own
};

/// Unguarded loads and stores whose space is known.
bool may_be_grouped(const ptx::Instruction& instruction);

/// [instruction]; for those that access no memory only the stretch is meaningful.
std::vector<GroupedAccess> access_groups(const ptx::Function& function);

}  // namespace lanescope::gpu
