// Batches: neighboring blocks that run as one group, a step at a time for the warps of all. Most kernels
// execute the same steps in each block, and small blocks have few warps to share the cost of a step. Method:
// a batch is one block with the warps of several. A value that all threads of a block share may differ from
// block to block, so every warp has its own copy, and each block has its own part of the shared memory. Where
// the blocks diverge, each continues alone (BlockState::begin_from). Each has its own checker. Only for
// programs in which a block cannot tell when others run: no waiting, no order of atomics. A block is in no
// batch if a sink needs its values or its history is recorded. Tests: tests/unit/emulator/batch_test.cpp

#pragma once

#include "emulator/options.h"
#include "emulator/values/code.h"

#include <cstdint>

namespace lanescope::emulator {

/// Number of blocks in a batch of this launch; 1: the launch runs without batches. `workers`: number of
/// workers that run at the same time.
uint32_t batch_size(const Code& code, unsigned workers, const Options& options);

/// True if the blocks from `first` on can run as a batch: all exist, and their distances in the grid are
/// those of the blocks from block 0 on. False, for example, where a row of the grid ends within the batch.
bool is_batch(const Code& batch, uint64_t first);

}  // namespace lanescope::emulator
