#include "emulator/checks/shared_shadow.h"

namespace lanescope::emulator {

/// As if each read had been stamped when it was made: no write and no barrier has come between.
void SharedShadow::stamp_group_reads() {
  Stamp* const first = stamps_.data();
  for (const ListedAccess& read : group_reads_) {
    for_each_lane_of(read, row_lanes_, [&](uint32_t warp, uint32_t lane, uint64_t address) {
      for (uint64_t at = address >> shift_; at < (address + read.bytes) >> shift_; ++at)
        log_.note_read({first + at, first + granules_ + at, first + 2 * granules_ + at},
                       make_stamp(read.number + warp, warp) | lane);
    });
  }
  group_reads_.clear();
}

}  // namespace lanescope::emulator
