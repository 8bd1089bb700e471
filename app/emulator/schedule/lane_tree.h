// The divergence of one warp: which lanes execute together, where they reconverge, and the calls they are in.
// Method: lanes that execute together are a leaf, and a call is a node above the leaves in its function. The
// leaves are sorted by the position of their basic blocks (ptx/block_order.h). A leaf that reaches a place
// where paths meet waits there while other lanes can still come to it, and leaves at the same place join. If
// only the leaf at the lowest position runs, these are warps in lockstep; if leaves take turns, it is
// independent thread scheduling, and lanes that wait for a leaf that waits for them continue after release().
// Lanes at the end of a function wait at its call for the others. With barriers (ptx/convergence_barriers.h)
// lanes wait and join at these alone, and only those that opened a barrier together: each opening has a
// number, which the leaves that diverge later keep. Source: Diamos et al., "SIMD Re-Convergence At Thread
// Frontiers"; CUDA C++ Programming Guide, "Independent Thread Scheduling". Tests:
// tests/unit/emulator/lane_tree_test.cpp

#pragma once

#include "emulator/schedule/spin_detector.h"
#include "ptx/convergence_barriers.h"
#include "ptx/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace lanescope::emulator {

class LaneTree {
 public:
  using Index = uint16_t;
  static constexpr Index kNone = 0xffff;

  enum class State : uint8_t {
    Ready,
    AtBarrier,  // of the block
    AtMembers,  // before a .sync instruction, for other lanes of its member mask
    Spins,      // repeats a loop in which nothing changes
  };

  struct Node {
    uint32_t block = 0;     // of the program: next to run; of a call: where it returns to
    uint32_t step = 0;      // of the program: the first of the block that is still to run
    uint32_t position = 0;  // of the block, or of a loop's end while it waits for the next round; of a call's
                            // block
    uint32_t mask = 0;      // lanes at it and, of a call, in its function
    Index caller = kNone;   // the call that its function was entered by; kNone in the kernel
    bool is_call = false;
    bool moved = false;     // to `block`, and arrive() has not placed it yet
    bool released = false;  // continues without the lanes that can still come to its block
    State state = State::Ready;

    // At a barrier.
    uint32_t barrier = 0;       // its number
    uint32_t threads = 0;       // that it waits for; 0 is all
    uint32_t barrier_step = 0;  // of the program

    // Progress.
    uint32_t turns = 0;
    uint32_t last_turn = 0;  // when its last turn ended; 0: none has
    SpinDetector laps = {};
    bool spun = false;     // was spinning when this turn began
    uint32_t polled = 0;   // blocks that read what others may write
    bool polls = false;    // there were such in this turn
    bool patient = false;  // has polled for so long that it may wait for others

    // Only in calls.
    uint32_t function = 0;  // the callee
    bool keeps = false;     // registers: kept()
  };
  static_assert(std::is_trivially_copyable_v<Node>, "diverging copies nodes");
  struct Part {
    uint32_t block = 0;
    uint32_t mask = 0;
  };

  /// `barriers`: where lanes reconverge; null: wherever paths meet. They must outlive the tree.
  explicit LaneTree(const ptx::ConvergenceBarriers* barriers = nullptr) : barriers_(barriers) {}

  /// One leaf at `block`.
  void reset(uint32_t block, uint32_t step, uint32_t mask);

  bool empty() const { return leaves_.empty(); }
  uint32_t alive() const { return alive_; }
  /// The leaves, from the highest position to the lowest: the last is the first to run.
  std::span<const Index> leaves() const { return leaves_; }
  Node& operator[](Index node) { return nodes_[node]; }
  const Node& operator[](Index node) const { return nodes_[node]; }

