// Batches: neighboring blocks that run as one group, a step at a time for the warps of all. Most kernels do
// the same in each block, and small blocks have few warps to share the cost of a step. Method: a batch is one
// block with the warps of several. What is the same in all threads of a block may differ from block to block,
// so every warp has its own copy, and each block has its own part of the shared memory. Where the blocks
// part, each continues alone (BlockState::begin_from). Each has its own checker. Only for programs in which a
// block cannot tell when others run: no waiting, no order of atomics. A block whose values or history are
// looked at is in no batch. Tests: tests/unit/emulator/batch_test.cpp

#pragma once

#include "emulator/code.h"
#include "emulator/options.h"

#include <cstdint>

namespace lanescope::emulator {

/// How many blocks a batch of this launch has; 1: there are none. `workers` run at the same time.
uint32_t batch_size(const Code& code, unsigned workers, const Options& options);

/// Whether the blocks from this one on lie as those of every batch do: not where a row of the grid ends.
bool is_batch(const Code& batch, uint64_t first);

}  // namespace lanescope::emulator
