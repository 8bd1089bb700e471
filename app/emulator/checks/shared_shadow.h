// Stamps of a block's shared memory, for each granule. Method: accesses of warp groups (spread.h) are listed,
// and stamped only if an access follows that they could race with. Loads stay listed until a barrier, after
// which no access can race with them. Accesses that repeat those of an earlier block (group_sequence.h) stay
// listed until an access does not. Tests: tests/unit/emulator/{race,group_race,group_sequence}_test.cpp

#pragma once

#include "emulator/checks/access_log.h"
#include "emulator/checks/granules.h"
#include "emulator/checks/group_sequence.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/stamp.h"
#include "emulator/values/code.h"

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

  void begin_block() {
    listed_.clear();
    last_barrier_ = 0;
    repeated_.clear();
    sequence_.begin_block();
  }
  void end_block() { sequence_.end_block(); }
  /// Passes a barrier of all threads, after which no access races with earlier reads.
  void pass_barrier();
  /// Ends the sequence: the block accesses memory other than by warp groups, or some of its threads
  /// synchronize.
  void give_up_sequence() {
    stamp_all();
    sequence_.give_up();
  }

  /// See Checker::change_spreads().
  void forget_spreads() {
    stamp_all();
    sequence_.forget();
  }

  int granule_shift() const { return shift_; }
  /// Stamps what is listed, ends the sequence, and gives the stamps of granule 0; those of the other granules
  /// follow.
  Cells settled_cells() {
    give_up_sequence();
    Stamp* const first = stamps_.data();
    return {first, first + granules_, first + 2 * granules_};
  }
  Cells settled_cells_of(uint64_t granule) {
    const Cells first = settled_cells();
    return {first.written + granule, first.read + granule, first.read_too + granule};
  }

  /// True if an access of a warp group repeats one that was in order. The access is numbered, and may be
  /// listed later.
  bool repeat(const GroupEvent& event) {
    if (!sequence_.repeats(event) || !log_.has_room(event.warps)) return false;
    note_repeated(log_.skip(event.warps));
    return true;
  }

  /// Lists and stamps the repeated accesses: the next access is not a repeated one.
  void stop_repeating() {
    if (!sequence_.is_repeated()) return;
    stamp_all();
    sequence_.stop_repeating();
  }
  /// Stamps of the last writes, from granule 0 on. To be called after stop_repeating().
  const Stamp* written() const { return stamps_.data(); }
  /// True if one more load can be listed.
  bool has_room_for_group_read() const { return listed_.size() < kMostGroupReads; }
  /// Lists a read of data that were all written before the last barrier of all warps.
  void list_read(const ListedAccess& read) { listed_.push_back(read); }
  /// True if the block has done nothing but recorded accesses and barriers.
  bool is_recorded() const { return sequence_.is_recorded(); }
  /// Records an access that was in order. `was_recorded`: is_recorded() before the access was checked.
  void note_in_order(const GroupEvent& event, const ListedAccess& access, bool was_recorded) {
    if (was_recorded) sequence_.record(event, access);
  }

  /// Clears the stamps of copies that were under way when their block ended.
  void clear_under_way() {
    for (size_t n = 0; n < granules_; ++n)
      if (is_under_way(stamps_[n])) stamps_[n] = 0;
  }
  /// Stamps from number `birth` on become those of number 1; lower ones are cleared.
  void renumber(uint32_t birth) {
    give_up_sequence();
    for (Stamp& stamp : stamps_) stamp = renumbered(stamp, birth);
  }

 private:
  static constexpr size_t kMostGroupReads = 128;
  void note_repeated(uint32_t number) {
    repeated_.push_back(number);
    sequence_.note_repeated();
  }
  void stamp_all() {
    if (!repeated_.empty()) list_repeated();
    if (!listed_.empty()) stamp_listed();
  }
  void list_repeated();
  void stamp_listed();

  AccessLog& log_;
  uint32_t row_lanes_;
  int shift_;  // log2 of a granule's bytes
  size_t granules_;
  std::vector<Stamp> stamps_;  // [written, read, read_too][granule]
  std::vector<ListedAccess> listed_;
  size_t last_barrier_ = 0;         // accesses of `listed_` before it
  std::vector<uint32_t> repeated_;  // [event that the block has repeated] number of the access
  GroupSequence sequence_;
};

}  // namespace lanescope::emulator
