#include "emulator/checks/checker.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {
namespace {

bool is_plain_store(const ptx::Step& step) { return step.op == ptx::Op::st; }
bool is_load_or_store(const ptx::Step& step) { return step.op == ptx::Op::ld || step.op == ptx::Op::st; }

/// Key of an address for the order of accesses: different for global and for shared memory.
uint64_t place_of(ptx::Space space, uint64_t address) {
  return space == ptx::Space::Global ? address : address | uint64_t{1} << 63;
}

bool is_local(ptx::Space space) { return space == ptx::Space::Local || space == ptx::Space::Frame; }

}  // namespace

Checker::Checker(const Code& code, const Memory& memory, const AccessTraits& traits, GridShadow* grid)
    : code_(code),
      memory_(memory),
      traits_(traits.bits),
      log_(code.warps),
      local_(code),
      shared_(code, log_),
      global_(code, memory),
      reporter_(code, memory, traits, log_),
      visits_(code, grid, traits.signals, log_, global_, reporter_),
      cluster_(code, log_, shared_, reporter_),
      copies_(log_, shared_, reporter_),
      synchronization_(code, traits.barriers_before_reads, reporter_) {}

void Checker::begin_block(CtaId block, Dim3 position, AsyncCopies& copies) {
  shared_.begin_block();
  copies_.begin_block(copies);
  if (log_.is_used_up()) {
    renumber(log_.next());
    log_.restart();
  }
  log_.begin_block();
  local_.begin_block();
  global_.begin_block();
  reporter_.begin_block(block, position);
  visits_.begin_block(block, position);
  cluster_.begin_block(position);
}

void Checker::end_block() {
  shared_.end_block();
  visits_.end_block();
  cluster_.end_block();
}

void Checker::pass_barrier() {
  log_.order().pass_all(log_.next());
  shared_.pass_barrier();
}

void Checker::fence(uint32_t warp, AccessObserver::Reach reach) {
  log_.order().fence(warp, log_.next());
  if (reach == AccessObserver::Reach::Block) return;
  cluster_.signal();
  visits_.fence(warp);
}

void Checker::release(ptx::Space space, uint64_t address, uint32_t warp) {
  log_.order().release(place_of(space, address), warp, log_.next(), true);
}

void Checker::acquire(ptx::Space space, uint64_t address, uint32_t warp) {
  log_.order().acquire(place_of(space, address), warp);
  pass_cluster();
}

void Checker::pass_cluster() {
  if (!cluster_.sees_signal()) return;
  pass_barrier();
  visits_.pass_cluster();
}

Checker::Care Checker::care(const Step& step) const {
  if (cluster_.is_joined()) return Care::Special;
  const uint8_t traits = traits_[step.site];
  if (step.kind == trace::Kind::Load || step.kind == trace::Kind::Store)
    return traits == 0 ? Care::Plain : Care::Special;
  const bool is_atomic = step.kind == trace::Kind::Atomic || step.kind == trace::Kind::Reduction;
  const bool orders = (traits & kIsFence) != 0 || visits_.has_fenced() || log_.order().has_fences();
  return is_atomic && !orders ? Care::Atomic : Care::Special;
}

Stamp Checker::number_access(const Step& step, uint32_t mask, uint32_t warp) {
  if (log_.is_full()) {
    renumber(log_.birth());
    log_.renumber();
    cluster_.signal();  // others' numbers of this block's accesses mean nothing any more
  }
  return log_.add(step.index, mask, warp);
}

/// Gives stamps from number `birth` on the number 1, and clears lower ones.
void Checker::renumber(uint32_t birth) {
  shared_.renumber(birth);
  copies_.renumber(birth);
  global_.renumber(birth);
}

bool Checker::check(const ObservedAccess& access) {
  pairs_.clear();
  cluster_.begin_access();
  if (is_local(access.space)) {
    check_local(access);
    return false;
  }
  const bool global = access.space == ptx::Space::Global;
  const bool remote = cluster_.is_remote(access);
  const Watch watch =
      !remote && global ? global_.watch(access.address[std::countr_zero(access.mask)]) : Watch::Everything;
  if (watch == Watch::Nothing) return false;
  if (watch == Watch::Heap && !stays_in_pieces(access)) return false;
  if (!remote && copies_.concern(access)) copies_.check(access);
  const uint8_t traits = traits_[access.step.site];
  const bool strong = (traits & kIsStrong) != 0;
  const bool is_fence = (traits & kIsFence) != 0;
  if (is_fence) cluster_.signal();
  const Stamp mine = number_access(access.step, access.mask, access.warp) | (strong ? kStrong : 0);
  if (remote) {
    cluster_.check_remote(access, mine, (traits & kOverwrites) != 0);
    return cluster_.has_pairs();
  }
  if (strong && doing_of(access) != Doing::Reading) {
    for_each_lane({access.mask}, [&](int lane) {
      log_.order().release(place_of(access.space, access.address[lane]), access.warp, log_.next(), is_fence);
    });
    visits_.signal(access, is_fence);
  }
  if (strong && global && doing_of(access) == Doing::Reading) {
    check_poll(access, mine);
  } else {
    for_each_lane({access.mask},
                  [&](int lane) { check_lane(access, lane, mine | static_cast<Stamp>(lane)); });
  }
  return !pairs_.empty() || cluster_.has_pairs();
}

