// Checks of a run: checkers for each worker, the data that they share, and the findings of all.
// Tests: tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/block_checks.h"
#include "emulator/options.h"
#include "emulator/outcome.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class RunChecks {
 public:
  RunChecks(const Code& code, const Memory& memory, SpareBuffers& spare, const Options& options);

  /// Checks of the blocks that a worker runs as `code` says, one at a time or as a batch; null without
  /// checks.
  std::unique_ptr<BlockChecks> checks_of(const Code& code);
  /// Collects the findings of checks whose worker is done. May be called by several threads.
  void collect(const BlockChecks& done);
  /// Adds the findings to the outcome. Outcome::in_order must be set before.
  void report(Outcome& outcome);

 private:
  const Code& code_;
  const Memory& memory_;
  Checks checks_;
  const FastChecks& fast_;
  AccessTraits traits_;  // set for Checks::All
  std::optional<GridShadow> grid_;
  std::mutex mutex_;
  Findings findings_;
  bool overflowed_ = false;
  bool depends_on_order_ = false;
};

}  // namespace lanescope::emulator
