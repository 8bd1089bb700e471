// Barriers. A warp that has exited is not waited for, as on a GPU. Source: PTX ISA, "Parallel Synchronization
// and Communication Instructions: bar, barrier". An aligned barrier counts whole warps, so all threads of a
// warp that still run must reach it together: its lanes wait for each other there, and WarpScheduler lets
// those run that exit without a barrier. One that is not aligned counts the lanes that arrive.

#pragma once

#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/lane_tree.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// Sentence about a thread at a barrier that only `lanes` of the running lanes `alive` of its warp reach.
std::string divergent_barrier_sentence(uint32_t lanes, uint32_t alive);

class Barriers {
 public:
  static constexpr uint32_t kCount = 16;  // of a block

  /// `lanes`: [warp]
  Barriers(BlockExecutor& executor, std::vector<LaneTree>& lanes)
      : executor_(executor), code_(executor.code()), state_(executor.state()), lanes_(lanes) {}

  void begin_block() { arrived_ = {}; }

  /// The leaf is at a barrier instruction, and waits there or only arrives.
  void arrive(uint32_t warp, LaneTree::Index leaf);
  /// Lanes of the warp that came to the same barrier one after the other become one leaf.
  void meet(uint32_t warp);
  /// True if all warps that still run wait at one instruction for all of the block, with the same calls.
  bool can_join() const;
  /// Lets the lanes at complete barriers continue. True if there were any.
  bool release();

 private:
  using Node = LaneTree::Node;
  using Index = LaneTree::Index;
  struct Waiting {
    uint32_t warp = 0;
    Index leaf = 0;
  };
  const ptx::Program& program() const { return *code_.program; }
  /// Threads and warps that wait at one barrier.
  struct Count {
    uint32_t threads = 0;   // as the barrier counts them
    uint32_t expected = 0;  // 0: all of the block
    uint32_t warps = 0;     // of which all lanes wait
  };
  using Counts = std::array<Count, kCount>;  // [barrier]

  bool is_waited_for(uint32_t barrier) const;
  bool count_warp(uint32_t warp, Counts& counts);
  std::vector<Waiting> waiting_at(uint32_t barrier) const;
  void report_different_barriers(uint32_t warp, const Node& leaf);
  void reduce(const std::vector<Waiting>& waiting);
  static std::vector<uint32_t> warps_of(const std::vector<Waiting>& waiting);
  void note_meeting(uint32_t barrier, const std::vector<Waiting>& waiting, std::span<const uint32_t> warps);
  void note_absence(const Waiting& first);

  BlockExecutor& executor_;
  const Code& code_;
  BlockState& state_;
  std::vector<LaneTree>& lanes_;            // [warp]
  std::array<uint32_t, kCount> arrived_{};  // [barrier] threads that arrived without waiting
};

}  // namespace lanescope::emulator
