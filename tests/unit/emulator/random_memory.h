// Random kernels about memory: several warps and blocks that write a tile of shared memory and read what
// others wrote, with affine, irregular and uniform addresses, in rows of narrow blocks, with branches,
// barriers, atomics and asynchronous copies. Half of them have one planted mistake. Method: a list of
// operations in phases that barriers part. In a phase of stores each thread has words of its own; in a phase
// of loads any word may be read. So a kernel without a mistake has no race, and its results do not depend on
// the order of warps and blocks. The same seed gives the same kernel.

#pragma once

#include "launch/launch.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::emulator {

enum class Mistake : uint8_t {
  None,
  BarrierRemoved,  // one of those between stores and loads
  IndexShared,     // two threads store to one word
  GuardDropped,    // the last threads store beyond the end of a buffer
  BlocksCollide,   // all blocks store to the words of the first
  PartNotWritten,  // a part of the tile is read before it was written
  WaitRemoved      // a copy is read before it is waited for
};
std::string_view name_of(Mistake mistake);

struct RandomMemoryKernel {
  Mistake mistake = Mistake::None;
  std::string text;  // PTX
  launch::Launch launch;
};

RandomMemoryKernel random_memory_kernel(uint32_t seed);

}  // namespace lanescope::emulator
