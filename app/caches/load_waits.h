// Loads for which a warp has to wait before it goes on. Method: the assembler moves instructions only within
// a basic block, and a warp issues them in order. So the loads of a basic block are under way together,
// unless an address or a guard comes from one of the others; the next basic block begins after those whose
// values were read. MODEL: the assembler also unrolls some loops, and a warp of diverged lanes may work on
// another path. Tests: tests/unit/caches/load_waits_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::caches {

/// What a warp waits for at a memory instruction.
struct LoadWait {
  uint32_t block = 0;           // basic block
  uint32_t step = 0;            // of the program
  bool fills_register = false;  // not a copy to shared memory or a prefetch, for which no instruction waits
  bool is_used = false;         // the value that is loaded is read in the same basic block
  std::vector<uint16_t> needs;  // sites of the basic block from which the address or the guard comes
  bool operator==(const LoadWait&) const = default;
};

/// [site]
std::vector<LoadWait> load_waits(const ptx::Program& program);

}  // namespace lanescope::caches
