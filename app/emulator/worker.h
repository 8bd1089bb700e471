// One worker of a run: takes blocks, runs them, and puts aside those that wait for others. Tests:
// tests/unit/emulator/{run,scheduling}_test.cpp

#pragma once

#include "emulator/grid.h"
#include "emulator/history.h"
#include "emulator/run_checks.h"
#include "emulator/runner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class Worker {
 public:
  Worker(const Code& code, const Memory& memory, RunChecks& checks, Grid& grid, unsigned number,
         unsigned workers, const Options& options, trace::Sink& sink);

  /// Runs blocks until there are none.
  InstructionCount work();

 private:
  struct Block {
    Block(const Code& code, const Memory& memory, RunChecks& checks, const Options& options, Grid& grid);
    uint64_t number = 0;
    Runner::State state = Runner::State::Ended;
    std::optional<HistoryRecorder> history;  // of a warp of it that is to be noted
    Runner runner;
  };

  bool run_next();
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
  size_t room_;                                // blocks that may be under way at a time
  std::vector<std::unique_ptr<Block>> free_;   // that run nothing
  std::vector<std::unique_ptr<Block>> aside_;  // that wait for others
};

}  // namespace lanescope::emulator
