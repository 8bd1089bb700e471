// What a thread's local memory is for: arrays that are indexed by a variable, and registers that the
// assembler spilled. Tests: tests/unit/sass/local_memory_test.cpp

#pragma once

#include "ptx/program.h"
#include "sass/match.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::sass {

/// Instructions of one line of the source that store or load spilled registers.
struct SpillingLine {
  Location where;  // line 0 where the PTX does not say it
  uint32_t loads = 0;
  uint32_t stores = 0;
};

/// Local memory of the PTX's variables, of which NVRTC makes one of all arrays of a function.
struct LocalArray {
  uint64_t bytes = 0;                // of each thread
  std::vector<Location> lines = {};  // of its loads and stores, in the order of the code, each once
};

struct LocalMemory {
  // Those with a load or a store in the machine code; all as one where an address does not say which it is
  // of.
  std::vector<LocalArray> arrays;
  std::vector<SpillingLine> spills;  // in the order of the code
  uint32_t spilled_bytes = 0;        // of each thread, at different places of its stack
};

LocalMemory local_memory_of(const ptx::Program& program, const Match& match);

}  // namespace lanescope::sass
