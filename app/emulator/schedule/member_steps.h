// Instructions that lanes of a warp execute together: shuffles, votes, matches and the like wait until all
// lanes of their member mask that still run are there, and are executed once for all of these. Lanes
// at different bar.warp.sync wait for each other too, for no value passes between them. Source: PTX ISA,
// "Data Movement: shfl.sync", "Parallel Synchronization: vote.sync, match.sync, redux.sync, bar.warp.sync";
// CUDA C++ Programming Guide, "Warp Shuffle Functions". Tests: tests/unit/emulator/scheduling_test.cpp

#pragma once

#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/lane_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::emulator {

class MemberSteps {
 public:
  /// `lanes`: [warp]
  MemberSteps(BlockExecutor& executor, std::vector<LaneTree>& lanes)
      : executor_(executor), code_(executor.code()), lanes_(lanes) {}

  /// Executes an instruction that waits for members which are all there now. True if there was one.
  bool gather(uint32_t warp);
  /// All lanes that `lanes`, which execute the step, wait for.
  uint32_t members_of(uint32_t warp, uint32_t step, uint32_t lanes) const;

 private:
  using Index = LaneTree::Index;
  void check_masks(uint32_t warp, std::span<const Index> leaves, uint32_t there) const;
  const ptx::Program& program() const { return *code_.program; }

  BlockExecutor& executor_;
  const Code& code_;
  std::vector<LaneTree>& lanes_;  // [warp]
};

}  // namespace lanescope::emulator
