// Data races between blocks in global memory. Method: when a block ends, or publishes its writes with a
// fence, its accesses are compared with those that other blocks have left here, under one lock; blocks that
// only write where no other has accessed anything mark tiles (written_tiles.h) or cells at the same time.
// Eight granules share a cell as long as one block wrote and one block read them; then each gets a separate
// record. A visit of a block has a ticket, in the order of visits. A block that sees a signal of another one
// (an atomic or volatile write after a fence) counts as later than all visits that a fence has ended so far:
// better a race that is not found than a false alarm. For granules that several blocks read and none writes,
// as most inputs are, the blocks are not kept: if one is written later, the second run decides. The races
// that are found do not depend on the order in which blocks run, unless the blocks' addresses do. The blocks
// that are named in a race depend on it: so pages with a race are listed as suspects, and a second run, in
// order, keeps the accesses to these pages in detail. Tests: tests/unit/emulator/grid_race_test.cpp

#pragma once

#include "emulator/checks/global_shadow.h"
#include "emulator/checks/shadow_pages.h"
#include "emulator/checks/stamp.h"
#include "emulator/checks/suspects.h"
#include "emulator/checks/written_tiles.h"
#include "emulator/memory/memory.h"
#include "emulator/memory/spare_buffers.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lanescope::emulator {

class GridShadow {
 public:
  /// Most bytes that the cells of all buffers may take.
  static constexpr uint64_t kMaximumBytes = uint64_t{512} << 20;
  /// Most bytes of the cells where buffers outlive the run. Only cells that are touched take memory then.
  static constexpr uint64_t kMaximumBytesInPlace = uint64_t{4} << 30;
  static uint64_t maximum_bytes(const Memory& memory) {
    return memory.is_in_place() ? kMaximumBytesInPlace : kMaximumBytes;
  }
  static constexpr uint32_t kNoStep = 0x3fffffff;

  /// `spare`: memory for the cells. `suspects`: found by an earlier run; null in the first. `one_worker`: no
  /// two blocks run at the same time.
  GridShadow(const Memory& memory, int granule_shift, SpareBuffers& spare,
             std::shared_ptr<const Suspects> suspects, bool one_worker);
  ~GridShadow();
  GridShadow(const GridShadow&) = delete;
  GridShadow& operator=(const GridShadow&) = delete;

  /// A block's plain write to a granule, followed by an atomic of the block.
  struct BelowAtomic {
    Stamp stamp = 0;
    bool is_first = false;  // no atomic of the block preceded the write since its last visit
  };
  /// A block's accesses since its last visit.
  struct Visit {
    uint32_t block = 0;
    uint32_t after = 0;     // visits up to this ticket are past if a fence has ended them
    bool is_known = false;  // a fence ends the visit
    std::span<const NumberedAccess> log;
    uint32_t birth = 0;              // number of log[0]
    std::span<const uint32_t> team;  // blocks of its cluster
    uint32_t after_in_team = 0;      // like `after`, for visits of the team
    const std::unordered_map<uint64_t, BelowAtomic>* below_atomics = nullptr;  // [granule]
  };
  /// Race of two blocks at one granule. The other block's step is kNoStep where it was not kept in detail.
  struct Conflict {
    uint64_t granule = 0;
    Stamp mine = 0;
    uint32_t other_block = 0;
    uint32_t other_step = kNoStep;
    uint32_t other_thread = 0;
    bool equal_values = false;  // both wrote the same value; set only in detail
  };
  /// Compares the accesses in `pages` with those of other blocks, and keeps them. Clears the masks of the
  /// pages, appends races to `conflicts`. Returns the visit's ticket; 0 if there are too many.
  uint32_t visit(ShadowPages& pages, const Visit& visit, std::vector<Conflict>& conflicts);

  /// Keeps the accesses of a block that has made only these stores, no two of them to one granule. Returns
  /// the ticket. Returns 0, with nothing kept, if another visit has accessed their cells or the run has
  /// suspects: then the stores need the other visit().
  uint32_t visit(std::span<const GlobalShadow::GroupWrite> writes, uint32_t block);

  /// Notes that a fence has ended the visits with these tickets after all.
  void publish(std::span<const uint32_t> tickets);

  /// True if a visit of any block has written to the granule, or if that is not known.
  bool was_written(uint64_t granule);
  /// The ticket of the last visit.
  uint32_t now();
  /// Notes a signal of a block at address `place`: a write after a fence that other blocks may wait for.
  void signal(uint64_t place, uint32_t block);
  /// True if a read of the block at address `place` may have seen a signal of another block.
  bool sees_signal(uint64_t place, uint32_t block);
  bool has_signals() const { return has_signals_; }

  /// Pages with races, for the next run; null if there are none.
  std::shared_ptr<const Suspects> suspects();
  /// True if accesses were not compared: buffers were too large, or there were too many visits or records.
  bool overflowed() const { return overflowed_; }

 private:
  static constexpr uint32_t kMaximumTickets = (1u << 24) - 1;
  static constexpr uint32_t kSomeBlocks = kMaximumTickets;  // in place of a ticket: blocks that are not kept
  static constexpr uint32_t kMaximumRecords = 1u << 20;

