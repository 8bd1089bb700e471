// The hazard of a block in which no lane can continue: which lanes wait or spin, where, and for which others.
// Tests: tests/unit/emulator/{barrier,scheduling}_test.cpp

#pragma once

#include "emulator/options.h"
#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/member_steps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::emulator {

class DeadlockReport {
 public:
  /// `lanes`: [warp]
  DeadlockReport(BlockExecutor& executor, const std::vector<LaneTree>& lanes, const MemberSteps& members,
                 Scheduling scheduling)
      : code_(executor.code()),
        state_(executor.state()),
        lanes_(lanes),
        members_(members),
        scheduling_(scheduling) {}

  /// All lanes wait, and none spins.
  void report_deadlock();
  /// All warps spin as one group around a basic block. `others`: what is known of the other blocks.
  void report_spinning_group(uint32_t block, uint32_t thread, const std::string& others);
  /// Some lanes spin, and the others wait.
  void report_spinning_lanes(const std::string& others);

  /// Location of the group of all warps, or of each warp, for messages; shortened if there are many.
  std::string describe_group(uint32_t block) const;
  std::string describe_warps() const;

 private:
  using Node = LaneTree::Node;
  using Index = LaneTree::Index;

  const ptx::Program& program() const { return *code_.program; }
  std::string place_of(uint32_t step) const;
  std::string describe(const LaneTree& lanes, Index leaf) const;
  std::string describe_waiting(const LaneTree& lanes, Index leaf) const;
  uint32_t telling_step(uint32_t block) const;
  bool polls(uint32_t block) const;

  const Code& code_;
  BlockState& state_;
  const std::vector<LaneTree>& lanes_;  // [warp]
  const MemberSteps& members_;
  Scheduling scheduling_;
};

}  // namespace lanescope::emulator
