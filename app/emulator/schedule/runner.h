// Runs one block: which lanes go next, where they part and meet, who waits for whom.
// Method: as long as all warps go the same way with all their lanes, they run as one group, a step at a time
// for all of them. Where they part, each warp runs for itself, a LaneTree says where its lanes are. At the
// next barrier that all reach they are a group again. Warps take turns, and so do the groups of lanes within
// a warp under independent scheduling; in lockstep only the youngest runs. Lanes that come back to where they
// were with nothing changed spin: they get a look at memory once per round, and when nobody else in the block
// gets anywhere, run() returns, so that another block can go on.
// Tests: tests/unit/emulator/{divergence,barrier,call,scheduling}_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/block/history_recorder.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/scheduling.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// Counted where a warp executes, whatever its mask.
struct InstructionCount {
  uint64_t warp = 0;
  uint64_t lane = 0;
};

class Runner {
 public:
  enum class State : uint8_t {
    Ended,
    Stopped,  // there is a hazard(), or may_go_on said no
    Waits,    // for other blocks: what could run polls, and has for long
    Spins,    // the same, and it is certain that nothing changes unless another block does it
  };

  /// `may_go_on(instructions)` is asked now and then with the warp instructions executed since it was asked
  /// last; false ends the block at once.
  Runner(const Code& code, const Memory& memory, std::unique_ptr<Checker> checker, Scheduling scheduling,
         std::function<bool(uint64_t)> may_go_on);

  /// Begins the block and runs it as far as it gets. With a recorder, which lives as long as the block, its
  /// warps run for themselves from the start.
  State run(CtaId cta, trace::Sink& sink, HistoryRecorder* history = nullptr);
  /// Before run(): the block is one of a cluster, with the next rank.
  void join(Cluster& cluster) { state_.join(cluster); }
  /// Goes on with a block that waited or spun.
  State resume();
  /// Whether anything but looking happened since run() or resume() was called.
  bool moved() const { return moved_; }
  /// Reports that the block spins for ever: no other block will do what it waits for. `others` says what is
  /// known of them.
  void give_up(const std::string& others);
  /// Where each warp stands, for messages; short where there are many.
  std::string describe_warps() const;

  /// What the block printed so far; at most trace::Output::kMostBytes of it.
  const std::string& output() const { return state_.output; }
  CtaId cta() const { return state_.cta; }
  const std::optional<trace::Hazard>& hazard() const { return state_.hazard; }
  /// Null without checks.
  Checker* checker() { return state_.checker.get(); }
  const InstructionCount& instructions() const { return count_; }

 private:
  using Node = LaneTree::Node;
  using Index = LaneTree::Index;
  enum class Outcome : uint8_t { Ended, Parted, Joined, Stopped, Waits, Spins };
  static constexpr uint32_t kBarriers = 16;

  const ptx::Program& program() const { return *code_.program; }
  const ptx::Step& last_of(uint32_t block) const { return program().steps[program().blocks[block].end - 1]; }
  const Step& last_code_of(uint32_t block) const { return code_.steps[program().blocks[block].end - 1]; }
  void execute(uint32_t first, uint32_t end, Warps& warps, uint64_t live_warps, uint64_t live_lanes,
               SpinDetector* watch);
  bool time_passes();
  void add_results(const Step& step, const Warps& warps, SpinDetector& laps) const;
  /// Null but for the warp whose history is noted.
  HistoryRecorder* history_of(uint32_t warp) const {
    return history_ != nullptr && history_->warp() == warp ? history_ : nullptr;
  }
  bool check_in(uint64_t interval);
  uint32_t mask_at(const Operand& operand, uint32_t warp) const;
  uint64_t word_at(uint32_t warp, const Operand& operand, int lane) const;

  // All warps together: runner.cpp
  Outcome run_group();
  bool go_on_as_group();
  bool branch_as_group();
  bool leave_as_group();
  bool call_as_group();
  bool pass_barrier_as_group();
  void part();
  void join();
  std::optional<Outcome> watch_group(bool checks, bool polls);