/// Checks a strong read of global memory, as of a loop that polls. Mostly all lanes read one address: if the
/// first two find nothing, the others find nothing either and change no stamp.
void Checker::check_poll(const ObservedAccess& access, Stamp mine) {
  const uint64_t address = access.address[std::countr_zero(access.mask)];
  bool is_one = true;
  for_each_lane({access.mask}, [&](int lane) { is_one = is_one && access.address[lane] == address; });
  int lanes = 0;
  bool finds = false;
  for_each_lane({access.mask}, [&](int lane) {
    if (is_one && !finds && lanes == 2) return;
    finds = !check_lane(access, lane, mine | static_cast<Stamp>(lane)) || finds;
    ++lanes;
  });
}

/// True if each lane stays within a piece that malloc gave; reports lanes that do not.
bool Checker::stays_in_pieces(const ObservedAccess& access) {
  bool all = true;
  for_each_lane({access.mask}, [&](int lane) {
    const auto fault = memory_.heap().fault_at(access.address[lane], access.bytes);
    if (fault) reporter_.report_heap(access, lane, *fault);
    all = all && !fault;
  });
  return all;
}

/// Checks one lane of an access to global memory or to the block's shared memory. True if there was nothing
/// to report.
bool Checker::check_lane(const ObservedAccess& access, int lane, Stamp mine) {
  const bool global = access.space == ptx::Space::Global;
  const Doing what = doing_of(access);
  const int shift = granule_shift(access.space);
  const auto granules = static_cast<uint32_t>(granules_in(access.bytes, shift));
  const bool reads = what != Doing::Writing && !(traits_[access.step.site] & kOverwrites);
  const bool is_fresh = global && reads && shows_fresh(global_.watch(access.address[lane])) &&
                        memory_.is_unwritten(access.address[lane], access.bytes);
  uint32_t unwritten = 0;
  bool clean = true;
  const uint64_t first = access.address[lane] >> shift;
  for (uint64_t granule = first; granule < first + granules; ++granule) {
    const Cells cells = global ? global_.settled_cells_of(granule) : shared_.settled_cells_of(granule);
    if (cells.written == nullptr) {
      global_.note_overflow();
      continue;
    }
    clean = check_granule(access, lane, granule, cells, mine, unwritten) && clean;
    if (!global) cluster_.check_own(access, lane, granule, mine);
    const Stamp written = *cells.written;
    if (global && what != Doing::Reading && (mine & kStrong) && !(written & kStrong) &&
        log_.is_of_block(written))
      visits_.note_below_atomic(granule, {written, !global_.was_updated(granule)});
    update(cells, mine, what);
    if (global) global_.note(granule, what, (traits_[access.step.site] & kIsStrong) != 0);
  }
  if (is_fresh) unwritten = granules;
  if (unwritten != 0) reporter_.report_unwritten(access, lane, unwritten, granules);
  return clean && unwritten == 0;
}

/// Checks one granule of an access, and counts it in `unwritten` if it is uninitialized. True if no race was
/// found.
bool Checker::check_granule(const ObservedAccess& access, int lane, uint64_t granule, Cells cells, Stamp mine,
                            uint32_t& unwritten) {
  const Doing what = doing_of(access);
  const Stamp written = *cells.written;
  if (is_under_way(written)) {
    copies_.meet(access, lane, granule, written);
    return false;
  }
  const bool reads = what != Doing::Writing && !(traits_[access.step.site] & kOverwrites);
  if (reads && !log_.is_of_block(written) && !was_written_before(access, granule)) ++unwritten;
  const auto report = [&](Stamp other) {
    const Finding finding = warp_of(other) != access.warp         ? Finding::RaceOfWarps
                            : number_of(other) == number_of(mine) ? Finding::RaceInInstruction
                                                                  : Finding::RaceOfLanes;
    reporter_.report_race(access, finding, lane, granule << granule_shift(access.space), other);
  };
  if (conflicts(access, mine, written)) {
    const uint32_t step = log_.entry_of(written).step;
    if (what == Doing::Writing && step != Findings::kNoStep && is_plain_store(code_.program->steps[step])) {
      pairs_.push_back({lane, granule, written});
    } else {
      report(written);
    }
    return false;
  }
  if (what == Doing::Reading) return true;
  for (const Stamp read : {*cells.read, *cells.read_too}) {
    if (!conflicts(access, mine, read)) continue;
    report(read);
    return false;
  }
  return true;
}

