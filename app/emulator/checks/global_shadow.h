// What a block has accessed of global memory: stamps of its granules, in pages, and which buffers need them.
// Method: stores of whole groups that come before anything else are listed, and stamped only if something
// else follows; mostly the block ends first. Tests:
// tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/footprints.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/shadow_pages.h"
#include "emulator/checks/stamp.h"
#include "emulator/code.h"
#include "emulator/memory/memory.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// What the checks look for in a buffer.
/// Fresh: races, and reads of what the buffer's content shows to be uninitialized (fresh_memory.h).
/// Heap: everything, and each access lies in a live piece; never for a whole warp at once.
enum class Watch : uint8_t { Nothing, Races, Fresh, Everything, Heap };

class GlobalShadow {
 public:
  GlobalShadow(const Code& code, const Memory& memory);

  /// log2 of the bytes of a granule.
  static int granule_shift_of(const ptx::Program& program);
  int granule_shift() const { return shift_; }

  void begin_block() {
    pages_.begin();
    group_writes_.clear();
    is_touched_ = false;
  }

  /// Of the buffer that `address` is in.
  Watch watch(uint64_t address) const { return watch_[trace::buffer_of(address)]; }
  /// Stops checking the heap: which pieces were written, and by which threads, is no longer known.
  void ignore_heap();

  /// For an access.
  ShadowPages& pages() {
    is_touched_ = true;
    return visited_pages();
  }
  /// Null where the block accesses too much.
  ShadowPage* page(uint64_t key) { return pages().find(key); }
  Cells cells_of(uint64_t granule) {
    ShadowPage* const page = visited_pages().find(granule >> ShadowPage::kShift);
    return page != nullptr ? page->at(granule) : Cells{};
  }
  /// What the access does is noted in the page, for the other blocks. `is_strong`: atomic, volatile, ...
  void note(uint64_t granule, Doing doing, bool is_strong);

  /// Whether there were accesses since this was last asked.
  bool take_touched() { return std::exchange(is_touched_, false); }
  /// The pages as they are, for the visits of the grid.
  ShadowPages& visited_pages() {
    if (!group_writes_.empty()) stamp_group_writes();
    return pages_;
  }

  /// A store of a whole group, all that the block has accessed so far being such stores to other places.
  struct GroupWrite {
    ListedAccess access;
    const Footprint* footprint = nullptr;
  };
  /// Lists a store whose number is still to be set; null if it has to be stamped now.
  ListedAccess* list(const ListedAccess& access);
  const std::vector<GroupWrite>& group_writes() const { return group_writes_; }

  /// See Checker::change_spreads().
  void forget_spreads() { footprints_.forget_numbers(); }

  /// See SharedShadow::renumber().
  void renumber(uint32_t birth);
  void note_overflow() { overflowed_ = true; }
  /// Whether a block accessed more global memory than is checked.
  bool overflowed() const { return overflowed_; }

 private:
  static constexpr size_t kMostGroupWrites = 256;
  void stamp_group_writes();

  const Memory& memory_;
  uint32_t row_lanes_;
  int shift_;
  Footprints footprints_;
  std::vector<GroupWrite> group_writes_;
  uint64_t group_writes_begin_ = 0;  // their granules, and those between them, if there are any
  uint64_t group_writes_end_ = 0;
  ShadowPages pages_;
  std::vector<Watch> watch_;  // [buffer]
  bool is_touched_ = false;
  bool overflowed_ = false;
};

}  // namespace lanescope::emulator
