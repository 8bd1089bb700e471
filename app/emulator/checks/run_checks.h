// The checks of a run: checkers for each worker, what they share, and what they found together.
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

  /// For so many blocks of one worker that run at a time; none without checks.
  std::vector<std::unique_ptr<Checker>> checkers(uint32_t blocks);
  /// When the worker is done. Any worker may call it.
  void collect(Checker& checker);
  /// Adds what was found to the outcome, which says whether blocks ran in order.
  void report(Outcome& outcome);

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
