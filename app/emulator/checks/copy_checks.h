// Races with asynchronous copies that are under way. Method: a granule of shared memory that a copy is about
// to write has a special stamp (stamp.h). Every access of any thread conflicts with it until the end of the
// copy was waited for. Then the copy becomes an ordinary write. A copy of a commit group is a write that its
// thread makes at the wait. A copy that an mbarrier ends is a write at the moment when the copy began: the
// phase orders it before the threads that see its end. Accesses to sources, and to targets in global memory,
// are compared with the copies one by one, in buffers that have some. Source: PTX ISA, "Data Movement:
// completion mechanisms for asynchronous copies". Tests: tests/unit/emulator/copy_race_test.cpp

#pragma once

#include "emulator/checks/access_log.h"
#include "emulator/checks/checked_access.h"
#include "emulator/checks/race_reporter.h"
#include "emulator/checks/shared_shadow.h"
#include "emulator/memory/async_copies.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanescope::emulator {

class CopyChecks {
 public:
  CopyChecks(AccessLog& log, SharedShadow& shared, RaceReporter& reporter)
      : log_(log), shared_(shared), reporter_(reporter) {}

  /// Begins a block. `copies`: of the block; they are used until the next block begins.
  void begin_block(AsyncCopies& copies);

  /// See SharedShadow::renumber().
  void renumber(uint32_t birth);

  /// Marks the copy, whose accesses have been checked, as under way.
  void begin(AsyncCopy& copy);
  /// Ends a copy that was waited for and is no longer one of AsyncCopies.
  void end(const AsyncCopy& copy);

  /// True if check() has to look at an access to this address.
  bool concern(ptx::Space space, trace::Kind kind, uint64_t address) const {
    if (under_way_ == 0 || (space == ptx::Space::Shared && !has_shared_sources_)) return false;
    if (space != ptx::Space::Global) return space == ptx::Space::Shared && kind != trace::Kind::Load;
    return ((kind == trace::Kind::Load ? targets_ : targets_ | sources_) & bit_of(address)) != 0;
  }
  bool concern(const ObservedAccess& access) const {
    return concern(access.space, access.step.kind, access.address[std::countr_zero(access.mask)]);
  }
  /// Compares the access with sources, and with targets in global memory.
  void check(const ObservedAccess& access);
  /// Reports that the lane accesses a granule of shared memory with the `stamp` of a copy under way.
  void meet(const ObservedAccess& access, int lane, uint64_t granule, Stamp stamp);

 private:
  static constexpr uint64_t bit_of(uint64_t address) {
    return uint64_t{1} << (trace::buffer_of(address) & 63);
  }
  template <class F>
  void for_each_target(const AsyncCopy& copy, F&& f);
  Stamp landed(const AsyncCopy& copy);

  AccessLog& log_;
  SharedShadow& shared_;
  RaceReporter& reporter_;
  AsyncCopies* copies_ = nullptr;
  uint64_t under_way_ = 0;
  // Sources and targets of the copies that began since none was under way.
  uint64_t sources_ = 0;  // bit_of() of the buffers
  uint64_t targets_ = 0;
  bool has_shared_sources_ = false;

  // Stamps of the copies that one wait of a warp ended: one number for each instruction.
  uint32_t landing_warp_ = 0;
  uint32_t landing_next_ = 0;                           // AccessLog::next() after the last of these numbers
  std::vector<std::pair<uint32_t, Stamp>> landed_now_;  // the instruction, and its stamp without a lane
};

}  // namespace lanescope::emulator
