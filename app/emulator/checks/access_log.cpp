#include "emulator/checks/access_log.h"

namespace lanescope::emulator {

void AccessLog::begin_block() {
  birth_ = next_;
  entries_.clear();
  order_.begin(next_);
  second_read_ = 0;
}

void AccessLog::renumber() {
  birth_ = 1;
  next_ = 2;
  entries_.assign(1, {Findings::kNoStep, 0});
  order_.begin(next_);
  second_read_ = 0;
}

void AccessLog::note_read(Cells cells, Stamp mine) {
  for (Stamp* const here : {cells.read, cells.read_too}) {
    if (number_of(*here) != number_of(mine)) continue;
    *here |= kSeveralLanes;  // another lane of the same access
    return;
  }
  const Stamp old = *cells.read;
  const bool same_warp = warp_of(old) == warp_of(mine);
  if (!same_warp && number_of(old) >= order_.met_all()) {
    *cells.read_too = mine;
    note_second_reader();
    return;
  }
  if (same_warp && number_of(old) >= order_.met_lanes(warp_of(mine))) {
    // A plain read is remembered rather than a strong one.
    if ((mine & kStrong) && !(old & kStrong)) return;
    const bool same_strength = ((mine ^ old) & kStrong) == 0;
    if (same_strength && ((old ^ mine) & (kLaneOfStamp | kSeveralLanes))) mine |= kSeveralLanes;
  }
  *cells.read = mine;
}

}  // namespace lanescope::emulator
