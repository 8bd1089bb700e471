// The divergence of one warp: which lanes execute together, where they reconverge, and the calls they are in.
// Method: a tree. Its leaves are groups of lanes that execute together. Lanes that diverge become new leaves
// below the one that they were, which waits at their reconvergence point (the branch's immediate
// post-dominator) and continues when no leaf is left below it. A call is a node too: it waits at its return
// place for the lanes in the function. If only the youngest leaf ever runs, this is the reconvergence stack
// of warps in lockstep; if all leaves take turns, it is independent thread scheduling, and lanes that wait
// for a leaf that waits for them continue after release(). Source: Fung et al., "Dynamic Warp Formation and
// Scheduling", section 2; CUDA C++ Programming Guide, "Independent Thread Scheduling". Tests:
// tests/unit/emulator/lane_tree_test.cpp

#pragma once

#include "emulator/schedule/spin_detector.h"
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
    uint32_t block = 0;  // of the program: next to run; of a node with others below: where they reconverge
    uint32_t step = 0;   // of the program: the first of the block that is still to run
    uint32_t reconvergence =
        ptx::BasicBlock::kNever;  // block at which it waits for the others below its parent
    uint32_t mask = 0;            // lanes at it and below it
    uint32_t below = 0;           // nodes directly below; 0: a leaf
    Index parent = kNone;
    Index caller = kNone;  // the call that its function was entered by; kNone in the kernel
    bool is_call = false;
    State state = State::Ready;

    // At a barrier.
    uint32_t barrier = 0;       // its number
    uint32_t threads = 0;       // that it waits for; 0 is all
    uint32_t barrier_step = 0;  // of the program

    // Whether it makes progress.
    uint32_t turns = 0;
    SpinDetector laps = {};  // of a leaf that is watched, or of one below a node that is
    bool spun = false;       // was spinning when this turn began
    uint32_t polled = 0;     // blocks that read what others may write
    bool polls = false;      // there were such in this turn
    bool patient = false;    // has polled for so long that it may wait for others

    // Of a call.
    uint32_t function = 0;  // the callee
    bool keeps = false;     // registers: kept()
  };
  static_assert(std::is_trivially_copyable_v<Node>, "diverging copies nodes");
  struct Part {
    uint32_t block = 0;
    uint32_t mask = 0;
  };

  /// One leaf at `block`.
  void reset(uint32_t block, uint32_t step, uint32_t mask);

  bool empty() const { return leaves_.empty(); }
  uint32_t alive() const { return alive_; }
  /// The leaves, the newest last.
  std::span<const Index> leaves() const { return leaves_; }
  Node& operator[](Index node) { return nodes_[node]; }
  const Node& operator[](Index node) const { return nodes_[node]; }

  /// The leaf goes before all others.
  void make_first(Index leaf);

  /// The lanes of `leaf` diverge in parts, of which the last becomes the last leaf, and reconverge at
  /// `meeting`. A part that is there already waits.
  void part(Index leaf, uint32_t meeting, std::span<const Part> parts, const ptx::Program& program);
  /// The leaf is at the point where it waits for the others below its parent.
  void meet(Index leaf);
  /// `lanes` of the leaf enter a function; the leaf waits at `return_block` for them. Returns the new leaf,
  /// whose parent the call is.
  Index call(Index leaf, uint32_t return_block, uint32_t function, uint32_t lanes,
             const ptx::Program& program);
  /// Lanes of the leaf, which is within a call, are at the end of the function.
  void leave_function(Index leaf, uint32_t lanes);
  /// Lanes end.
  void exit(uint32_t lanes);
  /// What the call is to bring back; it goes when the last lane has returned.
  void keep(Index call, std::vector<std::byte> registers);
  /// Registers of a call's callee, which was running already.
  std::span<const std::byte> kept(Index call) const { return kept_.at(call); }
  /// Bytes of all that is kept.
  uint64_t kept_bytes() const { return kept_bytes_; }
  /// Two leaves at the same place below the same parent become the first of them.
  bool join(Index leaf, Index other);
  /// Lanes that wait for the leaf at its reconvergence point continue without it. Whether there were any.
  bool release(Index leaf, const ptx::Program& program);
  /// Lanes that wait at the node for others below it.
  uint32_t waiting_at(Index node) const;
  /// All running lanes reconverge: only calls are left above the one leaf, which holds them all.
  void gather(Index leaf);
  /// Nodes of the calls that the leaf is in, the outermost first.
  std::vector<Index> calls_of(Index leaf) const;
  /// How many calls deep the leaf is.
  uint32_t depth(Index leaf) const;

 private:
  Index make(const Node& node);
  void remove_leaf(Index leaf);
  void drop(Index leaf);
  void forget_kept(Index call);

  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::vector<Index> leaves_;
  uint32_t alive_ = 0;
  std::map<Index, std::vector<std::byte>> kept_;  // [call]
  uint64_t kept_bytes_ = 0;
};

/// The leaf continues at a basic block.
inline void go_to(LaneTree::Node& leaf, uint32_t block, const ptx::Program& program) {
  leaf.block = block;
  leaf.step = program.blocks[block].first;
}

}  // namespace lanescope::emulator
