// The stamps of a block's shared memory: every granule has its own. Method: loads of a whole group (spread.h)
// are listed, and stamped only if anything but another one of them follows: mostly a barrier comes first,
// after which no access can race with them. Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include "emulator/checks/access_log.h"
#include "emulator/checks/granules.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/stamp.h"
#include "emulator/code.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class SharedShadow {
 public:
  /// `log`: of the block's accesses.
  SharedShadow(const Code& code, AccessLog& log)
      : log_(log),
        row_lanes_(code.forms.row_lanes),
        shift_(granule_shift_of(*code.program, trace::Space::Shared)),
        granules_(granules_in(code.shared_bytes, shift_)),
        stamps_(3 * granules_) {}

  int granule_shift() const { return shift_; }
  /// Those of granule 0; those of the others follow.
  Cells cells() {
    if (!group_reads_.empty()) stamp_group_reads();
    Stamp* const first = stamps_.data();
    return {first, first + granules_, first + 2 * granules_};
  }
  Cells cells_of(uint64_t granule) {
    const Cells first = cells();
    return {first.written + granule, first.read + granule, first.read_too + granule};
  }
  /// The last writes alone, from granule 0 on: these are always up to date.
  const Stamp* written() const { return stamps_.data(); }

  /// Whether one more can be listed.
  bool has_room_for_group_read() const { return group_reads_.size() < kMostGroupReads; }
  /// All that it reads was written before the last barrier of all warps.
  void add_group_read(const ListedAccess& read) { group_reads_.push_back(read); }
  /// All threads have met, or the block has ended: nothing races with these reads any more.
  void drop_group_reads() { group_reads_.clear(); }

  /// What was under way when its block ended.
  void clear_under_way() {
    for (size_t n = 0; n < granules_; ++n)
      if (is_under_way(stamps_[n])) stamps_[n] = 0;
  }
  /// Stamps from number `birth` on become those of number 1; lower ones are cleared.
  void renumber(uint32_t birth) {
    stamp_group_reads();
    for (Stamp& stamp : stamps_) stamp = renumbered(stamp, birth);
  }

 private:
  static constexpr size_t kMostGroupReads = 128;
  void stamp_group_reads();

  AccessLog& log_;
  uint32_t row_lanes_;
  int shift_;  // log2 of a granule's bytes
  size_t granules_;
  std::vector<Stamp> stamps_;  // [written, read, read_too][granule]
  std::vector<ListedAccess> group_reads_;
};

}  // namespace lanescope::emulator
