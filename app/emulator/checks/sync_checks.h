// Checks that threads take part in synchronization as they must: member masks of shuffles, votes, matches,
// reductions and __syncwarp(), and barriers of a block of which some threads have exited. Method: a lane that
// executes a warp-wide instruction has to be in its own member mask. Lanes of the mask that have exited are
// not waited for, as on a GPU, but the value of such a lane is undefined. Lanes that still run and never
// arrive are found by schedule/deadlock_report.h. Source: PTX ISA, "Data Movement: shfl.sync",
// "bar.warp.sync"; CUDA C++ Programming Guide, "Warp Shuffle Functions", "Synchronization Functions". Tests:
// tests/unit/emulator/sync_test.cpp

#pragma once

#include "emulator/checks/race_reporter.h"
#include "emulator/values/code.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::emulator {

class SyncChecks {
 public:
  /// `before_reads`: AccessTraits::barriers_before_reads.
  SyncChecks(const Code& code, const std::vector<uint32_t>& before_reads, RaceReporter& reporter)
      : code_(code), before_reads_(before_reads), reporter_(reporter) {}

  /// Checks the member masks, `masks` [lane], of `lanes` of a warp that execute the step together.
  /// `existing`: lanes of the warp that are absent if a mask names them and `lanes` does not.
  void meet(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const uint32_t> masks, uint32_t existing);
  /// Checks a step by which `lanes` of a warp take the values of the lanes `sources`: [lane].
  void take(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const int> sources);
  /// Checks a barrier of the whole block that its `running` threads pass. `thread`: the first of them.
  void pass_barrier(uint32_t step, uint32_t thread, uint64_t running);

 private:
  const Code& code_;
  const std::vector<uint32_t>& before_reads_;
  RaceReporter& reporter_;
};

}  // namespace lanescope::emulator
