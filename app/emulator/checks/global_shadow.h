// Stamps of the granules of global memory that a block has accessed, in pages, and the checks that each
// buffer gets. Method: stores of whole warp groups that come before all other accesses are listed. They are
// stamped only if another access follows; mostly the block ends first. Tests:
// tests/unit/emulator/{race,grid_race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/footprints.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/shadow_pages.h"
#include "emulator/checks/stamp.h"
#include "emulator/memory/memory.h"
#include "emulator/values/code.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// Findings that the checks look for in a buffer.
/// Fresh: races, and reads of memory whose content shows that it is uninitialized (fresh_memory.h).
/// Contents: such reads alone, in a buffer that the kernel does not write.
/// Heap: everything, and accesses outside live pieces. Each lane of an access is checked alone.
enum class Watch : uint8_t { Nothing, Races, Fresh, Contents, Everything, Heap };

/// True if the content of the buffer shows uninitialized memory.
constexpr bool shows_fresh(Watch watch) { return watch == Watch::Fresh || watch == Watch::Contents; }
/// True if the buffer counts as written before the kernel, except what its content shows.
constexpr bool was_written(Watch watch) { return watch == Watch::Races || shows_fresh(watch); }

class GlobalShadow {
 public:
  GlobalShadow(const Code& code, const Memory& memory);

  /// log2 of the bytes of a granule.
  static int granule_shift_of(const ptx::Program& program);
  int granule_shift() const { return shift_; }

  void begin_block() {
    pages_.begin();
    group_writes_.clear();
    written_.clear();
    is_touched_ = false;
    if (all_written_count_ != memory_.all_written_count()) look_at_written();
  }

  /// Checks of the buffer that `address` is in.
  Watch watch(uint64_t address) const { return watch_[trace::buffer_of(address)]; }
  /// Counts reads by lanes of a buffer for which shows_fresh(), none of which was uninitialized. After some,
  /// the whole buffer is looked at once: if all of it is written, further reads need no look.
  void note_written_reads(uint64_t address, uint32_t lanes) {
    FreshReads& reads = fresh_reads_[trace::buffer_of(address)];
    reads.lanes += lanes;
    if (reads.lanes >= reads.next_look) look_at_all(trace::buffer_of(address));
  }
  /// Stops checking the heap: it may allocate freed pieces again, with stamps of their earlier owners.
  void ignore_heap();

  /// Pages for an access, which take_touched() reports.
  ShadowPages& pages() {
    is_touched_ = true;
    return visited_pages();
  }
  /// Page with this key, for an access; null if the block accesses too many pages.
  ShadowPage* page(uint64_t key) { return pages().find(key); }
  /// Stamps what is listed, and gives the stamps of the granule; empty if the block accesses too many pages.
  Cells settled_cells_of(uint64_t granule) {
    ShadowPage* const page = visited_pages().find(granule >> ShadowPage::kShift);
    return page != nullptr ? page->at(granule) : Cells{};
  }
  /// Marks the granule as accessed in its page, for the visits of GridShadow. `is_strong`: by an atomic or
  /// the like.
  void note(uint64_t granule, Doing doing, bool is_strong);
  /// True if the block has updated the granule by an atomic since its last visit.
  bool was_updated(uint64_t granule);

  /// True if there were accesses since the last call.
  bool take_touched() { return std::exchange(is_touched_, false); }
  /// Pages with all stores stamped, for the visits of GridShadow: no access is noted.
  ShadowPages& visited_pages() {
    if (!group_writes_.empty()) stamp_group_writes();
    return pages_;
  }

  /// Store of a warp group, before which the block has made only such stores, to other granules.
  struct GroupWrite {
    ListedAccess access;
    const Footprint* footprint = nullptr;
  };
  /// Lists a store, and returns it for the caller to set its number. Null if it must be stamped now.
  ListedAccess* list(const ListedAccess& access);
  const std::vector<GroupWrite>& group_writes() const { return group_writes_; }

  /// See Checker::change_spreads().
  void forget_spreads() { footprints_.forget_numbers(); }

  /// See SharedShadow::renumber().
  void renumber(uint32_t birth);
  void note_overflow() { overflowed_ = true; }
  /// True if a block accessed more global memory than is checked.
  bool overflowed() const { return overflowed_; }

 private:
  static constexpr size_t kMostGroupWrites = 4096;
  static constexpr size_t kMostWritten = 256;
  /// Granules of listed stores: of several that lie side by side in equal rows, or of one that is no rows.
  struct Written {
    std::optional<GranuleRows> rows;
    const Footprint* footprint = nullptr;
    int64_t origin = 0;  // granule of lane 0 of warp 0 of the store with this footprint
  };
  struct FreshReads {
    uint64_t lanes = 0, next_look = 0;
  };
  void look_at_all(uint32_t buffer);
  void look_at_written();
  bool is_written(const Written& store) const;
  void note_written(const Written& store);
  void stamp_group_writes();

  const Memory& memory_;
  uint32_t row_lanes_;
  int shift_;
  Footprints footprints_;
  std::vector<GroupWrite> group_writes_;
  std::vector<Written> written_;     // granules of group_writes_
  uint64_t group_writes_begin_ = 0;  // [begin, end) has the granules of all group_writes_
  uint64_t group_writes_end_ = 0;
  ShadowPages pages_;
  std::vector<Watch> watch_;             // [buffer]
  std::vector<FreshReads> fresh_reads_;  // [buffer]
  uint32_t all_written_count_ = 0;       // that look_at_written() saw
  bool is_touched_ = false;
  bool overflowed_ = false;
};

}  // namespace lanescope::emulator
