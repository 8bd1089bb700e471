#include "emulator/checks/grid_shadow.h"

#include "base/memory_size.h"
#include "base/relaxed_ref.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {
namespace {

/// Calls f(n) for each bit of the mask, in rising order.
template <class F>
void for_each_bit(uint32_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// Position of a write in the cells of its buffer.
struct CellPlace {
  uint64_t cell = 0;  // of lane 0 of warp 0
  const Footprint::InCells* in_cells = nullptr;

  CellPlace(const GlobalShadow::GroupWrite& write, int granule_shift) {
    const uint64_t granule = trace::offset_of(write.access.first) >> granule_shift;
    cell = granule / kCellGranules;
    in_cells = &write.footprint->in_cells[granule % kCellGranules];
  }
  Tile tile() const {
    Tile tile = *in_cells->tile;
    tile.first += cell;
    return tile;
  }
};

}  // namespace

GridShadow::GridShadow(const Memory& memory, int granule_shift, SpareBuffers& spare,
                       std::shared_ptr<const Suspects> suspects, bool one_worker)
    : memory_(memory),
      granule_shift_(granule_shift),
      wanted_(std::move(suspects)),
      one_worker_(one_worker),
      tiles_(memory.buffers().size()),
      tickets_(1) {
  const uint64_t most = maximum_bytes(memory);
  std::vector<uint64_t> counts;  // [buffer] cells
  uint64_t bytes = 0;
  for (uint32_t buffer = 0; buffer < memory.buffers().size(); ++buffer) {
    const uint64_t granules = (memory.buffers()[buffer].size_bytes >> granule_shift_) + 1;
    const uint64_t count = granules / kCellGranules + 1;
    const bool wanted = memory.may_be_written(buffer);
    const bool fits = bytes + count * sizeof(Cell) <= most;
    overflowed_ |= wanted && !fits;
    counts.push_back(wanted && fits ? count : 0);
    bytes += counts.back() * sizeof(Cell);
  }
  const auto cells_in = [](launch::Bytes& of) { return reinterpret_cast<Cell*>(of.data()); };
  if (memory.is_in_place()) {
    // A program may have allocated far more than the kernel touches: untouched memory costs no time.
    bytes_.push_back(std::make_shared<launch::Bytes>(memory_size(bytes)));
    Cell* next = cells_in(*bytes_.back());
    for (const uint64_t count : counts) {
      cells_.emplace_back(count == 0 ? nullptr : next, count);
      next += count;
    }
    return;
  }
  for (const uint64_t count : counts) {
    bytes_.push_back(count == 0 ? nullptr : spare.zeros(memory_size(count * sizeof(Cell))));
    cells_.emplace_back(count == 0 ? nullptr : cells_in(*bytes_.back()), count);
  }
}

GridShadow::~GridShadow() {
  for (size_t buffer = 0; buffer < bytes_.size(); ++buffer)
    if (tiles_[buffer].state() != WrittenTiles::State::InCells) SpareBuffers::note_zeros(bytes_[buffer]);
}

/// Cell of the granule; null if its buffer has no cells. The caller holds mutex_ alone.
GridShadow::Cell* GridShadow::cell_of(uint64_t granule) {
  const uint64_t address = granule << granule_shift_;
  const uint32_t buffer = trace::buffer_of(address);
  Cell* const cells = cells_of(buffer);
  if (cells == nullptr) return nullptr;
  if (tiles_[buffer].state() != WrittenTiles::State::InCells) lay_out(buffer);
  return cells + (trace::offset_of(address) >> granule_shift_) / kCellGranules;
}

/// Copies the tickets of a buffer's tiles to its cells, and uses only the cells from now on.
void GridShadow::lay_out(uint32_t buffer) {
  Cell* const cells = cells_of(buffer);
  tiles_[buffer].for_each_row([&](uint64_t first, uint32_t count, uint32_t ticket) {
    std::fill_n(cells + first, count, Cell{half_of(ticket, kAllOfCell), {}});
  });
  tiles_[buffer].use_cells();
}

bool GridShadow::clashes(uint32_t ticket, const Visit& visit) const {
  if (ticket == 0 || ticket == kSomeBlocks) return false;
  const Ticket& other = tickets_[ticket];
  if (other.block == visit.block) return false;
  if (!other.is_known) return true;
  if (ticket > visit.after_in_team) return ticket > visit.after;
  return ticket > visit.after && std::ranges::find(visit.team, other.block) == visit.team.end();
}

bool GridShadow::is_suspect(uint64_t page) const {
  return wanted_ && std::ranges::binary_search(wanted_->pages, page);
}

uint32_t GridShadow::visit(ShadowPages& pages, const Visit& visit, std::vector<Conflict>& conflicts) {
  const std::scoped_lock lock(mutex_);
  const uint32_t ticket = new_ticket(visit.block, visit.is_known);
  if (ticket == 0) {
    overflowed_ = true;
    return 0;
  }
  for (size_t n = 0; n < pages.size(); ++n) {
    ShadowPage& page = pages[n];
    const uint32_t all = page.was_written | page.was_read | page.was_updated;
    if (all == 0) continue;
    const uint64_t first = page.key << ShadowPage::kShift;
    Cell* cell = cell_of(first);
    const bool in_detail = is_suspect(page.key);
    for (uint32_t at = 0; cell != nullptr && at < ShadowPage::kGranules; at += kCellGranules, ++cell) {
      if (!(all >> at & kAllOfCell)) continue;
      const uint32_t written = page.was_written >> at & kAllOfCell;
      const uint32_t read = page.was_read >> at & kAllOfCell;
      const uint32_t updated = page.was_updated >> at & kAllOfCell;
      if (cell->is_empty() && updated == 0 && !in_detail) {
        if (written != 0) cell->written = half_of(ticket, written);
        if (read != 0) cell->read = half_of(ticket, read);
        continue;
      }
      const Touch touch{first + at, written, read, updated, &page};
      const bool apart = in_detail || touch.updated != 0 || cell->is_record();
      if (!apart && touch_cell(*cell, touch, visit, conflicts)) continue;
      if (!make_record(*cell)) continue;
      touch_record(records_[cell->written.ticket - 1], touch, visit, conflicts);
    }
    page.was_written = page.was_read = page.was_updated = 0;
  }
  return ticket;
}

/// Ticket of a new visit; 0 if there are too many.
uint32_t GridShadow::new_ticket(uint32_t block, bool is_known) {
  const std::scoped_lock lock(small_mutex_);
  if (tickets_.size() == kMaximumTickets) return 0;
  tickets_.push_back({block, is_known});
  return static_cast<uint32_t>(tickets_.size() - 1);
}

uint32_t GridShadow::visit(std::span<const GlobalShadow::GroupWrite> writes, uint32_t block) {
  if (wanted_) return 0;
  const std::shared_lock lock(mutex_);
  const uint32_t ticket = new_ticket(block, false);
  if (ticket == 0) return 0;
  for (size_t n = 0; n < writes.size(); ++n) {
    if (mark_write(writes[n], ticket)) continue;
    for (const GlobalShadow::GroupWrite& write : writes.first(n + 1)) unmark_write(write, ticket);
    return 0;
  }
  return ticket;
}

/// State of the tiles of a buffer that a warp group is about to write; the first write decides it. `tile`: of
/// the write, if it is one.
WrittenTiles::State GridShadow::state_of(uint32_t buffer, const std::optional<Tile>& tile) {
  WrittenTiles& tiles = tiles_[buffer];
  if (tiles.state() == WrittenTiles::State::Unused) {
    const std::scoped_lock lock(small_mutex_);
    if (tiles.state() != WrittenTiles::State::Unused) return tiles.state();
    if (tile) {
      tiles.begin(*tile, cells_[buffer].size());
    } else {
      tiles.use_cells();
    }
  }
  return tiles.state();
}

/// Marks the granules of a write as written by this ticket. False, perhaps with some marked, if another
/// ticket has one of their cells or the write is not a tile as the others are.
bool GridShadow::mark_write(const GlobalShadow::GroupWrite& write, uint32_t ticket) {
  const uint32_t buffer = trace::buffer_of(write.access.first);
  Cell* const cells = cells_of(buffer);
  if (cells == nullptr) return false;
  const CellPlace place(write, granule_shift_);
  if (state_of(buffer, place.in_cells->tile) == WrittenTiles::State::InTiles)
    return place.in_cells->tile && tiles_[buffer].claim(place.tile(), ticket);
  return std::ranges::all_of(place.in_cells->runs, [&](const Footprint::CellRun& run) {
    return mark_cells({cells + place.cell + run.first, run.count}, run.mask, ticket);
  });
}

// GridShadow::mutex_ orders accesses to cells.
bool GridShadow::mark_cells(std::span<Cell> cells, uint32_t mask, uint32_t ticket) {
  const Cell mine{half_of(ticket, mask), {}};
  if (one_worker_ && mask == kAllOfCell) {
    return std::ranges::all_of(cells, [&](Cell& cell) {
      const bool is_empty = std::bit_cast<uint64_t>(cell) == 0;
      if (is_empty) cell = mine;
      return is_empty;
    });
  }
  return std::ranges::all_of(cells, [&](Cell& cell) {
    Cell found{};
    if (RelaxedRef(cell).compare_exchange(found, mine)) return true;
    // Another of the block's stores may have written to other granules of the cell.
    if (found.written.ticket != ticket) return false;
    RelaxedRef(cell).store({half_of(ticket, found.written.mask | mask), {}});
    return true;
  });
}

/// Removes the marks of mark_write(), which may have marked only some granules.
void GridShadow::unmark_write(const GlobalShadow::GroupWrite& write, uint32_t ticket) {
  const uint32_t buffer = trace::buffer_of(write.access.first);
  Cell* const cells = cells_of(buffer);
  if (cells == nullptr) return;
  const CellPlace place(write, granule_shift_);
  if (tiles_[buffer].state() == WrittenTiles::State::InTiles) {
    if (place.in_cells->tile) tiles_[buffer].release(place.tile(), ticket);
    return;
  }
  for (const Footprint::CellRun& run : place.in_cells->runs)
    for (Cell& cell : std::span(cells + place.cell + run.first, run.count))
      if (RelaxedRef(cell).load().written.ticket == ticket) RelaxedRef(cell).store({});
}

void GridShadow::publish(std::span<const uint32_t> tickets) {
  if (tickets.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const uint32_t ticket : tickets) tickets_[ticket].is_known = ticket != 0;
}

/// Keeps only the granules, not the blocks, in a cell that several blocks read and none has written. False,
/// with nothing done, if a block has written the cell or this visit does, or if fences order blocks: then the
/// order of the reads decides whether a write may follow.
bool GridShadow::read_by_some(Cell& cell, const Touch& touch, const Visit& visit) {
  if (touch.written != 0 || visit.is_known || has_signals_) return false;
  if (cell.some_read()) {
    cell.written.mask |= touch.read & kAllOfCell;
    return true;
  }
  const bool only_read = cell.written.mask == 0 && cell.read.mask != 0;
  if (!only_read || tickets_[cell.read.ticket].is_known) return false;
  cell.written = half_of(kSomeBlocks, cell.read.mask | touch.read);
  cell.read = {};
  return true;
}

/// Compares a visit's accesses with the cell, and keeps them in it. False, with nothing done, if each granule
/// needs separate marks (a record).
bool GridShadow::touch_cell(Cell& cell, const Touch& touch, const Visit& visit,
                            std::vector<Conflict>& conflicts) {
  const auto ticket = static_cast<uint32_t>(tickets_.size() - 1);
  // True if the half can name this visit for its granules and for those of the mask.
  const auto takes = [&](const Half& half, uint32_t mask) {
    if (mask == 0 || half.mask == 0 || half.ticket == ticket) return true;
    const Ticket& other = tickets_[half.ticket];
    return other.block == visit.block && ((half.mask & ~mask) == 0 || other.is_known == visit.is_known);
  };
  if (cell.some_read()) return read_by_some(cell, touch, visit);
  if (!takes(cell.written, touch.written)) return false;
  if (!takes(cell.read, touch.read)) return read_by_some(cell, touch, visit);
  const auto look = [&](const Half& half, uint32_t mask, Doing doing) {
    if ((half.mask & mask) == 0 || !clashes(half.ticket, visit)) return;
    for_each_bit(half.mask & mask, [&](uint32_t n) {
      add(conflicts, touch, n, doing, Mark::of(half.ticket, kNoStep, 0), false, visit);
    });
  };
  look(cell.written, touch.read & ~touch.written, Doing::Reading);
  look(cell.read, touch.written, Doing::Writing);
  if (touch.written != 0) cell.written = half_of(ticket, cell.written.mask | touch.written);
  if (touch.read != 0) cell.read = half_of(ticket, cell.read.mask | touch.read);
  return true;
}

/// Replaces the marks of the cell by a record, which has separate ones for each granule. False if there is no
/// room.
bool GridShadow::make_record(Cell& cell) {
  if (cell.is_record()) return true;
  if (records_.size() == kMaximumRecords) {
    overflowed_ = true;
    return false;
  }
  Record& record = records_.emplace_back();
  if (cell.some_read()) std::swap(cell.written, cell.read);
  for_each_bit(cell.written.mask,
               [&](uint32_t n) { record.written[n] = Mark::of(cell.written.ticket, kNoStep, 0); });
  for_each_bit(cell.read.mask, [&](uint32_t n) { record.read[n] = Mark::of(cell.read.ticket, kNoStep, 0); });
  cell = {};
  cell.written = half_of(static_cast<uint32_t>(records_.size()), 0);
  return true;
}

/// Stamp of the block's last access of this kind to the n-th granule of `touch`.
Stamp GridShadow::stamp_of(const Touch& touch, uint32_t n, Doing doing, const Visit& visit) {
  const uint64_t at = touch.first % ShadowPage::kGranules + n;
  const Stamp written = touch.page->stamps->written[at];
  const Stamp read = touch.page->stamps->read[at];
  if (doing == Doing::Writing) {
    const auto below = visit.below_atomics->find(touch.first + n);
    return (written & kStrong) && below != visit.below_atomics->end() ? below->second.stamp : written;
  }
  if (doing == Doing::Reading) return read;
  const bool read_last = number_of(read) > number_of(written);
  return (read & kStrong) && (read_last || !(written & kStrong)) ? read : written;
}

GridShadow::Mark GridShadow::mark_of(const Touch& touch, uint32_t n, Doing doing, const Visit& visit) const {
  const Stamp stamp = stamp_of(touch, n, doing, visit);
  uint32_t step = kNoStep;
  if (number_of(stamp) >= visit.birth && number_of(stamp) - visit.birth < visit.log.size())
    step = visit.log[number_of(stamp) - visit.birth].step;
  return Mark::of(static_cast<uint32_t>(tickets_.size() - 1), std::min(step, kNoStep),
                  warp_of(stamp) * 32 + lane_of(stamp));
}

/// True if the block made its plain access after its own atomic access to the granule.
bool GridShadow::is_behind_update(const Record& record, const Touch& touch, uint32_t n, Doing doing,
                                  const Visit& visit) const {
  const uint64_t at = touch.first % ShadowPage::kGranules + n;
  const Stamp written = touch.page->stamps->written[at];
  const auto below = visit.below_atomics->find(touch.first + n);
  const bool has_updated_before =
      is_of(record.updated[n], visit.block) || is_of(record.updated_too[n], visit.block);
  // A plain write keeps its stamp below an atomic that no barrier separates from it.
  const bool is_first = below != visit.below_atomics->end() && below->second.is_first &&
                        below->second.stamp == written && !has_updated_before;
  const bool writes_behind = written & kStrong ? below == visit.below_atomics->end() : !is_first;
  if (doing == Doing::Writing) return writes_behind;
  return (written & kStrong) && writes_behind && number_of(written) < number_of(touch.page->stamps->read[at]);
}

bool GridShadow::is_of(Mark mark, uint32_t block) const {
  return mark.ticket() != 0 && mark.ticket() != kSomeBlocks && tickets_[mark.ticket()].block == block;
}

void GridShadow::touch_record(Record& record, const Touch& touch, const Visit& visit,
                              std::vector<Conflict>& conflicts) {
  // Sets the mark of the last access. `before` is the mark of the last other block.
  const auto leave = [&](Mark& last, Mark& before, Mark mark) {
    const bool is_other =
        last.ticket() == kSomeBlocks || (last.ticket() != 0 && tickets_[last.ticket()].block != visit.block);
    if (is_other && before.ticket() != kSomeBlocks) before = last;
    last = mark;
  };
  for_each_bit(touch.written | touch.read | touch.updated, [&](uint32_t n) {
    const bool writes = touch.written >> n & 1;
    const bool updates = touch.updated >> n & 1;
    const bool reads = touch.read >> n & 1;
    const Doing doing = writes ? Doing::Writing : reads ? Doing::Reading : Doing::Updating;
    bool told = false;  // one conflict for each granule of a visit
    const auto look = [&](Mark other, bool equal_values) {
      if (other.ticket() == kSomeBlocks) found_.insert(touch.page->key);
      if (told || !clashes(other.ticket(), visit)) return;
      add(conflicts, touch, n, doing, other, equal_values, visit);
      told = true;
    };
    const bool equal =
        is_suspect(touch.page->key) && (writes || updates) && takes_same_value(touch.first + n);
    look(record.written[n], equal && writes && !reads);
    if ((writes || reads) && !(updates && is_behind_update(record, touch, n, doing, visit))) {
      look(record.updated[n], false);
      // If the last update is this block's, earlier updates of other blocks are past for this block.
      if (!is_of(record.updated[n], visit.block)) look(record.updated_too[n], false);
    }
    if (writes || updates)
      for (const Mark other : {record.read[n], record.read_too[n]}) look(other, false);
    if (writes) record.written[n] = mark_of(touch, n, Doing::Writing, visit);
    if (reads) leave(record.read[n], record.read_too[n], mark_of(touch, n, Doing::Reading, visit));
    if (updates) leave(record.updated[n], record.updated_too[n], mark_of(touch, n, Doing::Updating, visit));
  });
}

/// True if the granule holds the value of the last call for it, or there was none. Keeps the value for the
/// next call. A run with suspects executes blocks in order, with one worker: so this block wrote the value.
bool GridShadow::takes_same_value(uint64_t granule) {
  const uint64_t address = granule << granule_shift_;
  const Region& region = memory_.buffers()[trace::buffer_of(address)];
  const uint64_t offset = trace::offset_of(address);
  std::array<std::byte, 16> value{};
  std::memcpy(value.data(), region.data + offset,
              static_cast<size_t>(std::min<uint64_t>(
                  {value.size(), uint64_t{1} << granule_shift_, region.size_bytes - offset})));
  const auto [found, is_new] = values_.emplace(granule, value);
  const bool same = is_new || found->second == value;
  found->second = value;
  return same;
}

void GridShadow::add(std::vector<Conflict>& conflicts, const Touch& touch, uint32_t n, Doing doing,
                     Mark other, bool equal_values, const Visit& visit) {
  found_.insert(touch.page->key);
  if (wanted_ && !is_suspect(touch.page->key)) return;
  conflicts.push_back({.granule = touch.first + n,
                       .mine = stamp_of(touch, n, doing, visit),
                       .other_block = tickets_[other.ticket()].block,
                       .other_step = other.step(),
                       .other_thread = other.thread(),
                       .equal_values = equal_values});
}

bool GridShadow::was_written(uint64_t granule) {
  const std::scoped_lock lock(mutex_);
  const Cell* const cell = cell_of(granule);
  if (cell == nullptr) return overflowed_;  // true if it may have been
  const uint32_t n = granule % kCellGranules;
  if (cell->some_read()) return false;
  if (!cell->is_record()) return cell->written.mask >> n & 1;
  const Record& record = records_[cell->written.ticket - 1];
  return record.written[n].ticket() != 0 || record.updated[n].ticket() != 0;
}

uint32_t GridShadow::now() {
  const std::scoped_lock lock(mutex_);
  return static_cast<uint32_t>(tickets_.size() - 1);
}

void GridShadow::signal(uint64_t place, uint32_t block) {
  const std::scoped_lock lock(mutex_);
  has_signals_ = true;
  const auto [found, is_new] = signals_.emplace(place, Signal{block, false});
  found->second.several |= found->second.block != block;
}

bool GridShadow::sees_signal(uint64_t place, uint32_t block) {
  const std::scoped_lock lock(mutex_);
  const auto found = signals_.find(place);
  return found != signals_.end() && (found->second.several || found->second.block != block);
}

std::shared_ptr<const Suspects> GridShadow::suspects() {
  if (found_.empty()) return nullptr;
  auto suspects = std::make_shared<Suspects>();
  suspects->pages.assign(found_.begin(), found_.end());
  std::ranges::sort(suspects->pages);
  if (suspects->pages.size() > Suspects::kMaximum) suspects->pages.resize(Suspects::kMaximum);
  return suspects;
}

}  // namespace lanescope::emulator