  /// Ticket of an access, with its step and thread if they are kept in detail.
  struct Mark {
    uint64_t bits = 0;
    static Mark of(uint32_t ticket, uint32_t step, uint32_t thread) {
      return {uint64_t{step} << 34 | uint64_t{thread} << 24 | ticket};
    }
    uint32_t ticket() const { return static_cast<uint32_t>(bits) & 0xffffff; }
    uint32_t thread() const { return static_cast<uint32_t>(bits >> 24) % 1024; }
    uint32_t step() const { return static_cast<uint32_t>(bits >> 34); }
  };
  /// Granules of a cell that one ticket accessed. If `mask` is 0 and `ticket` is not, `ticket` is the number
  /// of a record. If the ticket of Cell::written is kSomeBlocks, its mask names granules that some blocks
  /// read, and Cell::read is empty.
  struct Half {
    uint32_t ticket : 24 = 0;
    uint32_t mask : 8 = 0;
  };
  static constexpr Half half_of(uint32_t ticket, uint32_t mask) {
    Half half;
    half.ticket = ticket & 0xffffff;
    half.mask = mask & 0xff;
    return half;
  }
  struct alignas(uint64_t) Cell {
    Half written;
    Half read;
    bool is_empty() const { return written.ticket == 0 && read.ticket == 0; }
    bool is_record() const { return written.mask == 0 && written.ticket != 0; }
    bool some_read() const { return written.mask != 0 && written.ticket == kSomeBlocks; }
  };
  static_assert(sizeof(Cell) == 8);
  /// Last accesses to each granule of a cell: the last write, and the reads and updates of the last two
  /// blocks.
  struct Record {
    std::array<Mark, kCellGranules> written, read, read_too, updated, updated_too;
  };
  struct Ticket {
    uint32_t block = 0;
    bool is_known = false;
  };
  /// Accesses of a visit to the granules of one cell.
  struct Touch {
    uint64_t first = 0;                           // granule
    uint32_t written = 0, read = 0, updated = 0;  // masks
    const ShadowPage* page = nullptr;
  };

  Cell* cell_of(uint64_t granule);
  Cell* cells_of(uint32_t buffer) const { return cells_[buffer].data(); }
  WrittenTiles::State state_of(uint32_t buffer, const std::optional<Tile>& tile);
  void lay_out(uint32_t buffer);
  bool mark_write(const GlobalShadow::GroupWrite& write, uint32_t ticket);
  bool mark_cells(std::span<Cell> cells, uint32_t mask, uint32_t ticket);
  void unmark_write(const GlobalShadow::GroupWrite& write, uint32_t ticket);
  uint32_t new_ticket(uint32_t block, bool is_known);
  bool clashes(uint32_t ticket, const Visit& visit) const;
  bool read_by_some(Cell& cell, const Touch& touch, const Visit& visit);
  bool touch_cell(Cell& cell, const Touch& touch, const Visit& visit, std::vector<Conflict>& conflicts);
  void touch_record(Record& record, const Touch& touch, const Visit& visit, std::vector<Conflict>& conflicts);
  bool make_record(Cell& cell);
  void add(std::vector<Conflict>& conflicts, const Touch& touch, uint32_t n, Doing doing, Mark other,
           bool equal_values, const Visit& visit);
  bool takes_same_value(uint64_t granule);
  static Stamp stamp_of(const Touch& touch, uint32_t n, Doing doing, const Visit& visit);
  Mark mark_of(const Touch& touch, uint32_t n, Doing doing, const Visit& visit) const;
  bool is_behind_update(const Record& record, const Touch& touch, uint32_t n, Doing doing,
                        const Visit& visit) const;
  bool is_of(Mark mark, uint32_t block) const;
  bool is_suspect(uint64_t page) const;

  const Memory& memory_;
  int granule_shift_;
  std::shared_ptr<const Suspects> wanted_;  // null in the first run
  bool one_worker_;
  bool overflowed_ = false;
  std::atomic<bool> has_signals_ = false;
  std::shared_mutex mutex_;                            // shared: adds tickets, marks empty cells
  std::mutex small_mutex_;                             // while mutex_ is shared: tickets_, states of tiles_
  std::vector<std::shared_ptr<launch::Bytes>> bytes_;  // of the cells
  std::vector<std::span<Cell>> cells_;                 // [buffer]; empty where nothing is written
  std::vector<WrittenTiles> tiles_;                    // [buffer]
  std::deque<Record> records_;                         // number 1 is the first
  std::vector<Ticket> tickets_;                        // [ticket]; 0 is none
  std::unordered_set<uint64_t> found_;                 // pages
  struct Signal {
    uint32_t block = 0;
    bool several = false;
  };
  std::unordered_map<uint64_t, Signal> signals_;                    // [place]
  std::unordered_map<uint64_t, std::array<std::byte, 16>> values_;  // [granule] of suspects, as last written
};

}  // namespace lanescope::emulator
