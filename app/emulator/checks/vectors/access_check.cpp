#include "emulator/checks/vectors/access_check.h"

#include "emulator/checks/vectors/fresh_read.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// 1 if nothing orders the access of stamp `mine` after the access of `stamp`, which another lane made; else
/// 0.
[[gnu::always_inline]] inline uint32_t clashes(Stamp stamp, Stamp mine, const Limits& limits) {
  const Stamp difference = stamp ^ mine;
  const Stamp limit = difference & kWarpOfStamp ? limits.of_other_warps : limits.of_own_lanes;
  const bool is_another =
      ((difference & (kWarpOfStamp | kLaneOfStamp)) | ((stamp | mine) & kSeveralLanes)) != 0;
  return (is_another & (stamp >= limit)) ? 1 : 0;
}

/// Result of stamp(). Yes: all granules are in order and were stamped. Shared: all are in order, but some
/// keep the read stamp of another warp.
enum class Passed : uint8_t { No, Yes, Shared };

/// Stamps `count` granules: granule n by lane (n + skipped) >> shift. Explicit vectors: the compiler alone
/// writes them one by one.
[[gnu::always_inline]] inline void write_stamps(Stamp* to, uint32_t count, uint32_t skipped, int shift,
                                                Stamp mine) {
  using Part [[gnu::vector_size(kVectorBytes)]] = Stamp;
  constexpr uint32_t kPart = sizeof(Part) / sizeof(Stamp);
  Part places;
  for (uint32_t l = 0; l < kPart; ++l) places[l] = l + skipped;
  uint32_t n = 0;
  for (; n + kPart <= count; n += kPart, places += kPart) {
    const Part stamps = mine | places >> shift;
    __builtin_memcpy(to + n, &stamps, sizeof stamps);
  }
  for (; n < count; ++n) to[n] = mine | (n + skipped) >> shift;
}

/// Checks and stamps `count` granules. Granule n is accessed by lane (n + skipped) >> shift. Leaves read_too
/// to the caller.
template <trace::Kind kind>
[[gnu::always_inline]] inline Passed stamp(Checker& checker, Cells cells, uint32_t count, uint32_t skipped,
                                           int shift, Stamp mine, const Limits& limits) {
  // Mostly nothing has happened here since the last barrier.
  Stamp latest = 0;
  Stamp oldest = ~Stamp{0};
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    const Stamp written = cells.written[n];
    const Stamp read = cells.read[n];
    latest = latest > written ? latest : written;
    latest = latest > read ? latest : read;
    oldest = oldest < written ? oldest : written;
  }
  if (latest < limits.of_other_warps && latest < limits.of_own_lanes) {
    if (kind == trace::Kind::Store && !checker.log().has_second_readers()) {
      write_stamps(cells.written, count, skipped, shift, mine);
      return Passed::Yes;
    }
    if (kind == trace::Kind::Load && oldest >= limits.of_block) {
      write_stamps(cells.read, count, skipped, shift, mine);
      return Passed::Yes;
    }
  }
  uint32_t wrong = 0;
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    const Stamp now = mine | (n + skipped) >> shift;
    wrong |= clashes(cells.written[n], now, limits);
    if constexpr (kind == trace::Kind::Store) {
      wrong |= clashes(cells.read[n], now, limits);
    } else {
      wrong |= cells.written[n] < limits.of_block ? 1 : 0;
    }
  }
  if (kind == trace::Kind::Store && checker.log().has_second_readers()) {
    for (uint32_t n = 0; n < count; ++n)
      wrong |= clashes(cells.read_too[n], mine | (n + skipped) >> shift, limits);
  }
  if (wrong != 0) return Passed::No;
  if constexpr (kind == trace::Kind::Store) {
    write_stamps(cells.written, count, skipped, shift, mine);
    return Passed::Yes;
  }
  uint32_t others = 0;
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    const Stamp now = mine | (n + skipped) >> shift;
    const Stamp old = cells.read[n];
    const Stamp difference = old ^ now;
    const bool same_warp = (difference & kWarpOfStamp) == 0;
    const bool stays = !same_warp & (old >= limits.of_other_warps);
    // Only plain reads matter here, so a strong one is not remembered as well.
    const bool several = same_warp & (old >= limits.of_own_lanes) & ((old & kStrong) == 0) &
                         ((difference & (kLaneOfStamp | kSeveralLanes)) != 0);
    others |= stays ? 1 : 0;
    cells.read[n] = stays ? old : now | (several ? kSeveralLanes : 0);
  }
  return others != 0 ? Passed::Shared : Passed::Yes;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline bool pass(Checker& checker, Cells cells, uint32_t count, uint32_t skipped,
                                        int shift, Stamp mine, const Limits& limits) {
  const Passed passed = stamp<kind>(checker, cells, count, skipped, shift, mine, limits);
  if (passed != Passed::Shared) return passed == Passed::Yes;
  checker.log().note_second_reader();
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    const Stamp now = mine | (n + skipped) >> shift;
    cells.read_too[n] = (cells.read[n] ^ now) & kWarpOfStamp ? now : cells.read_too[n];
  }
  return true;
}

