#include "emulator/checks/shared_shadow.h"

namespace lanescope::emulator {

void SharedShadow::pass_barrier() {
  constexpr GroupEvent kBarrier;
  if (sequence_.repeats(kBarrier)) return note_repeated(0);
  stop_repeating();
  listed_.clear();
  last_barrier_ = 0;
  if (sequence_.is_recorded()) sequence_.record(kBarrier, {});
}

/// Lists the repeated accesses, and adds their steps to the log.
void SharedShadow::list_repeated() {
  for (size_t n = 0; n < repeated_.size(); ++n) {
    const ListedAccess* const access = sequence_.repeated(n);
    if (access == nullptr) {
      last_barrier_ = listed_.size();
      continue;
    }
    listed_.push_back(*access);
    listed_.back().number = repeated_[n];
    log_.set_group(*access, repeated_[n]);
  }
  repeated_.clear();
}

/// Stamps the listed accesses in their order, each with its number, but no reads before the last barrier: no
/// access races with these any more.
void SharedShadow::stamp_listed() {
  Stamp* const first = stamps_.data();
  for (size_t n = 0; n < listed_.size(); ++n) {
    const ListedAccess& access = listed_[n];
    const bool is_read = access.kind == trace::Kind::Load;
    if (is_read && n < last_barrier_) continue;
    for_each_lane_of(access, row_lanes_, [&](uint32_t warp, uint32_t lane, uint64_t address) {
      const Stamp mine = make_stamp(access.number + warp, warp) | lane;
      for (uint64_t at = address >> shift_; at < (address + access.bytes) >> shift_; ++at)
        if (is_read)
          log_.note_read({first + at, first + granules_ + at, first + 2 * granules_ + at}, mine);
        else
          first[at] = mine;
    });
  }
  listed_.clear();
  last_barrier_ = 0;
}

}  // namespace lanescope::emulator
