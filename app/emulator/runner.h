// Runs one block after the other: which warp goes next, where its lanes part and meet, who waits at a
// barrier. Method: as long as all warps go the same way with all their lanes, they run as one group, a step
// at a time for all of them. Where they part, each warp runs for itself with a stack of (block, mask) pairs:
// lanes that part at a branch meet at its immediate post-dominator. At the next barrier that all reach they
// are a group again. Source: Fung et al., "Dynamic Warp Formation and Scheduling", section 2 (reconvergence
// stack). Tests: tests/unit/emulator/{divergence,barrier}_test.cpp

#pragma once

#include "emulator/block.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lanescope::emulator {

/// Counted where a warp executes, whatever its mask.
struct InstructionCount {
  uint64_t warp = 0;
  uint64_t lane = 0;
};

class Runner {
 public:
  /// `may_go_on(instructions)` is asked now and then with the warp instructions executed since it was asked
  /// last; false ends the block at once.
  Runner(const Code& code, const Memory& memory, std::unique_ptr<Checker> checker,
         std::function<bool(uint64_t)> may_go_on);

  /// Whether the block ran to its end. If not, there is a hazard(), or may_go_on said no.
  bool run(CtaId cta, trace::Sink& sink);

  const std::optional<trace::Hazard>& hazard() const { return state_.hazard; }
  /// Null without checks.
  Checker* checker() { return state_.checker.get(); }
  const InstructionCount& instructions() const { return count_; }

 private:
  struct Entry {
    uint32_t block = 0;  // of the program: next to run
    uint32_t reconvergence = ptx::Block::kNever;
    uint32_t mask = 0;
  };
  enum class Status : uint8_t { Ready, AtBarrier, Exited };
  struct WarpState {
    std::vector<Entry> stack;  // the last is running; below it who waits for it
    uint32_t alive = 0;
    Status status = Status::Ready;
    uint32_t barrier = 0;       // number of the barrier
    uint32_t threads = 0;       // that it waits for; 0 is all
    uint32_t barrier_step = 0;  // in Program::steps
  };
  enum class Outcome : uint8_t { Ended, Parted, Joined, Stopped };
  static constexpr uint32_t kBarriers = 16;

  const ptx::Program& program() const { return *code_.program; }
  const ptx::Step& last_of(uint32_t block) const { return program().steps[program().blocks[block].end - 1]; }
  const Step& last_code_of(uint32_t block) const { return code_.steps[program().blocks[block].end - 1]; }
  void execute(uint32_t block, Warps& warps, uint64_t live_warps, uint64_t live_lanes);
  bool check_in(uint64_t interval);

  // All warps together: runner.cpp
  Outcome run_group();
  bool go_on_as_group();
  bool branch_as_group();
  bool exit_as_group();
  bool pass_barrier_as_group();
  void part();
  void join();

  // Each warp for itself: runner_warps.cpp
  Outcome run_warps();
  void run_warp(uint32_t warp);
  void go_on(uint32_t warp);
  void branch(uint32_t warp);
  void branch_by_table(uint32_t warp);
  void diverge(uint32_t warp, Entry first, Entry second);
  void exit_lanes(uint32_t warp, uint32_t leaving);
  uint32_t executing(uint32_t warp, const Step& step) const;
  uint32_t word_at(uint32_t warp, const Operand& operand, int lane) const;

  // Barriers: runner_barrier.cpp
  void arrive(uint32_t warp);
  bool release_barriers();
  bool can_join() const;
  void reduce(const Step& step, const std::vector<uint32_t>& warps);
  void report_deadlock();

  const Code& code_;
  BlockState state_;
  std::function<bool(uint64_t)> may_go_on_;
  uint32_t group_block_ = 0;         // next block of the program for the group
  std::vector<uint32_t> alive_;      // [warp] lanes of the group that have not exited
  std::vector<uint32_t> all_lanes_;  // [warp]
  uint64_t live_warps_ = 0;          // of the group
  uint64_t live_lanes_ = 0;
  std::vector<WarpState> warps_;
  std::array<uint32_t, kBarriers> arrived_{};  // [barrier] threads that arrived without waiting
  InstructionCount count_;
  uint64_t reported_ = 0;  // instructions that may_go_on knows of
  bool refused_ = false;   // may_go_on said no
};

}  // namespace lanescope::emulator
