// A cluster: blocks that run together, access each other's shared memory and share a barrier.
// Method: one worker runs all of them in turns, so nothing here is shared between threads of the CPU. A
// thread that waits polls, and the runner detects that it only waits. Source: PTX ISA, "barrier.cluster";
// CUDA C++ Programming Guide, "Distributed Shared Memory". Tests: tests/unit/emulator/cluster_test.cpp

#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

struct BlockState;

struct Cluster {
  std::vector<BlockState*> blocks;  // [rank]
  uint32_t phase = 0;               // number of times that all threads have arrived
  uint64_t arrived = 0;             // threads that have arrived in this phase
  bool broken = false;              // one of the blocks was stopped: do not wait for it
};

}  // namespace lanescope::emulator
