// The checks of a run: a checker for each worker, what they share, and what they found together.
// Tests: tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/checker.h"
#include "emulator/options.h"
#include "emulator/outcome.h"

#include <memory>
#include <mutex>
#include <optional>

namespace lanescope::emulator {

class RunChecks {
 public:
  RunChecks(const Code& code, const Memory& memory, SpareBuffers& spare, const Options& options);

  /// For one worker; null without checks.
  std::unique_ptr<Checker> checker();
  /// When the worker is done. Any worker may call it.
  void collect(Checker& checker);
  /// Adds what was found. `workers`: how many there were.
  void report(Outcome& outcome, unsigned workers);

 private:
  const Code& code_;
  const Memory& memory_;
  Checks checks_;
  AccessTraits traits_;  // where there are checks
  std::optional<GridShadow> grid_;
  std::mutex mutex_;
  Findings findings_;
  bool overflowed_ = false;
  bool depends_on_order_ = false;
};

}  // namespace lanescope::emulator
