// Runs a batch of blocks (batch.h) as one group for as long as all take the same way. Tests:
// tests/unit/emulator/batch_test.cpp

#pragma once

#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/call_frames.h"
#include "emulator/schedule/group_runner.h"
#include "emulator/schedule/lane_tree.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lanescope::emulator {

class BatchRunner {
 public:
  enum class State : uint8_t {
    Ended,
    Stopped,  // there is a hazard(); what the other blocks have done is of no use
    Parts,    // each block continues alone
  };

  /// `code` is that of a batch. `observer`, `may_go_on`: see BlockExecutor.
  BatchRunner(const Code& code, const Memory& memory, AccessObserver* observer,
              std::function<bool(uint64_t)> may_go_on);

  /// Runs the batch that begins with this block as far as it gets.
  State run(CtaId first, trace::Sink& sink);

  const Code& code() const { return executor_.code(); }
  const BlockState& state() const { return executor_.state(); }
  /// State from which the blocks of the batch continue, after Parts. The steps of the current basic block
  /// before done() have been executed.
  BlockExecutor& executor() { return executor_; }
  const GroupRunner& group() const { return group_; }
  uint32_t done() const { return done_; }
  const InstructionCount& instructions() const { return executor_.instructions(); }

 private:
  BlockExecutor executor_;
  std::vector<LaneTree> lanes_;  // of warps that run alone: none
  CallFrames frames_;
  GroupRunner group_;
  uint32_t done_ = 0;
};

}  // namespace lanescope::emulator