  /// The lanes of `leaf`, which has run its block, open and close the block's barriers.
  void open_barriers(Index leaf);
  /// The lanes of `leaf`, which is at the end of its block, diverge.
  void diverge(Index leaf, std::span<const Part> parts, const ptx::Program& program);
  /// The lanes of `leaf` go separate ways from where it is; returns a leaf for each mask.
  std::vector<Index> split(Index leaf, std::span<const uint32_t> masks);
  /// Gives a leaf that moved to another block its place. False if it is not to run now: other leaves come
  /// first, or it joined one, which has its lanes now.
  bool arrive(Index leaf, const ptx::Program& program);
  /// True if a leaf that is ready waits for lanes that can still come to its block.
  bool waits(Index leaf, const ptx::Program& program) const;
  /// The ready leaf that is the next to run: of those that do not wait the one whose last turn ended first.
  /// If they do not take turns it is the lowest; while that is at a barrier, one that exits. kNone if there
  /// is none.
  Index next(bool take_turns, const ptx::Program& program) const;
  /// The leaf's turn is over: others go first.
  void end_turn(Index leaf) { nodes_[leaf].last_turn = ++turns_ended_; }

  /// `lanes` of the leaf enter a function; the others of it, and `lanes` after their return, continue at
  /// `return_block`. Returns the new leaf, whose caller the call is.
  Index call(Index leaf, uint32_t return_block, uint32_t function, uint32_t lanes,
             const ptx::Program& program);
  /// Lanes of the leaf, which is within a call, are at the end of the function.
  void leave_function(Index leaf, uint32_t lanes);
  /// Removes lanes that exit.
  void exit(uint32_t lanes);
  /// Keeps registers that the call restores, until the last lane has returned.
  void keep(Index call, std::vector<std::byte> registers);
  /// Registers of a call's callee, which was running already.
  std::span<const std::byte> kept(Index call) const { return kept_.at(call); }
  /// Bytes of the registers that all calls keep.
  uint64_t kept_bytes() const { return kept_bytes_; }
  /// Joins `other` to `leaf` if both are at the same step and position in the same call; else false.
  bool join(Index leaf, Index other);
  /// Lets lanes that wait for the leaf continue without it: all, or those that exit without coming to another
  /// barrier of the block. True if there were any.
  enum class Released : uint8_t { All, ThatExit };
  bool release(Index leaf, const ptx::Program& program, Released which = Released::All);
  /// Lanes that have returned, and wait at the call for others in the function.
  uint32_t returned(Index call) const;
  /// Lanes that wait for the leaf, and the block at which the first of them do.
  Part waiting_for(Index leaf, const ptx::Program& program) const;
  /// All running lanes reconverge: only calls are left above the one leaf, which holds them all.
  void gather(Index leaf);
  /// Nodes of the calls that the leaf is in, the outermost first.
  std::vector<Index> calls_of(Index leaf) const;
  /// Number of calls that the leaf is in.
  uint32_t depth(Index leaf) const;

 private:
  Index make(const Node& node, Index like);
  void insert(Index leaf);
  void remove(Index leaf);
  void drop(Index leaf);
  void end_call_if_empty(Index call);
  void absorb(Index leaf, Index other);
  bool join_any(Index leaf, const ptx::Program& program);
  void forget_kept(Index call);
  bool only_exits(Index node, const ptx::Program& program) const;
  bool runs_before(Index a, Index b) const;
  bool comes_to(Index other, Index waiting, const ptx::Program& program) const;
  std::vector<uint32_t> first_openings() const;
  bool wait_together(Index other, Index waiting, const ptx::Program& program) const;

  const ptx::ConvergenceBarriers* barriers_;
  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::vector<Index> leaves_;
  uint32_t alive_ = 0;
  uint32_t turns_ended_ = 0;
  std::map<Index, std::vector<std::byte>> kept_;  // [call]
  uint64_t kept_bytes_ = 0;
  std::vector<std::vector<uint32_t>> openings_;  // [node][barrier]; 0: not open; empty without barriers
  uint32_t last_opening_ = 1;
};

/// The leaf continues at a basic block.
inline void go_to(LaneTree::Node& leaf, uint32_t block, const ptx::Program& program) {
  leaf.block = block;
  leaf.step = program.blocks[block].first;
  leaf.moved = true;
}

}  // namespace lanescope::emulator
