// The fast checks of each instruction set (checks/block_checks.h): whole accesses, a warp or a warp group at
// a time. Compiled once per instruction set; vectors.h chooses at run time. Tests:
// tests/unit/emulator/{race,group_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/block_checks.h"

namespace lanescope::emulator {

namespace plain_vectors {
extern const FastChecks kFastChecks;
}
namespace avx2_vectors {
extern const FastChecks kFastChecks;
}
namespace avx512_vectors {
extern const FastChecks kFastChecks;
}

}  // namespace lanescope::emulator
