// One worker of a run: takes blocks, runs them, and suspends those that wait for others. Tests:
// tests/unit/emulator/{run,scheduling}_test.cpp

#pragma once

#include "emulator/block/history_recorder.h"
#include "emulator/checks/run_checks.h"
#include "emulator/options.h"
#include "emulator/schedule/batch_runner.h"
#include "emulator/schedule/block_runner.h"
#include "emulator/schedule/grid.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class Worker {
 public:
  /// `batch`: the code of a batch of blocks (batch.h); null where each runs by itself.
  Worker(const Code& code, const Code* batch, const Memory& memory, RunChecks& checks, Grid& grid,
         unsigned number, unsigned workers, const Options& options, trace::Sink& sink);

  /// Runs blocks until there are none.
  InstructionCount work();

 private:
  struct Team;
  /// Runs batches, as long as most stay together.
  struct Batches {
    Batches(const Code& code, const Memory& memory, RunChecks& run_checks, Grid& grid);
    bool are_worth_it() const { return parted < 4 || parted * 2 < begun; }
    uint64_t begun = 0;
    uint64_t parted = 0;
    std::unique_ptr<BlockChecks> checks;  // may be null
    BatchRunner runner;
  };
  struct Block {
    Block(const Code& code, const Memory& memory, RunChecks& run_checks, const Options& options, Grid& grid);
    uint64_t number = 0;
    BlockRunner::State state = BlockRunner::State::Ended;
    std::optional<HistoryRecorder> history;  // of a warp of it that is to be noted
    std::shared_ptr<Team> team;              // null: the block is not in a cluster
    std::unique_ptr<BlockChecks> checks;     // may be null
    BlockRunner runner;
  };
  /// A cluster's blocks. Those that are over are kept as long as others may access their shared memory.
  struct Team {
    Cluster cluster;
    ClusterShadow shadow;  // for the checks
    std::vector<std::unique_ptr<Block>> over;
  };

  bool run_next();
  bool run_batch(uint64_t first);
  void run_cluster(uint64_t first);
  std::unique_ptr<Block> block_for(uint64_t number);
  void run(std::unique_ptr<Block> block);
  void look_at(std::unique_ptr<Block> block);
  void retire(std::unique_ptr<Block> block);
  void add_finished(uint64_t blocks);
  bool is_over(const Block& block);
  bool may_begin_another();
  bool ask_grid(uint64_t events);
  void give_up();

  const Code& code_;
  const Memory& memory_;
  RunChecks& checks_;
  Grid& grid_;
  unsigned number_;
  const Options& options_;
  trace::Sink& sink_;
  std::optional<Batches> batches_;
  uint64_t unit_;                              // blocks that the grid hands out at a time
  size_t room_;                                // blocks that may be under way at a time
  uint64_t finished_ = 0;                      // blocks that were not yet reported to the grid
  std::vector<std::unique_ptr<Block>> free_;   // that run nothing
  std::vector<std::unique_ptr<Block>> aside_;  // that wait for others
  // Blocks to begin before the waiting ones are resumed again. The number doubles as long as no waiting block
  // makes progress: resuming all of them after each new block would take time in the square of their number.
  size_t at_once_ = 1;
  size_t to_begin_ = 0;  // of these, still
};

}  // namespace lanescope::emulator
