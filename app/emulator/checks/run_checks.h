// Checks of a run: checkers for each worker, the data that they share, and the findings of all.
// Tests: tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/checker.h"
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

  /// Checkers for one worker, which runs so many blocks at a time; none without checks.
  std::vector<std::unique_ptr<Checker>> checkers(uint32_t blocks);
  /// Collects the findings of a checker whose worker is done. May be called by several threads.
  void collect(Checker& checker);
  /// Adds the findings to the outcome. Outcome::in_order must be set before.
  void report(Outcome& outcome);

 private:
  const Code& code_;
  const Memory& memory_;
  Checks checks_;
  AccessTraits traits_;  // set for Checks::All
  std::optional<GridShadow> grid_;
  std::mutex mutex_;
  Findings findings_;
  bool overflowed_ = false;
  bool depends_on_order_ = false;
};

}  // namespace lanescope::emulator
