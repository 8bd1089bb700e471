#include "emulator/checks/global_shadow.h"

#include "emulator/checks/granules.h"

#include <algorithm>

namespace lanescope::emulator {

int GlobalShadow::granule_shift_of(const ptx::Program& program) {
  return emulator::granule_shift_of(program, trace::Space::Global);
}

GlobalShadow::GlobalShadow(const Code& code, const Memory& memory)
    : memory_(memory),
      row_lanes_(code.forms.row_lanes),
      shift_(granule_shift_of(*code.program)),
      footprints_(row_lanes_, shift_) {
  for (uint32_t buffer = 0; buffer < memory.buffers().size(); ++buffer) {
    const bool races = memory.may_be_written(buffer);
    watch_.push_back(!memory.is_initialized(buffer) ? Watch::Everything
                     : memory.has_fresh(buffer)     ? (races ? Watch::Fresh : Watch::Contents)
                     : races                        ? Watch::Races
                                                    : Watch::Nothing);
    // A look at all costs as much as that of these reads.
    fresh_reads_.push_back({.lanes = 0, .next_look = memory.buffers()[buffer].size_bytes / 32});
  }
  if (const uint64_t heap = memory.heap().begin(); heap != 0) watch_[trace::buffer_of(heap)] = Watch::Heap;
}

void GlobalShadow::look_at_all(uint32_t buffer) {
  FreshReads& reads = fresh_reads_[buffer];
  reads.next_look = 2 * reads.lanes + 1;
  if (memory_.is_all_written(buffer)) look_at_written();
}

/// Takes over which buffers have no uninitialized byte, as this or another worker found out.
void GlobalShadow::look_at_written() {
  all_written_count_ = memory_.all_written_count();
  for (uint32_t buffer = 0; buffer < watch_.size(); ++buffer) {
    Watch& watch = watch_[buffer];
    if (!shows_fresh(watch) || !memory_.was_all_written(buffer)) continue;
    watch = watch == Watch::Fresh ? Watch::Races : Watch::Nothing;
  }
}

void GlobalShadow::ignore_heap() { watch_[trace::buffer_of(memory_.heap().begin())] = Watch::Nothing; }

bool GlobalShadow::is_written(const Written& store) const {
  return std::ranges::any_of(written_, [&](const Written& other) {
    if (store.rows && other.rows) return overlap(*other.rows, *store.rows);
    if (store.rows) return overlap(*store.rows, *other.footprint, other.origin);
    if (other.rows) return overlap(*other.rows, *store.footprint, store.origin);
    return overlap(*other.footprint, *store.footprint, store.origin - other.origin);
  });
}

/// Adds a store to the rows beside which it lies, or as one more.
void GlobalShadow::note_written(const Written& store) {
  if (store.rows && !written_.empty() && written_.back().rows) {
    GranuleRows& rows = *written_.back().rows;
    const GranuleRows& more = *store.rows;
    const bool fits = more.rows == rows.rows && more.pitch == rows.pitch &&
                      (rows.pitch == 0 || rows.width + more.width <= rows.pitch);
    if (fits && more.first == rows.first + rows.width) {
      rows.width += more.width;
      return;
    }
  }
  written_.push_back(store);
}

ListedAccess* GlobalShadow::list(const ListedAccess& access) {
  if (pages_.size() != 0 || group_writes_.size() == kMostGroupWrites || written_.size() == kMostWritten)
    return nullptr;
  const Footprint* const footprint = footprints_.find(access);
  if (footprint == nullptr || !footprint->is_distinct) return nullptr;
  Written store{footprint->rows, footprint, static_cast<int64_t>(access.first >> shift_)};
  if (store.rows) store.rows->first += store.origin;
  const auto begin = static_cast<uint64_t>(store.origin + footprint->begin());
  const auto end = static_cast<uint64_t>(store.origin + footprint->end());
  const bool is_first = group_writes_.empty();
  if (!is_first && begin < group_writes_end_ && group_writes_begin_ < end && is_written(store))
    return nullptr;
  note_written(store);
  group_writes_begin_ = is_first ? begin : std::min(group_writes_begin_, begin);
  group_writes_end_ = is_first ? end : std::max(group_writes_end_, end);
  group_writes_.push_back({access, footprint});
  is_touched_ = true;
  return &group_writes_.back().access;
}

/// Stamps the listed stores, each with its number: the block has made no other access so far.
void GlobalShadow::stamp_group_writes() {
  for (const auto& [access, footprint] : group_writes_) {
    for_each_lane_of(access, row_lanes_, [&](uint32_t warp, uint32_t lane, uint64_t address) {
      for (uint64_t granule = address >> shift_; granule < (address + access.bytes) >> shift_; ++granule) {
        ShadowPage* const page = pages_.find(granule >> ShadowPage::kShift);
        if (page == nullptr) return note_overflow();
        const uint64_t n = granule % ShadowPage::kGranules;
        page->stamps->written[n] = make_stamp(access.number + warp, warp) | lane;
        page->was_written |= uint32_t{1} << n;
      }
    });
  }
  group_writes_.clear();
  written_.clear();
}

void GlobalShadow::note(uint64_t granule, Doing doing, bool is_strong) {
  ShadowPage* const page = this->page(granule >> ShadowPage::kShift);
  const uint32_t self = uint32_t{1} << granule % ShadowPage::kGranules;
  if (is_strong) {
    page->was_updated |= self;
  } else if (doing == Doing::Reading) {
    page->was_read |= self;
  } else {
    page->was_written |= self;
  }
}

bool GlobalShadow::was_updated(uint64_t granule) {
  const ShadowPage* const page = pages_.find(granule >> ShadowPage::kShift);
  return page != nullptr && page->was_updated >> granule % ShadowPage::kGranules & 1;
}

void GlobalShadow::renumber(uint32_t birth) {
  stamp_group_writes();
  pages_.for_each_ever([&](ShadowPage::Stamps& page) {
    for (auto* stamps : {&page.written, &page.read, &page.read_too})
      for (Stamp& stamp : *stamps) stamp = renumbered(stamp, birth);
  });
}

}  // namespace lanescope::emulator
