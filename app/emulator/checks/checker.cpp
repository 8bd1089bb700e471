#include "emulator/checks/checker.h"

#include <algorithm>
#include <bit>

namespace lanescope::emulator {
namespace {

// Accesses of a block before its stamps are numbered anew: then what came before counts as ordered.
constexpr size_t kMaximumNumbers = size_t{1} << 19;

bool is_plain_store(const ptx::Step& step) { return step.op == ptx::Op::st; }
bool is_load_or_store(const ptx::Step& step) { return step.op == ptx::Op::ld || step.op == ptx::Op::st; }

/// log2 of the narrowest access that the program makes to this space.
int granule_shift_of(const ptx::Program& program, trace::Space space) {
  int shift = 4;
  for (const ptx::MemorySite& site : program.sites)
    if (site.operation.space == space && site.operation.bytes_per_lane != 0)
      shift = std::min(shift, std::countr_zero(site.operation.bytes_per_lane));
  return shift;
}

size_t granules_in(uint64_t bytes, int shift) { return (bytes + (uint64_t{1} << shift) - 1) >> shift; }

}  // namespace

int Checker::global_granule_shift(const ptx::Program& program) {
  return granule_shift_of(program, trace::Space::Global);
}

Checker::Checker(const Code& code, const Memory& memory, const AccessTraits& traits, GridShadow* grid)
    : code_(code),
      memory_(memory),
      order_(code.warps),
      shared_shift_(granule_shift_of(*code.program, trace::Space::Shared)),
      global_shift_(global_granule_shift(*code.program)),
      local_shift_(granule_shift_of(*code.program, trace::Space::Local)),
      shared_granules_(granules_in(code.shared_bytes, shared_shift_)),
      shared_stamps_(3 * shared_granules_),
      local_written_(granules_in(code.program->local_bytes, local_shift_) * code.warps),
      traits_(traits.bits),
      is_ahead_(traits.is_ahead),
      grid_(grid),
      signals_(traits.signals) {
  for (uint32_t buffer = 0; buffer < memory.buffers().size(); ++buffer) {
    const bool races = memory.may_be_written(buffer);
    watch_.push_back(!memory.is_initialized(buffer) ? Watch::Everything
                     : races                        ? Watch::Races
                                                    : Watch::Nothing);
  }
}

void Checker::ignore_heap() { watch_[trace::buffer_of(memory_.heap().begin())] = Watch::Nothing; }

void Checker::begin_block(CtaId block, Dim3 position) {
  block_ = block;
  position_ = position;
  // Every block has the same room for its numbers, whichever blocks its worker had before.
  if (next_ > kMaximumNumbers) {
    birth_ = next_;
    renumber();
    next_ = 1;
  }
  birth_ = next_;
  log_.clear();
  order_.begin(next_);
  second_read_ = 0;
  after_ = 0;
  fenced_ = touched_global_ = false;
  open_.clear();
  pages_.begin();
  replaced_.clear();
  std::ranges::fill(local_written_, 0u);
  epoch_birth_ = next_;
  if (cluster_ != nullptr) begin_in_cluster();
}

void Checker::end_block() {
  visit_grid(false);
  if (cluster_ != nullptr) end_in_cluster();
}

void Checker::fence(uint32_t warp) {
  order_.fence(warp, next_);
  fenced_ = true;
  signal_cluster();
  if (signals_) publish(warp);
}

/// Holds what this block has accessed against what others have. `is_known`: behind a fence.
void Checker::visit_grid(bool is_known) {
  if (grid_ == nullptr || !touched_global_) return;
  touched_global_ = false;
  conflicts_.clear();
  GridShadow::Visit visit{block_.value, after_, is_known, log_, birth_, {}, 0, &replaced_};
  if (cluster_ != nullptr) {
    visit.team = team_;
    visit.after_in_team = after_in_cluster_;
  }
  const uint32_t ticket = grid_->visit(pages_, visit, conflicts_);
  if (!is_known) open_.push_back(ticket);
  for (const GridShadow::Conflict& conflict : conflicts_) report_blocks(conflict);
}

/// A fence of this warp: what it knows of, others may know of from now on.
void Checker::publish(uint32_t warp) {
  if (grid_ == nullptr) return;
  hold_back(warp);
  visit_grid(true);
  give_back();
  grid_->publish(open_);
  open_.clear();
}

bool Checker::is_unknown(Stamp stamp, uint32_t warp) const {
  const uint32_t number = number_of(stamp);
  return number >= birth_ && warp_of(stamp) != warp && !order_.is_past(number, warp_of(stamp), warp);
}

void Checker::hold_back(uint32_t warp) {
  held_.clear();
  for (size_t n = 0; n < pages_.size(); ++n) {
    ShadowPage& page = pages_[n];
    HeldBack held{n};
    for (uint32_t rest = page.was_written | page.was_read | page.was_updated; rest != 0; rest &= rest - 1) {
      const auto at = static_cast<uint32_t>(std::countr_zero(rest));
      const uint32_t self = uint32_t{1} << at;
      const Cells cells = page.at(at);
      const bool read = is_unknown(*cells.read, warp) || is_unknown(*cells.read_too, warp);
      const bool written = is_unknown(*cells.written, warp);
      if (written) held.written |= self;
      if (read) held.read |= self;
      if (read || written) held.updated |= self;
    }
    held.written &= page.was_written;
    held.read &= page.was_read;
    held.updated &= page.was_updated;
    if ((held.written | held.read | held.updated) == 0) continue;
    page.was_written &= ~held.written;
    page.was_read &= ~held.read;
    page.was_updated &= ~held.updated;
    held_.push_back(held);
  }
}

void Checker::give_back() {
  for (const HeldBack& held : held_) {
    ShadowPage& page = pages_[held.page];
    page.was_written |= held.written;
    page.was_read |= held.read;
    page.was_updated |= held.updated;
    touched_global_ = true;
  }
}

/// An atomic or volatile write that other blocks may wait for.
void Checker::signal_grid(const CheckedAccess& access) {
  if (grid_ == nullptr || access.space != ptx::Space::Global) return;
  if (traits_[access.step.site] & kIsFence) {
    fenced_ = true;
    publish(access.warp);
  }
  if (!fenced_) return;
  for_each_lane({access.mask}, [&](int lane) { grid_->signal(access.address[lane], block_.value); });
}

Stamp Checker::number_access(const Step& step, uint32_t mask, uint32_t warp) {
  if (log_.size() >= kMaximumNumbers) {
    renumber();
    signal_cluster();  // others' numbers of this block's accesses mean nothing any more
  }
  log_.push_back({step.index, mask});
  return make_stamp(next_++, warp);
}

/// Makes all stamps of this block its first, and those of others none.
void Checker::renumber() {
  const auto renumbered = [this](Stamp& stamp) {
    stamp = number_of(stamp) < birth_ ? 0 : make_stamp(1, 0) | (stamp & (make_stamp(1, 0) - 1));
  };
  std::ranges::for_each(shared_stamps_, renumbered);
  pages_.for_each_ever([&](ShadowPage::Stamps& page) {
    for (auto* stamps : {&page.written, &page.read, &page.read_too})
      std::ranges::for_each(*stamps, renumbered);
  });
  birth_ = 1;
  next_ = 2;
  log_.assign(1, {Findings::kNoStep, 0});
  order_.begin(next_);
  second_read_ = 0;
}

Checker::Care Checker::care(const Step& step) const {
  if (cluster_ != nullptr) return Care::Special;
  const uint8_t traits = traits_[step.site];
  if (step.kind == trace::Kind::Load || step.kind == trace::Kind::Store)
    return traits == 0 ? Care::Plain : Care::Special;
  const bool is_atomic = step.kind == trace::Kind::Atomic || step.kind == trace::Kind::Reduction;
  const bool orders = (traits & kIsFence) != 0 || fenced_ || order_.has_fences();
  return is_atomic && !orders ? Care::Atomic : Care::Special;
}

Doing Checker::doing(const CheckedAccess& access) const {
  const bool shared = access.space != ptx::Space::Global;
  switch (access.step.kind) {
    case trace::Kind::Load:
      return Doing::Reading;
    case trace::Kind::Store:
      return Doing::Writing;
    case trace::Kind::AsyncCopy:
      return shared ? Doing::Writing : Doing::Reading;
    default:
      return Doing::Updating;
  }
}

Cells Checker::shared_cells_of(uint64_t granule) {
  const Cells first = shared_cells();
  return {first.written + granule, first.read + granule, first.read_too + granule};
}

Cells Checker::cells_of(const CheckedAccess& access, uint64_t granule) {
  if (access.space != ptx::Space::Global) return shared_cells_of(granule);
  ShadowPage* const page = pages_.find(granule >> ShadowPage::kShift);
  if (page == nullptr) return {};
  return page->at(granule);
}

/// By an earlier block, another one of the cluster, or before the kernel.
bool Checker::was_written_before(const CheckedAccess& access, uint64_t granule) {
  if (access.space != ptx::Space::Global) return cluster_ != nullptr && cluster_->was_written(rank_, granule);
  const uint32_t buffer = trace::buffer_of(granule << global_shift_);
  if (watch_[buffer] == Watch::Races) return true;
  return grid_ != nullptr && memory_.may_be_written(buffer) && grid_->was_written(granule);
}

void Checker::note_page(const CheckedAccess& access, uint64_t granule) {
  if (access.space != ptx::Space::Global) return;
  ShadowPage* const page = global_page(granule >> ShadowPage::kShift);
  const uint32_t self = uint32_t{1} << granule % ShadowPage::kGranules;
  if (traits_[access.step.site] & kIsStrong) {
    page->was_updated |= self;
  } else if (doing(access) == Doing::Reading) {
    page->was_read |= self;
  } else {
    page->was_written |= self;
  }
}

bool Checker::check(const CheckedAccess& access) {
  pairs_.clear();
  block_pairs_.clear();
  if (access.space == ptx::Space::Local || access.space == ptx::Space::Frame) {
    check_local(access);
    return false;
  }
  if (access.rank != 0 && access.rank - 1 != rank_) return check_remote(access);
  const bool global = access.space == ptx::Space::Global;
  if (global && watch(access.address[std::countr_zero(access.mask)]) == Watch::Nothing) return false;
  const uint8_t traits = traits_[access.step.site];
  const Doing what = doing(access);
  if (traits & kIsFence) signal_cluster();
  const Stamp mine =
      number_access(access.step, access.mask, access.warp) | (traits & kIsStrong ? kStrong : 0);
  if (traits & kIsStrong && what != Doing::Reading)
    for_each_lane({access.mask}, [&](int lane) {
      order_.release(place_of(access.space, access.address[lane]), access.warp, next_,
                     (traits & kIsFence) != 0);
    });
  if (traits & kIsStrong && what != Doing::Reading) signal_grid(access);
  const int shift = granule_shift(access.space);
  const auto granules = static_cast<uint32_t>(granules_in(access.bytes, shift));
  for_each_lane({access.mask}, [&](int lane) {
    uint32_t unwritten = 0;
    const uint64_t first = access.address[lane] >> shift;
    for (uint64_t granule = first; granule < first + granules; ++granule) {
      const Cells cells = cells_of(access, granule);
      if (cells.written == nullptr) {
        overflowed_ = true;
        continue;
      }
      visit(access, lane, granule, cells, mine | static_cast<Stamp>(lane), unwritten);
      if (cluster_ != nullptr && !global)
        compare_with_others(access, lane, granule, mine | static_cast<Stamp>(lane), *this);
      const Stamp written = *cells.written;
      if (global && what != Doing::Reading && (mine & kStrong) && !(written & kStrong) &&
          number_of(written) >= birth_)
        replaced_[granule] = written;
      update(cells, mine | static_cast<Stamp>(lane), what);
      note_page(access, granule);
    }
    if (unwritten != 0) report_unwritten(access, lane, unwritten, granules);
  });
  return !pairs_.empty() || !block_pairs_.empty();
}

void Checker::visit(const CheckedAccess& access, int lane, uint64_t granule, Cells cells, Stamp mine,
                    uint32_t& unwritten) {
  const Doing what = doing(access);
  const Stamp written = *cells.written;
  const bool reads = what != Doing::Writing && !(traits_[access.step.site] & kOverwrites);
  if (reads && number_of(written) < birth_ && !was_written_before(access, granule)) ++unwritten;
  const auto finding_of = [&](Stamp other) {
    if (warp_of(other) != access.warp) return Finding::RaceOfWarps;
    return number_of(other) == number_of(mine) ? Finding::RaceInInstruction : Finding::RaceOfLanes;
  };
  if (conflicts(access, mine, written)) {
    const uint32_t step = entry_of(written).step;
    if (what == Doing::Writing && step != Findings::kNoStep && is_plain_store(code_.program->steps[step])) {
      pairs_.push_back({lane, granule, written});
    } else {
      report_race(access, finding_of(written), lane, granule, written);
    }
    return;
  }
  if (what == Doing::Reading) return;
  for (const Stamp read : {*cells.read, *cells.read_too}) {
    if (!conflicts(access, mine, read)) continue;
    report_race(access, finding_of(read), lane, granule, read);
    return;
  }
}

/// Whether the access must not follow the one of stamp `other` as things are.
bool Checker::conflicts(const CheckedAccess& access, Stamp mine, Stamp other) const {
  if (number_of(other) < birth_) return false;
  const bool same_warp = warp_of(other) == access.warp;
  if (same_warp && lane_of(other) == lane_of(mine) && (other & kSeveralLanes) == 0) return false;
  if (mine & other & kStrong) {
    // Lanes that pass values to each other through volatile variables, in step, rely on being in step.
    if (!same_warp || access.space == ptx::Space::Global || number_of(other) == number_of(mine)) return false;
    const Entry& entry = entry_of(other);
    if (entry.step == Findings::kNoStep || entry.mask != access.mask || std::popcount(entry.mask) == 1)
      return false;
    const ptx::Step& step = code_.program->steps[entry.step];
    if (!is_load_or_store(step) || !is_load_or_store(code_.program->steps[access.step.index])) return false;
    if (!(traits_[step.site] & traits_[access.step.site] & kIsVolatile)) return false;
  }
  return !order_.is_past(number_of(other), warp_of(other), access.warp);
}

void Checker::update(Cells cells, Stamp mine, Doing what) {
  if (what == Doing::Reading) {
    for (Stamp* const here : {cells.read, cells.read_too}) {
      if (number_of(*here) != number_of(mine)) continue;
      *here |= kSeveralLanes;  // a lane of this very instruction was here
      return;
    }
    const Stamp old = *cells.read;
    const bool same_warp = warp_of(old) == warp_of(mine);
    if (!same_warp && number_of(old) >= order_.met_all()) {
      *cells.read_too = mine;
      note_second_reader();
      return;
    }
    if (same_warp && number_of(old) >= order_.met_lanes(warp_of(mine))) {
      // Plain reads are the ones to look at.
      if ((mine & kStrong) && !(old & kStrong)) return;
      const bool alike = ((mine ^ old) & kStrong) == 0;
      if (alike && ((old ^ mine) & (kLaneOfStamp | kSeveralLanes))) mine |= kSeveralLanes;
    }
    *cells.read = mine;
    return;
  }
  const Stamp old = *cells.written;
  if (number_of(old) == number_of(mine) && lane_of(old) != lane_of(mine)) mine |= kSeveralLanes;
  // An atomic on top of a plain write that others do not know of does not make it known.
  if ((mine & kStrong) && !(old & kStrong) && number_of(old) >= order_.met_all()) return;
  *cells.written = mine;
}

void Checker::finish(const CheckedAccess& access) {
  const bool is_own = access.space == ptx::Space::Local || access.space == ptx::Space::Frame;
  if (is_own || !(traits_[access.step.site] & kAcquires)) return;
  pass_cluster();
  if (order_.has_releases()) {
    for_each_lane({access.mask}, [&](int lane) {
      order_.acquire(place_of(access.space, access.address[lane]), access.warp);
    });
  }
  if (grid_ == nullptr || access.space != ptx::Space::Global || !grid_->has_signals()) return;
  bool seen = false;
  for_each_lane({access.mask},
                [&](int lane) { seen = seen || grid_->sees_signal(access.address[lane], block_.value); });
  if (!seen) return;
  visit_grid(false);
  after_ = grid_->now();
}

bool Checker::written_by_lanes(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask) const {
  const size_t row = local_written_.size() / code_.warps * warp;
  uint32_t all = mask;
  for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << local_shift_)
    all &= local_written_[row + (at >> local_shift_)];
  return all == mask;
}

