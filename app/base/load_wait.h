// What a warp waits for at a memory instruction, as far as its basic block says: from the PTX
// (ptx/load_waits.cpp), for the time that the caches model (caches/wait_clock.h).

#pragma once

#include <cstdint>
#include <vector>

namespace lanescope {

struct LoadWait {
  uint32_t block = 0;           // basic block
  uint32_t step = 0;            // of the program
  bool fills_register = false;  // not a copy to shared memory or a prefetch, for which no instruction waits
  bool is_used = false;         // the value that is loaded is read in the same basic block
  // Its basic block is a loop whose next round needs no value that this one loads, but to add it up: the
  // assembler unrolls it, and loads of several rounds are under way together.
  bool spans_rounds = false;
  std::vector<uint16_t> needs = {};  // sites of the basic block from which the address or the guard comes
  bool operator==(const LoadWait&) const = default;
};

}  // namespace lanescope
