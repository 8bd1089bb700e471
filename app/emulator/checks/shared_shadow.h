// Stamps of a block's shared memory: each granule has its own. Method: accesses of a warp group (spread.h)
// are listed, and stamped only where an access follows that could race with them. Loads are listed until a
// barrier, after which no access can race with them. Accesses that repeat those of an earlier block
// (group_sequence.h) are listed until the block does something else. Tests:
// tests/unit/emulator/{race,group_race,group_sequence}_test.cpp

#pragma once

#include "emulator/checks/access_log.h"
#include "emulator/checks/granules.h"
#include "emulator/checks/group_sequence.h"
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

  void begin_block() {
    listed_.clear();
    last_barrier_ = 0;
    repeated_.clear();
    sequence_.begin_block();
  }
  void end_block() { sequence_.end_block(); }
  /// Passes a barrier of all threads: no later access races with reads before it.
  void pass_barrier();
  /// Gives up the sequence: the block does something that is no event, as an access by single warps or a
  /// barrier of some threads.
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
  /// Cells of granule 0; those of the other granules follow.
  Cells cells() {
    give_up_sequence();
    Stamp* const first = stamps_.data();
    return {first, first + granules_, first + 2 * granules_};
  }
  Cells cells_of(uint64_t granule) {
    const Cells first = cells();
    return {first.written + granule, first.read + granule, first.read_too + granule};
  }

  /// Numbers an access of a warp group that repeats one that was in order; it may be listed later. False,
  /// with nothing done, if the access does not repeat one, or there is no room.
  bool repeat(const GroupEvent& event) {
    if (!sequence_.repeats(event) || !log_.has_room(event.warps)) return false;
    note_repeated(log_.skip(event.warps));
    return true;
  }

  /// Ends the repetition before an access or barrier that repeats nothing.
  void stop_repeating() {
    if (!sequence_.is_repeated()) return;
    stamp_all();
    sequence_.stop_repeating();
  }
  /// Stamps of the last writes, from granule 0 on; valid after stop_repeating().
  const Stamp* written() const { return stamps_.data(); }
  /// True if one more load can be listed.
  bool has_room_for_group_read() const { return listed_.size() < kMostGroupReads; }
  /// Lists a load. All that it reads was written before the last barrier of all warps.
  void list_read(const ListedAccess& read) { listed_.push_back(read); }
  /// True if all that the block has done is in its recorded sequence.
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
  /// Gives stamps from number `birth` on the number 1, and clears lower ones.
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
  size_t last_barrier_ = 0;         // number of accesses that were listed before the last barrier
  std::vector<uint32_t> repeated_;  // [event that the block has repeated] number of the access
  GroupSequence sequence_;
};

}  // namespace lanescope::emulator