  // Each warp for itself: runner_warps.cpp
  Outcome run_warps();
  bool run_warp(uint32_t warp);
  std::optional<Index> next_leaf(const LaneTree& lanes) const;
  void run_leaf(uint32_t warp, Index leaf, int& turn);
  void end_turn(uint32_t warp, Index leaf);
  Outcome wait();

  // What the last step of a block does to the lanes of a leaf: runner_control.cpp
  bool go_on(uint32_t warp, Index leaf);
  bool branch(uint32_t warp, Index leaf);
  void branch_by_table(uint32_t warp, Index leaf);
  void call(uint32_t warp, Index leaf);
  void call_by_pointer(uint32_t warp, Index leaf, const Step& step, uint32_t lanes);
  bool enter(uint32_t warp, Index leaf, uint32_t function, uint32_t lanes, const Step& step);
  void leave(uint32_t warp, Index leaf);
  void begin_frame(uint32_t warp, uint32_t function, uint32_t lanes, const Step& step);
  void keep_registers(uint32_t warp, uint32_t function, Index call);
  void bring_back_registers(uint32_t warp, Index call, uint32_t lanes);
  void go_to(Node& leaf, uint32_t block) const;
  uint32_t executing(uint32_t warp, const Node& leaf, const Step& step) const;

  // Functions without a body in PTX: runner_built_in.cpp
  void call_built_in(uint32_t warp, const Step& step, uint32_t lanes);

  // Instructions that lanes execute together: runner_members.cpp
  bool gather_members(uint32_t warp);
  uint32_t members_of(uint32_t warp, uint32_t step, uint32_t lanes) const;

  // Barriers: runner_barrier.cpp
  void arrive(uint32_t warp, Index leaf);
  bool release_barriers();
  bool can_join() const;
  bool is_waited_for(uint32_t barrier) const;
  void meet_at_barrier(uint32_t warp);
  void report_different_barriers(uint32_t warp, const Node& leaf);
  struct Waiting {
    uint32_t warp = 0;
    Index leaf = 0;
  };
  void reduce(const std::vector<Waiting>& waiting);
  void note_meeting(uint32_t barrier, const std::vector<Waiting>& waiting);

  // What is wrong when nobody can go on: runner_deadlock.cpp
  void report_deadlock();
  std::string place_of(uint32_t step) const;
  std::string describe(const LaneTree& lanes, Index leaf) const;
  std::string describe_waiting(const LaneTree& lanes, Index leaf) const;
  uint32_t telling_step(uint32_t block) const;
  bool polls(uint32_t block) const;

  const Code& code_;
  BlockState state_;
  Scheduling scheduling_;
  std::function<bool(uint64_t)> may_go_on_;
  bool is_group_ = true;
  uint32_t group_block_ = 0;               // next block of the program for the group
  std::vector<uint32_t> group_returns_;    // where the functions that it is in return to, the outermost first
  std::vector<uint32_t> group_functions_;  // the functions
  std::vector<uint32_t> alive_;            // [warp] lanes of the group that have not exited
  std::vector<uint32_t> all_lanes_;        // [warp]
  uint64_t live_warps_ = 0;                // of the group
  uint64_t live_lanes_ = 0;
  uint64_t group_checks_ = 0;
  uint64_t group_polls_ = 0;      // blocks that read what others may write
  uint64_t polls_at_anchor_ = 0;  // how many there were when the watched group came by its anchor
  SpinDetector group_laps_;
  std::vector<LaneTree> lanes_;                // [warp]
  std::array<uint32_t, kBarriers> arrived_{};  // [barrier] threads that arrived without waiting
  bool moved_ = false;
  int time_jumps_ = 0;     // since somebody got somewhere
  bool progress_ = false;  // somebody got somewhere in this round
  InstructionCount count_;
  uint64_t reported_ = 0;  // instructions that may_go_on knows of
  bool refused_ = false;   // may_go_on said no
  HistoryRecorder* history_ = nullptr;
};

}  // namespace lanescope::emulator
