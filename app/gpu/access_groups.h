// Which accesses of a function one recorder can stand for: those that go to the same base register at other
// constant distances, with nothing in between that could change the register or which lanes are together.
// Their addresses follow from the first one's, so that an unrolled inner loop needs a recorder for each base
// and not for each access. Tests: tests/unit/gpu/access_groups_test.cpp

#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::gpu {

/// How an instruction's access is recorded.
struct GroupedAccess {
  uint32_t leader = 0;     // index of the instruction whose recorder stands for it; often its own
  int64_t distance = 0;    // from the leader's address, bytes
  uint32_t stretch = 0;    // index of the first instruction of those that the same lanes carry out in a row
  uint32_t followers = 0;  // of a leader: accesses that it stands for beside its own
};

/// Accesses whose lanes are those that came there, and whose space is known.
bool may_be_grouped(const ptx::Instruction& instruction);

/// [instruction]; of those that access no memory only the stretch means anything.
std::vector<GroupedAccess> access_groups(const ptx::Function& function);

}  // namespace lanescope::gpu
