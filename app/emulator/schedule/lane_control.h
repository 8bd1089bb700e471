// Effect of the last step of a basic block on a leaf of the LaneTree: branches, calls, returns, exits,
// barriers. Method: a call is a node of the tree, and the callee's lanes a leaf below it. Source: PTX ISA,
// "Control Flow Instructions". Tests: tests/unit/emulator/{divergence,call}_test.cpp

#pragma once

#include "emulator/schedule/barriers.h"
#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/call_frames.h"
#include "emulator/schedule/lane_tree.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class LaneControl {
 public:
  /// `lanes`: [warp]
  LaneControl(BlockExecutor& executor, std::vector<LaneTree>& lanes, CallFrames& frames, Barriers& barriers)
      : executor_(executor), state_(executor.state()), lanes_(lanes), frames_(frames), barriers_(barriers) {}

  /// Does what the last step of the leaf's basic block says. True if the leaf continues with the same lanes.
  bool go_on(uint32_t warp, LaneTree::Index leaf);

 private:
  using Node = LaneTree::Node;
  using Index = LaneTree::Index;

  const ptx::Program& program() const { return executor_.program(); }
  bool branch(uint32_t warp, Index leaf);
  void branch_by_table(uint32_t warp, Index leaf);
  void call(uint32_t warp, Index leaf);
  void call_by_pointer(uint32_t warp, Index leaf, const Step& step, uint32_t lanes);
  void leave(uint32_t warp, Index leaf);

  BlockExecutor& executor_;
  BlockState& state_;
  std::vector<LaneTree>& lanes_;  // [warp]
  CallFrames& frames_;
  Barriers& barriers_;
};

}  // namespace lanescope::emulator
