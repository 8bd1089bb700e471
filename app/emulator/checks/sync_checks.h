// Checks of threads that synchronize: the member masks of shuffles, votes, matches, reductions and
// __syncwarp(), and barriers that part of the block has left. Method: a lane that executes a warp-wide
// instruction has to be in its own mask. Lanes of the mask that have exited are not waited for, as on a GPU,
// but the value of such a lane is undefined. Lanes that still run and never come are found by
// schedule/deadlock_report.h. Source: PTX ISA, "Data Movement: shfl.sync", "bar.warp.sync"; CUDA C++
// Programming Guide, "Warp Shuffle Functions", "Synchronization Functions". Tests:
// tests/unit/emulator/sync_test.cpp

#pragma once

#include "emulator/checks/race_reporter.h"
#include "emulator/code.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// Text "lane 3" or "lanes 0-7, 9".
std::string name_lanes(uint32_t mask);

class SyncChecks {
 public:
  /// `before_reads`: AccessTraits::barriers_before_reads.
  SyncChecks(const Code& code, const std::vector<uint32_t>& before_reads, RaceReporter& reporter)
      : code_(code), before_reads_(before_reads), reporter_(reporter) {}

  /// Checks the member masks of `lanes` of a warp, which execute the step together. `masks`: [lane] member
  /// masks. `existing`: lanes of the warp that have a thread.
  void meet(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const uint32_t> masks, uint32_t existing);
  /// Checks that each of `lanes` takes a value of a lane that is one of them. `sources`: [lane] lane that the
  /// value comes from.
  void take(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const int> sources);
  /// Checks a barrier of the whole block that threads pass; `thread` is the first of the `running` ones.
  void pass_barrier(uint32_t step, uint32_t thread, uint64_t running);

 private:
  const Code& code_;
  const std::vector<uint32_t>& before_reads_;
  RaceReporter& reporter_;
};

}  // namespace lanescope::emulator
