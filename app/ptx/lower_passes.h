// The passes of lowering, in the order in which ptx::lower calls them. Each fills or rewrites parts of a
// Program.

#pragma once

#include "base/error.h"
#include "ptx/module.h"
#include "ptx/program.h"
#include "ptx/reconvergence.h"

namespace lanescope::ptx {

/// Fills parameters, variables and the sizes of the spaces.
Result<void> lay_out_memory(const Module& module, const Function& kernel, Program& program);

/// Fills steps, origins, slots, modifiers, lists, sites. The immediate of a branch and the entries of a
/// branch table are still indices of steps.
Result<void> lower_steps(const Module& module, const Function& kernel, Program& program);

/// Makes reductions of the atomics whose result nobody reads, as ptxas does, and marks increments among them.
void find_reductions(Program& program);

/// Splits the steps into blocks, turns branch targets into indices of blocks, finds where lanes meet again.
void find_blocks(Program& program);

/// Blocks that may follow each block. A guarded exit lets the other threads pass.
Successors successors_of(const Program& program);

/// Whether all threads leave the straight line here: a jump, an end, without a guard.
bool never_falls_through(const Step& step);

/// Turns sums and differences of products into fma where the driver's assembler does.
void contract(Program& program);

/// Marks as PerBlock the slots that hold one value for all threads of the block.
void find_uniform_slots(Program& program);

/// Marks the parameters through which nothing is written.
void find_written_parameters(Program& program);

/// Renumbers the slots so that registers that are never live together share one.
void share_slots(Program& program);

}  // namespace lanescope::ptx