void Checker::write_by_lanes(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask) {
  const size_t row = local_written_.size() / code_.warps * warp;
  for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << local_shift_)
    local_written_[row + (at >> local_shift_)] |= mask;
}

void Checker::forget_local(uint32_t warp, int lane, uint64_t address, uint64_t bytes) {
  const size_t row = local_written_.size() / code_.warps * warp;
  for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << local_shift_)
    local_written_[row + (at >> local_shift_)] &= ~(uint32_t{1} << lane);
}

void Checker::check_local(const CheckedAccess& access) {
  const auto granules = static_cast<uint32_t>(granules_in(access.bytes, local_shift_));
  for_each_lane({access.mask}, [&](int lane) {
    const uint32_t self = uint32_t{1} << lane;
    if (doing(access) != Doing::Writing) {
      uint32_t unwritten = 0;
      for (uint32_t n = 0; n < granules; ++n)
        unwritten +=
            !written_by_lanes(access.warp, access.address[lane] + (uint64_t{n} << local_shift_), 1, self);
      if (unwritten != 0) report_unwritten(access, lane, unwritten, granules);
    }
    if (doing(access) != Doing::Reading)
      write_by_lanes(access.warp, access.address[lane], access.bytes, self);
  });
}

}  // namespace lanescope::emulator
