// Checks of a run: the checkers of each worker, their shared state, and the findings of all. Tests:
// tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

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

  /// Checkers for the blocks of one worker that run at the same time; none without checks.
  std::vector<std::unique_ptr<Checker>> checkers(uint32_t blocks);
  /// Adds the findings of a checker whose worker is done. Any worker may call it.
  void collect(Checker& checker);
  /// Adds the findings of all to the outcome, whose `in_order` is set.
  void report(Outcome& outcome);

 private:
  const Code& code_;
  const Memory& memory_;
  Checks checks_;
  AccessTraits traits_;  // empty without checks
  std::optional<GridShadow> grid_;
  std::mutex mutex_;
  Findings findings_;
  bool overflowed_ = false;
  bool depends_on_order_ = false;
};

}  // namespace lanescope::emulator
