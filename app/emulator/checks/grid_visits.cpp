#include "emulator/checks/grid_visits.h"

#include "emulator/memory/cluster_layout.h"

#include <algorithm>
#include <bit>

namespace lanescope::emulator {
namespace {

/// True if a stamp of the page is at or above the limit.
bool has_stamp_from(const ShadowPage& page, Stamp limit) {
  Stamp latest = 0;
  for (const auto* stamps : {&page.stamps->written, &page.stamps->read, &page.stamps->read_too})
    for (const Stamp stamp : *stamps) latest = std::max(latest, stamp);
  return latest >= limit;
}

}  // namespace

void GridVisits::begin_block(CtaId block, Dim3 position) {
  block_ = block;
  fenced_ = false;
  after_ = after_in_cluster_ = 0;
  open_.clear();
  below_atomics_.clear();
  const Dim3 cluster = code_.program->cluster;
  cluster_.resize(volume(cluster) > 1 ? static_cast<size_t>(volume(cluster)) : 0);
  for (uint32_t rank = 0; rank < cluster_.size(); ++rank)
    cluster_[rank] = static_cast<uint32_t>(linear(position_of_rank(rank, position, cluster), code_.grid));
}

/// Compares the accesses of this block with those of other blocks, and reports races. `is_known`: a fence
/// ends the visit.
void GridVisits::visit(bool is_known) {
  if (grid_ == nullptr || !global_.take_touched()) return;
  conflicts_.clear();
  const GridShadow::Visit visit{.block = block_.value,
                                .after = after_,
                                .is_known = is_known,
                                .log = log_.entries(),
                                .birth = log_.birth(),
                                .team = cluster_,
                                .after_in_team = after_in_cluster_,
                                .below_atomics = &below_atomics_};
  const uint32_t ticket = grid_->visit(global_.visited_pages(), visit, conflicts_);
  if (!is_known) open_.push_back(ticket);
  for (const GridShadow::Conflict& conflict : conflicts_)
    reporter_.report_grid_race(conflict, global_.granule_shift());
}

void GridVisits::end_block() {
  const auto& writes = global_.group_writes();
  if (grid_ != nullptr && !writes.empty() && grid_->visit(writes, block_.value) != 0) return;
  visit(false);
}

void GridVisits::fence(uint32_t warp) {
  fenced_ = true;
  if (signals_) publish(warp);
}

void GridVisits::publish(uint32_t warp) {
  if (grid_ == nullptr) return;
  hold_back(warp);
  visit(true);
  give_back();
  grid_->publish(open_);
  open_.clear();
}

void GridVisits::pass_cluster() {
  if (grid_ == nullptr) return;
  visit(false);
  after_in_cluster_ = grid_->now();
}

bool GridVisits::is_unknown(Stamp stamp, uint32_t warp) const {
  return log_.is_of_block(stamp) && warp_of(stamp) != warp && !log_.is_past(stamp, warp);
}

void GridVisits::hold_back(uint32_t warp) {
  held_.clear();
  ShadowPages& pages = global_.visited_pages();
  const Stamp past = log_.limits(warp).of_other_warps;
  for (size_t n = 0; n < pages.size(); ++n) {
    ShadowPage& page = pages[n];
    // Mostly all accesses are before a barrier of all warps.
    if ((page.was_written | page.was_read | page.was_updated) == 0 || !has_stamp_from(page, past)) continue;
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

void GridVisits::give_back() {
  for (const HeldBack& held : held_) {
    ShadowPage& page = global_.pages()[held.page];
    page.was_written |= held.written;
    page.was_read |= held.read;
    page.was_updated |= held.updated;
  }
}

void GridVisits::signal(const ObservedAccess& access, bool is_fence) {
  if (grid_ == nullptr || access.space != ptx::Space::Global) return;
  if (is_fence) {
    fenced_ = true;
    publish(access.warp);
  }
  if (!fenced_) return;
  for_each_lane({access.mask}, [&](int lane) { grid_->signal(access.address[lane], block_.value); });
}

void GridVisits::look_for_signals(const ObservedAccess& access) {
  if (grid_ == nullptr || access.space != ptx::Space::Global || !grid_->has_signals()) return;
  bool seen = false;
  const uint64_t* last = nullptr;  // mostly all lanes read one address
  for_each_lane({access.mask}, [&](int lane) {
    const uint64_t* const address = access.address + lane;
    if (last == nullptr || *address != *last) seen = seen || grid_->sees_signal(*address, block_.value);
    last = address;
  });
  if (!seen) return;
  visit(false);
  after_ = grid_->now();
}

}  // namespace lanescope::emulator
