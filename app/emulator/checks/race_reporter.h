// Turns what the checks find into findings: with both sides of each, once for each pair of instructions.
// Tests: tests/unit/emulator/{race,grid_race,cluster_race,uninitialized}_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/ids.h"
#include "emulator/checks/access_log.h"
#include "emulator/checks/access_traits.h"
#include "emulator/checks/checked_access.h"
#include "emulator/checks/findings.h"
#include "emulator/checks/grid_shadow.h"
#include "emulator/checks/race_text.h"
#include "emulator/memory/async_copies.h"
#include "emulator/memory/memory.h"
#include "emulator/values/code.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanescope::emulator {

class RaceReporter {
 public:
  /// `log`: the accesses of the block.
  RaceReporter(const Code& code, const Memory& memory, const AccessTraits& traits, const AccessLog& log)
      : code_(code), memory_(memory), traits_(traits), log_(log) {}

  void begin_block(CtaId block, Dim3 position);

  /// Side of a race that is a lane of an access of this block.
  RaceSide side_of(const ObservedAccess& access, int lane) const {
    return {access.step.index, access.warp * kLanes + static_cast<uint32_t>(lane), position_};
  }
  /// Reports a race with the access of this block whose stamp is `other`.
  void report_race(const ObservedAccess& access, Finding finding, int lane, uint64_t address, Stamp other);
  /// Reports a race in the shared memory of the cluster's blocks. `there`: the earlier side, of any of them.
  void report_cluster_race(const ObservedAccess& access, Finding finding, int lane, uint64_t address,
                           const RaceSide& there);
  /// Reports a race with another block of the grid. `granule_shift`: of global memory.
  void report_grid_race(const GridShadow::Conflict& conflict, int granule_shift);
  /// Reports that the lane reads `unwritten` uninitialized granules of the `granules` of its access.
  void report_unwritten(const ObservedAccess& access, int lane, uint32_t unwritten, uint32_t granules);
  /// Reports an access to memory of an asynchronous copy. `finding`: CopyUnderWay or CopySource.
  void report_copy(const ObservedAccess& access, Finding finding, int lane, uint64_t address,
                   const AsyncCopy& copy, const AsyncCopies& copies);
  /// Notes that a copy of the step was waited for too late: the threads of its block had passed a barrier
  /// while the copy was under way.
  void note_late_wait(uint32_t step);
  /// Reports an access to shared memory of the block with rank `owner`, which may not run yet or any more.
  void report_absence(const RaceSide& here, uint32_t owner, uint64_t address, Finding finding);

  /// Reports that the lane accesses the device heap outside its live pieces.
  void report_heap(const ObservedAccess& access, int lane, const HeapFault& fault);
  /// Reports a thread of this block that executes a synchronizing instruction wrongly. `sentence()` returns
  /// the text of the finding, and is called once for each instruction.
  template <class F>
  void report_synchronization(Finding finding, uint32_t step, uint32_t thread, F&& sentence) {
    const Findings::Key key{finding, step, Findings::kNoStep};
    if (findings_.count(key)) return;
    trace::Hazard hazard = hazard_at(code_, {step, thread, position_}, trace::HazardKind::DivergentBarrier);
    hazard.message = sentence();
    findings_.add(key, block_, std::move(hazard));
  }

  Findings& findings() { return findings_; }
  /// True if a finding may depend on the order of blocks.
  bool depends_on_order() const { return depends_on_order_; }

 private:
  uint32_t other_reader(const ObservedAccess& access, Stamp last, int lane) const;
  Finding weighed(Finding finding, uint32_t step, uint32_t other) const;
  RacePlace place_of(const ObservedAccess& access, uint64_t address, Finding finding) const;

  const Code& code_;
  const Memory& memory_;
  const AccessTraits& traits_;
  const AccessLog& log_;
  std::vector<uint32_t> awaited_late_;  // steps of copies
  Findings findings_;
  CtaId block_;
  Dim3 position_;
  bool depends_on_order_ = false;
};

}  // namespace lanescope::emulator