/// Calls f(lane) for all lanes, each on its own: the compiler would make one scatter of what they write,
/// which takes several times as long as single writes.
template <class F>
[[gnu::always_inline]] inline void for_each_alone(F&& f) {
#pragma GCC unroll 8
  for (uint32_t l = 0; l < kLanes; ++l) {
    f(l);
    asm volatile("" ::: "memory");
  }
}

/// Addresses of the lanes' stamps: `written` is at at[lane], `read` one `pitch` after it, and `read_too` two.
struct StampPlaces {
  Stamp* at[kLanes];
  size_t pitch = 0;
};

/// Checks and stamps one granule for each lane, where the granules are not side by side.
template <trace::Kind kind>
[[gnu::always_inline]] inline bool pass_apart(Checker& checker, Stamp mine, const Limits& limits,
                                              const StampPlaces& places) {
  alignas(64) Stamp written[kLanes];
  alignas(64) Stamp read[kLanes];
  alignas(64) Stamp read_too[kLanes];
  const size_t pitch = places.pitch;
  const bool second = kind == trace::Kind::Store && checker.log().has_second_readers();
  for (uint32_t l = 0; l < kLanes; ++l) {
    const Stamp* const here = places.at[l];
    written[l] = *here;
    read[l] = here[pitch];
    if (second) read_too[l] = here[2 * pitch];
  }
  const Passed passed = stamp<kind>(checker, {written, read, read_too}, kLanes, 0, 0, mine, limits);
  if (passed == Passed::No) return false;
  if constexpr (kind == trace::Kind::Store) {
    for_each_alone([&](uint32_t l) { *places.at[l] = written[l]; });
    return true;
  }
  for_each_alone([&](uint32_t l) { places.at[l][pitch] = read[l]; });
  if (passed != Passed::Shared) return true;
  checker.log().note_second_reader();
  uint32_t others = 0;  // lanes that read what another warp has read
  for (uint32_t l = 0; l < kLanes; ++l) others |= uint32_t{((read[l] ^ mine) & kWarpOfStamp) != 0} << l;
  if (others == kAllLanes.bits) {
    for_each_alone([&](uint32_t l) { places.at[l][2 * pitch] = mine | l; });
  } else {
    for_each_lane({others}, [&](int l) { places.at[l][2 * pitch] = mine | static_cast<Stamp>(l); });
  }
  return true;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline bool check_shared(Checker& checker, const Step& step, uint64_t base,
                                                int64_t stride, uint32_t bytes, uint32_t warp) {
  const int shift = checker.granule_shift(ptx::Space::Shared);
  const int per_lane = std::countr_zero(bytes) - shift;  // log2
  const Stamp mine = checker.number_access(step, kAllLanes.bits, warp);
  const Limits limits = checker.log().limits(warp);
  const Cells all = checker.shared().settled_cells();
  const auto cells_at = [&](uint64_t address) {
    const uint64_t granule = address >> shift;
    return Cells{all.written + granule, all.read + granule, all.read_too + granule};
  };
  if (stride == bytes) {
    const Cells cells = cells_at(base);
    if (per_lane == 0) return pass<kind>(checker, cells, kLanes, 0, 0, mine, limits);
    return pass<kind>(checker, cells, uint32_t{kLanes} << per_lane, 0, per_lane, mine, limits);
  }
  if (stride == 0) {
    if (kind == trace::Kind::Store) return false;  // the lanes write to one address
    return pass<kind>(checker, cells_at(base), 1u << per_lane, 0, per_lane, mine | kSeveralLanes, limits);
  }
  StampPlaces places;
  places.pitch = static_cast<size_t>(all.read - all.written);
  for (uint64_t n = 0; n < uint64_t{1} << per_lane; ++n) {
    const uint64_t first = base + (n << shift);
    for (uint32_t l = 0; l < kLanes; ++l)
      places.at[l] = all.written + ((first + static_cast<uint64_t>(stride) * l) >> shift);
    if (!pass_apart<kind>(checker, mine, limits, places)) return false;
  }
  return true;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline void note_page(ShadowPage& page, uint32_t granules) {
  (kind == trace::Kind::Store ? page.was_written : page.was_read) |= granules;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline bool check_global(Checker& checker, const Step& step, uint64_t base,
                                                int64_t stride, uint32_t bytes, uint32_t warp) {
  const Watch watch = checker.global().watch(base);
  if (watch == Watch::Nothing) return true;
  if (watch == Watch::Heap) return false;
  if (kind == trace::Kind::Load && shows_fresh(watch) && !reads_written(checker, base, stride, bytes))
    return false;
  if (watch == Watch::Contents) return true;
  const int shift = checker.granule_shift(ptx::Space::Global);
  const int per_lane = std::countr_zero(bytes) - shift;
  const Stamp mine = checker.number_access(step, kAllLanes.bits, warp);
  Limits limits = checker.log().limits(warp);
  if (was_written(watch)) limits.of_block = 0;
  if (stride == bytes) {
    uint64_t granule = base >> shift;
    const uint32_t count = uint32_t{kLanes} << per_lane;
    for (uint32_t done = 0; done < count;) {
      ShadowPage* const page = checker.global().page(granule >> ShadowPage::kShift);
      if (page == nullptr) return false;
      const auto room = static_cast<uint32_t>(ShadowPage::kGranules - granule % ShadowPage::kGranules);
      const uint32_t now = count - done < room ? count - done : room;
      const bool passed = now == kLanes && per_lane == 0
                              ? pass<kind>(checker, page->at(0), kLanes, 0, 0, mine, limits)
                              : pass<kind>(checker, page->at(granule), now, done, per_lane, mine, limits);
      if (!passed) return false;
      note_page<kind>(*page, kAllLanes.bits >> (ShadowPage::kGranules - now)
                                                   << granule % ShadowPage::kGranules);
      granule += now;
      done += now;
    }
    return true;
  }
  if (stride == 0) return false;
  StampPlaces places;
  places.pitch = ShadowPage::kGranules;
  for (uint64_t n = 0; n < uint64_t{1} << per_lane; ++n) {
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint64_t granule = (base + (n << shift) + static_cast<uint64_t>(stride) * l) >> shift;
      ShadowPage* const page = checker.global().page(granule >> ShadowPage::kShift);
      if (page == nullptr) return false;
      const uint64_t place = granule % ShadowPage::kGranules;
      note_page<kind>(*page, uint32_t{1} << place);
      places.at[l] = page->stamps->written + place;
    }
    if (!pass_apart<kind>(checker, mine, limits, places)) return false;
  }
  return true;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline bool check_in_space(Checker& checker, const Step& step, uint64_t base,
                                                  int64_t stride, uint32_t bytes, uint32_t warp) {
  switch (step.space) {
    case ptx::Space::Global:
      return check_global<kind>(checker, step, base, stride, bytes, warp);
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return check_shared<kind>(checker, step, base, stride, bytes, warp);
    case ptx::Space::Frame:
      if (kind == trace::Kind::Load) return true;
      [[fallthrough]];
    case ptx::Space::Local:
      if (stride != 0) return false;
      if constexpr (kind == trace::Kind::Store) {
        checker.local().write(warp, base, bytes, kAllLanes.bits);
        return true;
      }
      return checker.local().is_written(warp, base, bytes, kAllLanes.bits);
    default:
      return true;
  }
}

/// The cells of the lanes of an access, and what they hold.
struct LaneCells {
  Stamp* at[kLanes];  // `written` of the lane's granule; `read` and `read_too` are one and two
                      // `pitch` after it
  size_t pitch = 0;
  alignas(64) Stamp written[kLanes];
  alignas(64) Stamp read[kLanes];
  alignas(64) Stamp read_too[kLanes];
};

/// Calls f(lane) for the lanes of the mask. A full mask, the most frequent one, is a plain loop.
template <class F>
[[gnu::always_inline]] inline void for_each_of(uint32_t mask, F&& f) {
  if (mask == kAllLanes.bits) {
#pragma GCC unroll 4
    for (int l = 0; l < kLanes; ++l) f(l);
  } else {
    for_each_lane({mask}, f);
  }
}

/// Calls f(lane) for the lanes of the mask, from the last lane to the first.
template <class F>
[[gnu::always_inline]] inline void for_each_of_reversed(uint32_t mask, F&& f) {
  if (mask == kAllLanes.bits) {
    for_each_alone([&](uint32_t l) { f(kLanes - 1 - l); });
  } else {
    for (uint32_t rest = mask; rest != 0;) {
      const auto lane = static_cast<uint32_t>(31 - std::countl_zero(rest));
      rest &= ~(uint32_t{1} << lane);
      f(lane);
    }
  }
}

/// Finds the cells of the lanes' granules in global memory; `skipped`: offset from a lane's first granule.
/// False if the block accesses too much. If `notes` is not null, marks the granules there in their pages: if
/// the access is not in order, Checker::check() makes the same marks.
[[gnu::always_inline]] inline bool find_global(Checker& checker, const ObservedAccess& access,
                                               uint64_t skipped, uint32_t ShadowPage::* notes,
                                               LaneCells& cells) {
  const int shift = checker.granule_shift(access.space);
  ShadowPages& pages = checker.global().pages();
  ShadowPages::Table table = pages.table();
  cells.pitch = ShadowPage::kGranules;
  bool found = true;
  for_each_of(access.mask, [&](int l) {
    const uint64_t granule = (access.address[l] >> shift) + skipped;
    const uint64_t key = granule >> ShadowPage::kShift;
    ShadowPage* page = table.find(key);
    if (page == nullptr) [[unlikely]] {
      page = pages.find(key);
      table = pages.table();
      found = found && page != nullptr;
      if (page == nullptr) return;
    }
    const uint64_t n = granule % ShadowPage::kGranules;
    if (notes != nullptr) page->*notes |= uint32_t{1} << n;
    cells.at[l] = page->stamps->written + n;
  });
  return found;
}

/// Finds the cells of the lanes' granules in shared memory, where every granule has cells. `skipped`: offset
/// from a lane's first granule.
[[gnu::always_inline]] inline void find_shared(Checker& checker, const ObservedAccess& access,
                                               uint64_t skipped, LaneCells& cells) {
  const int shift = checker.granule_shift(access.space);
  const Cells shared = checker.shared().settled_cells();
  cells.pitch = static_cast<size_t>(shared.read - shared.written);
  for_each_of(access.mask,
              [&](int l) { cells.at[l] = shared.written + (access.address[l] >> shift) + skipped; });
}

/// Reads what the cells hold; inactive lanes get a stamp that conflicts with nothing.
[[gnu::always_inline]] inline void read_cells(Checker& checker, const ObservedAccess& access, Stamp mine,
                                              LaneCells& cells) {
  if (access.mask != kAllLanes.bits)
    for (uint32_t l = 0; l < kLanes; ++l) cells.written[l] = cells.read[l] = cells.read_too[l] = mine | l;
  const size_t pitch = cells.pitch;
  // A load does not need read_too, which is in a separate cache line.
  const bool second = access.step.kind != trace::Kind::Load && checker.log().has_second_readers();
  for_each_of(access.mask, [&](int l) {
    const Stamp* const here = cells.at[l];
    cells.written[l] = *here;
    cells.read[l] = here[pitch];
  });
  if (second) for_each_of(access.mask, [&](int l) { cells.read_too[l] = cells.at[l][2 * pitch]; });
}

/// Writes `stamps` to the cells' `written`, `read` or `read_too`, from the last lane to the first: a cell of
/// several lanes keeps the first lane's stamp.
[[gnu::always_inline]] inline void write_cells(uint32_t mask, const Stamp* stamps, const LaneCells& cells,
                                               size_t offset) {
  for_each_of_reversed(mask, [&](uint32_t l) { cells.at[l][offset] = stamps[l]; });
}

/// Writes `stamps` by write_cells(), and marks the cells of several lanes. True if there are any.
[[gnu::always_inline]] inline bool scatter(uint32_t mask, const Stamp* stamps, const LaneCells& cells,
                                           size_t offset) {
  write_cells(mask, stamps, cells, offset);
  Stamp changed = 0;
  for_each_of(mask, [&](int l) { changed |= cells.at[l][offset] ^ stamps[l]; });
  if ((changed & kLaneOfStamp) == 0) return false;
  for_each_lane({mask}, [&](int l) {
    if ((cells.at[l][offset] ^ stamps[l]) & kLaneOfStamp) cells.at[l][offset] |= kSeveralLanes;
  });
  return true;
}

template <trace::Kind kind>
[[gnu::always_inline]] inline bool check_plain_lanes(Checker& checker, const ObservedAccess& access,
                                                     Stamp mine, const Limits& limits, LaneCells& cells) {
  alignas(64) Stamp old[kLanes];
  if constexpr (kind == trace::Kind::Store) __builtin_memcpy(old, cells.written, sizeof old);
  const Passed passed =
      stamp<kind>(checker, {cells.written, cells.read, cells.read_too}, kLanes, 0, 0, mine, limits);
  if (passed == Passed::No) return false;
  if constexpr (kind == trace::Kind::Store) {
    if (!scatter(access.mask, cells.written, cells, 0)) return true;
    // Several lanes write to one granule: Checker has to compare their values.
    for_each_lane({access.mask}, [&](int l) { *cells.at[l] = old[l]; });
    return false;
  }
  if (passed == Passed::Shared) {
    checker.log().note_second_reader();
    // A read stamp of another warp stays, and this warp's stamp goes to read_too.
    for (uint32_t l = 0; l < kLanes; ++l) {
      const bool is_second = ((cells.read[l] ^ mine) & kWarpOfStamp) != 0;
      cells.at[l] += is_second ? cells.pitch : 0;
      cells.read[l] = is_second ? mine | l : cells.read[l];
    }
  }
  scatter(access.mask, cells.read, cells, cells.pitch);
  return true;
}

/// Atomics do not race with each other; what remains is to find plain accesses that race with them. `own`:
/// stamps of this block begin here.
[[gnu::always_inline]] inline bool check_atomic_lanes(const Checker& checker, const ObservedAccess& access,
                                                      Stamp mine, const Limits& limits, Stamp own,
                                                      LaneCells& cells) {
  const bool global = access.space == ptx::Space::Global;
  const Stamp plain_limit = global ? own : limits.of_other_warps;
  const auto is_plain = [](Stamp stamp) { return (stamp & kStrong) == 0 ? 1u : 0u; };
  uint32_t wrong = 0;
  for (uint32_t l = 0; l < kLanes; ++l) {
    const Stamp written = cells.written[l];
    wrong |= written < limits.of_block ? 1u : 0u;
    wrong |= is_plain(written) & (written >= plain_limit ? 1u : 0u);
    wrong |= is_plain(cells.read[l]) & clashes(cells.read[l], mine | l, limits);
  }
  if (checker.log().has_second_readers())
    for (uint32_t l = 0; l < kLanes; ++l)
      wrong |= is_plain(cells.read_too[l]) & clashes(cells.read_too[l], mine | l, limits);
  if (wrong != 0) return false;
  // From the last lane to the first, whose stamp stays. Most accesses have cells of several lanes, and a
  // branch would not predict which, so there is none.
  for_each_of_reversed(access.mask, [&](uint32_t l) {
    Stamp& cell = *cells.at[l];
    const bool again = ((cell ^ mine) & ~(kLaneOfStamp | kSeveralLanes)) == 0;
    cell = mine | l | (again ? kSeveralLanes : 0);
  });
  return true;
}

}  // namespace

bool check_whole_warp(Checker& checker, const Step& step, uint64_t base, int64_t stride, uint32_t bytes,
                      uint32_t warp) {
  if (checker.checks_alone(step) || checker.copies().concern(step.space, step.kind, base)) return false;
  if (step.kind == trace::Kind::Load)
    return check_in_space<trace::Kind::Load>(checker, step, base, stride, bytes, warp);
  return step.kind == trace::Kind::Store &&
         check_in_space<trace::Kind::Store>(checker, step, base, stride, bytes, warp);
}

bool check_lanes(Checker& checker, const ObservedAccess& access) {
  const Checker::Care care = checker.care(access.step);
  const bool global = access.space == ptx::Space::Global;
  const bool shared = access.space == ptx::Space::Shared || access.space == ptx::Space::SharedCluster;
  if (care == Checker::Care::Special || (!global && !shared) || checker.copies().concern(access))
    return false;
  const auto watch =
      global ? checker.global().watch(access.address[std::countr_zero(access.mask)]) : Watch::Everything;
  if (watch == Watch::Nothing) return true;
  if (watch == Watch::Heap) return false;
  if (shows_fresh(watch) && access.step.kind != trace::Kind::Store &&
      !reads_written(checker, access.mask, [&](int lane) { return access.address[lane]; }))
    return false;
  if (watch == Watch::Contents) return true;
  const bool atomic = care == Checker::Care::Atomic;
  const Stamp mine = checker.number_access(access.step, access.mask, access.warp) | (atomic ? kStrong : 0u);
  Limits limits = checker.log().limits(access.warp);
  const Stamp own = limits.of_block;
  if (was_written(watch)) limits.of_block = 0;
  const int per_lane = std::countr_zero(access.bytes) - checker.granule_shift(access.space);
  const bool writes = access.step.kind == trace::Kind::Store;
  uint32_t ShadowPage::* const notes = atomic   ? nullptr
                                       : writes ? &ShadowPage::was_written
                                                : &ShadowPage::was_read;
  LaneCells cells;
  for (uint64_t n = 0; n < uint64_t{1} << per_lane; ++n) {
    if (global) {
      if (!find_global(checker, access, n, notes, cells)) return false;
    } else {
      find_shared(checker, access, n, cells);
    }
    read_cells(checker, access, mine, cells);
    const bool passed = atomic   ? check_atomic_lanes(checker, access, mine, limits, own, cells)
                        : writes ? check_plain_lanes<trace::Kind::Store>(checker, access, mine, limits, cells)
                                 : check_plain_lanes<trace::Kind::Load>(checker, access, mine, limits, cells);
    if (!passed) return false;
    // Marked only now: Checker::check() asks for the atomics before this one.
    if (atomic && global)
      for_each_of(access.mask, [&](int l) {
        checker.global().note((access.address[l] >> checker.granule_shift(access.space)) + n, Doing::Updating,
                              true);
      });
  }
  return true;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
