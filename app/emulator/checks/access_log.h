// The accesses of a block in the order of their execution, and which of them happened before which. Method:
// an access gets the next number (stamp.h); the log says for each number which instruction and lanes it was.
// Numbers rise from block to block until there are too many, and then the stamps begin again from 1.
// Tests: tests/unit/emulator/race_test.cpp

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

  /// Whether the next block needs new numbers: every block has the same room for them. Stamps of before must
  /// be cleared then, and restart() called.
  bool is_used_up() const { return next_ > kMaximumNumbers; }
  /// Whether the block has made so many accesses that its stamps must be renumbered before the next.
  bool is_full() const { return next_ - birth_ >= kMaximumNumbers; }
  void restart() { next_ = 1; }
  /// All stamps of this block have become renumbered().
  void renumber();
  void begin_block();

  /// The stamp of one more access; without a lane.
  Stamp add(uint32_t step, uint32_t mask, uint32_t warp) {
    make_room();
    entries_.push_back({step, mask});
    return make_stamp(next_++, warp);
  }
  /// Whether that many accesses can be numbered at once.
  bool has_room(uint32_t count) const { return next_ - birth_ + count <= kMaximumNumbers; }
  /// One more access of a group: the number of the first warp's; those of the others follow.
  uint32_t add_group(const ListedAccess& access) {
    const uint32_t number = skip(access.warps);
    set_group(access, number);
    return number;
  }
  /// The number of the first of so many warps; entry_of() does not know the access before set_group().
  uint32_t skip(uint32_t warps) { return std::exchange(next_, next_ + warps); }
  void set_group(const ListedAccess& access, uint32_t number) {
    make_room();
    for (uint32_t warp = 0; warp < access.warps; ++warp)
      entries_[number - birth_ + warp] = {access.step, access.lanes_of(warp)};
  }

  uint32_t next() const { return next_; }    // number of the next access
  uint32_t birth() const { return birth_; }  // number of the block's first
  bool is_of_block(Stamp stamp) const { return number_of(stamp) >= birth_; }
  /// Of a stamp of this block.
  const NumberedAccess& entry_of(Stamp stamp) const { return entries_[number_of(stamp) - birth_]; }
  /// Findings::kNoStep where the access is not known.
  uint32_t step_of(Stamp stamp) const {
    const uint32_t number = number_of(stamp);
    return number >= birth_ && number - birth_ < entries_.size() ? entries_[number - birth_].step
                                                                 : Findings::kNoStep;
  }
  std::span<const NumberedAccess> entries() const { return entries_; }  // [number - birth]

  BlockOrder& order() { return order_; }
  const BlockOrder& order() const { return order_; }
  /// Whether the access of this stamp is known to have happened before what `warp` does now.
  bool is_past(Stamp stamp, uint32_t warp) const {
    return order_.is_past(number_of(stamp), warp_of(stamp), warp);
  }
  Limits limits(uint32_t warp) const {
    return {make_stamp(order_.met_all(), 0), make_stamp(order_.met_lanes(warp), 0), make_stamp(birth_, 0)};
  }

  /// Whether any Cells::read_too holds a read since the last barrier of all warps.
  bool has_second_readers() const { return second_read_ >= order_.met_all(); }
  void note_second_reader() { second_read_ = next_; }
  /// The access of stamp `mine` reads a granule: its cells remember that.
  void note_read(Cells cells, Stamp mine);

 private:
  // The highest number of all is kUnderWay.
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
