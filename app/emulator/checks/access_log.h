// The accesses of a block in the order of their execution, and which of them happened before which. Method:
// an access gets the next number (stamp.h); the log has the instruction and the lanes of each number. Numbers
// rise from block to block until there are too many, and then the stamps begin again from 1. Tests:
// tests/unit/emulator/race_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "emulator/checks/block_order.h"
#include "emulator/checks/findings.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/stamp.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::emulator {

class AccessLog {
 public:
  explicit AccessLog(uint32_t warps) : order_(warps) {}

  /// True if no numbers are left for the next block: a block has room for kMaximumNumbers accesses. The
  /// caller then clears all stamps and calls restart().
  bool is_used_up() const { return next_ > kMaximumNumbers; }
  /// True if the block has made so many accesses that its stamps must be renumbered before the next access.
  bool is_full() const { return next_ - birth_ >= kMaximumNumbers; }
  void restart() { next_ = 1; }
  /// Continues after the caller has replaced all stamps of this block by renumbered().
  void renumber();
  void begin_block();

  /// Numbers an access. Returns its stamp, without a lane.
  Stamp add(uint32_t step, uint32_t mask, uint32_t warp) {
    make_room();
    entries_.push_back({step, mask});
    return make_stamp(next_++, warp);
  }
  /// True if `count` accesses can be numbered at once.
  bool has_room(uint32_t count) const { return next_ - birth_ + count <= kMaximumNumbers; }
  /// Numbers an access of a warp group. Returns the number of the first warp's access; the numbers of the
  /// other warps follow.
  uint32_t add_group(const ListedAccess& access) {
    const uint32_t number = skip(access.warps);
    set_group(access, number);
    return number;
  }
  /// Reserves numbers for so many warps and returns the first. entry_of() has no access for them before
  /// set_group().
  uint32_t skip(uint32_t warps) { return std::exchange(next_, next_ + warps); }
  void set_group(const ListedAccess& access, uint32_t number) {
    make_room();
    for (uint32_t warp = 0; warp < access.warps; ++warp)
      entries_[number - birth_ + warp] = {access.step, access.lanes_of(warp)};
  }

  uint32_t next() const { return next_; }    // number of the next access
  uint32_t birth() const { return birth_; }  // number of the block's first
  bool is_of_block(Stamp stamp) const { return number_of(stamp) >= birth_; }
  /// Instruction and lanes of a stamp of this block.
  const NumberedAccess& entry_of(Stamp stamp) const { return entries_[number_of(stamp) - birth_]; }
  /// Step of the stamp's access; Findings::kNoStep where the access is not known.
  uint32_t step_of(Stamp stamp) const {
    const uint32_t number = number_of(stamp);
    return number >= birth_ && number - birth_ < entries_.size() ? entries_[number - birth_].step
                                                                 : Findings::kNoStep;
  }
  std::span<const NumberedAccess> entries() const { return entries_; }  // [number - birth]

  BlockOrder& order() { return order_; }
  const BlockOrder& order() const { return order_; }
  /// True if the access of this stamp is known to have happened before what `warp` does now.
  bool is_past(Stamp stamp, uint32_t warp) const {
    return order_.is_past(number_of(stamp), warp_of(stamp), warp);
  }
  Limits limits(uint32_t warp) const {
    return {make_stamp(order_.met_all(), 0), make_stamp(order_.met_lanes(warp), 0), make_stamp(birth_, 0)};
  }

  /// True if any Cells::read_too holds a read since the last barrier of all warps.
  bool has_second_readers() const { return second_read_ >= order_.met_all(); }
  void note_second_reader() { second_read_ = next_; }
  /// Stores in the cells of a granule that the access of stamp `mine` reads it.
  void note_read(Cells cells, Stamp mine);

 private:
  // A block that begins at this number may have as many accesses: all of them stay below kUnderWay.
  static constexpr size_t kMaximumNumbers = (size_t{1} << 19) - 1;

  void make_room() {
    if (entries_.size() < next_ - birth_) entries_.resize(next_ - birth_);
  }

  BlockOrder order_;
  uint32_t next_ = 1;
  uint32_t birth_ = 1;
  uint32_t second_read_ = 0;
  std::vector<NumberedAccess> entries_;  // [number - birth]; those that were skipped last are missing
};

}  // namespace lanescope::emulator
