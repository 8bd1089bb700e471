// The order in which the diverged lanes of a warp run, and which lanes wait for which: together they say
// where lanes reconverge. Method: a topological order of the basic blocks, in which the blocks of a loop
// follow one another; a loop's header is its first block, and the position after its last one is where lanes
// wait for the next round. If the lanes at the lowest position always run, and lanes at the same block join,
// then lanes reconverge wherever paths meet: at the end of each if, at a loop's next round, after a loop.
// That is where ptxas puts its convergence barriers: BSSY at the dominator of each such place, BSYNC there,
// BREAK on the edges that lead past it (read in the SASS of sm_90). Loops: strongly connected parts, then
// again without the edges to their headers. Source: Diamos et al., "SIMD Re-Convergence At Thread Frontiers";
// Havlak, "Nesting of Reducible and Irreducible Loops". Tests: tests/unit/ptx/block_order_test.cpp

#pragma once

#include "ptx/reconvergence.h"

#include <cstdint>
#include <vector>

namespace lanescope::ptx {

/// Positions from `begin` to before `end`.
struct PositionRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const PositionRange&) const = default;
};

/// [block], in all of them.
struct BlockOrder {
  /// From 1. Lower than that of every block that can follow within the same round of its loops.
  std::vector<uint32_t> position;
  /// Of a loop's header: where lanes wait for its next round, after all blocks of the loop. 0 for other
  /// blocks.
  std::vector<uint32_t> round_end;
  /// Positions of lanes that may still come to this block, while others wait there; ascending. Empty where no
  /// paths meet. Of a header without those that come for its next round.
  std::vector<std::vector<PositionRange>> pending;
  /// Of a header: positions of lanes that may still come for its next round.
  std::vector<std::vector<PositionRange>> round_pending;
};

/// `successors` may hold several functions, and blocks that none reaches. Loops nested deeper than 64 are
/// one loop, and past a limit of work `pending` covers all positions since the paths parted.
BlockOrder order_blocks(const Successors& successors);

}  // namespace lanescope::ptx
