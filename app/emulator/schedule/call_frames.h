// The stack frames of a block's threads, and the registers that recursion keeps.
// Method: every function has separate registers; where calls form a cycle, the callee may be running
// already further up, so the registers of the lanes that enter it are kept with the call and restored when
// they return. Source: PTX ISA, "Control Flow Instructions: call, ret". Tests:
// tests/unit/emulator/call_test.cpp

#pragma once

#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/lane_tree.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class CallFrames {
 public:
  /// `lanes`: [warp]
  CallFrames(BlockExecutor& executor, std::vector<LaneTree>& lanes)
      : executor_(executor), code_(executor.code()), state_(executor.state()), lanes_(lanes) {}

  /// `lanes` of the leaf call the function. False, with the hazard reported, if the stack is full.
  bool enter(uint32_t warp, LaneTree::Index leaf, uint32_t function, uint32_t lanes, const Step& step);
  /// Gives the calling lanes a frame, which begins after the part of the stack that the caller uses.
  void begin(uint32_t warp, uint32_t function, uint32_t lanes, const Step& step);
  /// Restores the registers that enter() kept, before these lanes of a leaf return from `call`.
  void restore(uint32_t warp, LaneTree::Index call, uint32_t lanes);

 private:
  using Index = LaneTree::Index;

  const ptx::Program& program() const { return *code_.program; }
  void keep_registers(uint32_t warp, uint32_t function, Index call);
  void bring_back_registers(uint32_t warp, Index call, uint32_t lanes);

  BlockExecutor& executor_;
  const Code& code_;
  BlockState& state_;
  std::vector<LaneTree>& lanes_;  // [warp]
};

}  // namespace lanescope::emulator
