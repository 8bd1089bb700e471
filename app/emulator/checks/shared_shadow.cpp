#include "emulator/checks/shared_shadow.h"

namespace lanescope::emulator {

/// As if each read had been stamped when it was made: no write and no barrier has come between.
void SharedShadow::stamp_group_reads() {
  Stamp* const first = stamps_.data();
  for (const GroupRead& group : group_reads_) {
    const Spread& spread = *group.spread;
    const uint32_t row_lanes = spread.is_affine ? uint32_t{kLanes} : row_lanes_;
    for (uint32_t warp = 0; warp < group.warps; ++warp) {
      const Stamp mine = make_stamp(group.number + warp, warp);
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const int64_t more = spread.base[warp] + spread.step[warp] * (lane % row_lanes) +
                             spread.row[warp] * (lane / row_lanes);
        const uint64_t address = group.first + static_cast<uint64_t>(more);
        for (uint64_t at = address >> shift_; at < (address + group.bytes) >> shift_; ++at)
          log_.note_read({first + at, first + granules_ + at, first + 2 * granules_ + at}, mine | lane);
      }
    }
  }
  group_reads_.clear();
}

}  // namespace lanescope::emulator