/// True if the access is a race with the access of stamp `other`, as far as is known.
bool Checker::conflicts(const ObservedAccess& access, Stamp mine, Stamp other) const {
  if (!log_.is_of_block(other)) return false;
  const bool same_warp = warp_of(other) == access.warp;
  if (same_warp && lane_of(other) == lane_of(mine) && (other & kSeveralLanes) == 0) return false;
  if (mine & other & kStrong) {
    // Lanes that pass values to each other through volatile variables, in step, rely on being in step.
    if (!same_warp || number_of(other) == number_of(mine)) return false;
    const NumberedAccess& entry = log_.entry_of(other);
    if (entry.step == Findings::kNoStep || entry.mask != access.mask || std::popcount(entry.mask) == 1)
      return false;
    const ptx::Step& step = code_.program->steps[entry.step];
    if (!is_load_or_store(step) || !is_load_or_store(code_.program->steps[access.step.index])) return false;
    if (!(traits_[step.site] & traits_[access.step.site] & kIsVolatile)) return false;
  }
  return !log_.is_past(other, access.warp);
}

/// True if the granule may have been written by an earlier block, by another block of the cluster, or before
/// the kernel.
bool Checker::was_written_before(const ObservedAccess& access, uint64_t granule) const {
  if (access.space != ptx::Space::Global) return cluster_.was_written(granule);
  const uint64_t address = granule << global_.granule_shift();
  const Watch watch = global_.watch(address);
  if (was_written(watch)) return true;
  if (watch == Watch::Heap && memory_.heap().is_of_earlier_run(address)) return true;
  return memory_.may_be_written(trace::buffer_of(address)) && visits_.was_written(granule);
}

void Checker::update(Cells cells, Stamp mine, Doing what) {
  if (what == Doing::Reading) return log_.note_read(cells, mine);
  const Stamp old = *cells.written;
  if (is_under_way(old)) return;
  if (number_of(old) == number_of(mine) && lane_of(old) != lane_of(mine)) mine |= kSeveralLanes;
  // An atomic on top of a plain write does not order that write for the others.
  if ((mine & kStrong) && !(old & kStrong) && number_of(old) >= log_.order().met_all()) return;
  *cells.written = mine;
}

void Checker::compare_values(const ObservedAccess& access, const std::byte* values, uintptr_t data) {
  const WrittenValues written{access, values};
  const int shift = granule_shift(access.space);
  const size_t size = std::min<size_t>(size_t{1} << shift, access.bytes);
  for (const WritePair& pair : pairs_) {
    const uint64_t address = pair.granule << shift;
    const bool same_warp = warp_of(pair.other) == access.warp;
    const bool same_instruction = number_of(pair.other) == log_.next() - 1 && same_warp;
    const std::byte* const other = same_instruction
                                       ? written.at(static_cast<int>(lane_of(pair.other)), address)
                                       : reinterpret_cast<const std::byte*>(data + address);
    const bool equal = std::memcmp(written.at(pair.lane, address), other, size) == 0;
    if (equal && same_instruction) continue;  // defined: all write the same
    const Finding finding = equal              ? Finding::EqualValues
                            : same_instruction ? Finding::RaceInInstruction
                            : same_warp        ? Finding::RaceOfLanes
                                               : Finding::RaceOfWarps;
    reporter_.report_race(access, finding, pair.lane, address, pair.other);
  }
  cluster_.compare_values(access, written, data);
}

/// Orders the warp after the signals of this access, which acquires.
void Checker::acquire(const ObservedAccess& access) {
  if (is_local(access.space)) return;
  pass_cluster();
  if (log_.order().has_releases()) {
    for_each_lane({access.mask}, [&](int lane) {
      log_.order().acquire(place_of(access.space, access.address[lane]), access.warp);
    });
  }
  visits_.look_for_signals(access);
}

void Checker::check_local(const ObservedAccess& access) {
  const int shift = local_.granule_shift();
  const auto granules = static_cast<uint32_t>(granules_in(access.bytes, shift));
  for_each_lane({access.mask}, [&](int lane) {
    const uint32_t self = uint32_t{1} << lane;
    if (doing_of(access) != Doing::Writing) {
      uint32_t unwritten = 0;
      for (uint32_t n = 0; n < granules; ++n)
        unwritten += !local_.is_written(access.warp, access.address[lane] + (uint64_t{n} << shift), 1, self);
      if (unwritten != 0) reporter_.report_unwritten(access, lane, unwritten, granules);
    }
    if (doing_of(access) != Doing::Reading)
      local_.write(access.warp, access.address[lane], access.bytes, self);
  });
}

}  // namespace lanescope::emulator
