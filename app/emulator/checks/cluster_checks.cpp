#include "emulator/checks/cluster_checks.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {
namespace {

/// True if two accesses to one granule are a race when nothing orders them. `both`: bits that both stamps
/// have.
bool do_conflict(Doing mine, Doing other, Stamp both) {
  return (both & kStrong) == 0 && (mine != Doing::Reading || other != Doing::Reading);
}

}  // namespace

void ClusterChecks::join(ClusterShadow& cluster) {
  cluster_ = &cluster;
  rank_ = cluster.join(log_, shared_);
  seen_epoch_ = 0;
}

void ClusterChecks::begin_block(Dim3 position) {
  if (cluster_ == nullptr) return;
  ClusterShadow::Member& self = cluster_->member(rank_);
  self.epoch_birth = log_.next();
  self.life = ClusterShadow::Life::Running;
  self.position = position;
}

/// Reports accesses of other blocks since the last barrier: they might have come after the end of this block.
void ClusterChecks::end_block() {
  if (cluster_ == nullptr) return;
  cluster_->member(rank_).life = ClusterShadow::Life::Exited;
  for (const auto& [granule, others] : cluster_->granules(rank_))
    for (const ClusterShadow::Access* access : {&others.written, &others.read})
      if (!cluster_->is_past(*access))
        reporter_.report_absence(access->side, rank_, granule << shared_.granule_shift(),
                                 Finding::BlockExited);
}

void ClusterChecks::signal() {
  if (cluster_ != nullptr) cluster_->meet();
}

bool ClusterChecks::sees_signal() {
  if (cluster_ == nullptr || cluster_->epoch() == seen_epoch_) return false;
  seen_epoch_ = cluster_->epoch();
  return true;
}

void ClusterChecks::check_remote(const ObservedAccess& access, Stamp of_all, bool overwrites) {
  const ClusterShadow::Member& owner = cluster_->member(owner_of(access));
  const bool may_not_have_started = owner.life == ClusterShadow::Life::NotStarted || cluster_->epoch() == 0;
  const bool is_there = !may_not_have_started && owner.life == ClusterShadow::Life::Running;
  const int shift = shared_.granule_shift();
  if (!is_there) {
    const int lane = std::countr_zero(access.mask);
    reporter_.report_absence(reporter_.side_of(access, lane), owner_of(access), access.address[lane],
                             may_not_have_started ? Finding::BlockNotStarted : Finding::BlockExited);
  }
  const auto granules = static_cast<uint32_t>(granules_in(access.bytes, shift));
  for_each_lane({access.mask}, [&](int lane) {
    const Stamp mine = of_all | static_cast<Stamp>(lane);
    uint32_t unwritten = 0;
    const uint64_t first = access.address[lane] >> shift;
    for (uint64_t granule = first; granule < first + granules; ++granule) {
      if (is_there) visit(access, lane, granule, mine, overwrites, unwritten);
      note(access, lane, granule, mine);
    }
    if (unwritten != 0) reporter_.report_unwritten(access, lane, unwritten, granules);
  });
}

void ClusterChecks::visit(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine,
                          bool overwrites, uint32_t& unwritten) {
  const ClusterShadow::Member& owner = cluster_->member(owner_of(access));
  const bool was_written = owner.log->is_of_block(*owner.shared->settled_cells_of(granule).written) ||
                           cluster_->was_written(owner_of(access), granule);
  if (doing_of(access) != Doing::Writing && !overwrites && !was_written) ++unwritten;
  compare_with_owner(access, lane, granule, mine);
  compare_with_others(access, lane, granule, mine, owner_of(access));
}

void ClusterChecks::note(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine) {
  ClusterShadow::Granule& others = cluster_->granules(owner_of(access))[granule];
  const bool reads = doing_of(access) == Doing::Reading;
  ClusterShadow::Access& last = reads ? others.read : others.written;
  // A plain access is remembered rather than a strong one.
  if (!(mine & kStrong) || cluster_->is_past(last) || (last.stamp & kStrong))
    last = {reporter_.side_of(access, lane), rank_, cluster_->epoch(), mine};
  others.was_written |= !reads;
}

/// Compares the access with those of the block that owns the memory, in this epoch.
void ClusterChecks::compare_with_owner(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine) {
  const ClusterShadow::Member& owner = cluster_->member(owner_of(access));
  const Cells cells = owner.shared->settled_cells_of(granule);
  const auto look = [&](Stamp other, Doing doing_there) {
    if (number_of(other) < owner.epoch_birth) return false;
    if (!do_conflict(doing_of(access), doing_there, mine & other)) return false;
    const RaceSide there{owner.log->step_of(other), warp_of(other) * kLanes + lane_of(other), owner.position};
    note_race(access, lane, granule, there, doing_there);
    return true;
  };
  if (look(*cells.written, Doing::Writing) || look(*cells.read, Doing::Reading)) return;
  look(*cells.read_too, Doing::Reading);
}

void ClusterChecks::check_own(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine) {
  if (cluster_ != nullptr) compare_with_others(access, lane, granule, mine, rank_);
}

/// Compares the access with those of blocks that do not own the memory. Lanes of one warp are taken to be in
/// order.
void ClusterChecks::compare_with_others(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine,
                                        uint32_t owner) {
  const ClusterShadow::Granules& granules = cluster_->granules(owner);
  const auto found = granules.find(granule);
  if (found == granules.end()) return;
  const auto look = [&](const ClusterShadow::Access& other, Doing doing_there) {
    if (cluster_->is_past(other) || !do_conflict(doing_of(access), doing_there, mine & other.stamp))
      return false;
    const bool is_ordered = warp_of(other.stamp) == access.warp || log_.is_past(other.stamp, access.warp);
    if (other.rank == rank_ && is_ordered) return false;
    note_race(access, lane, granule, other.side, doing_there);
    return true;
  };
  if (!look(found->second.written, Doing::Writing)) look(found->second.read, Doing::Reading);
}

/// Reports a race, unless both are plain stores: then compare_values() decides.
void ClusterChecks::note_race(const ObservedAccess& access, int lane, uint64_t granule, const RaceSide& there,
                              Doing doing_there) {
  const auto is_store = [&](uint32_t step) {
    return step != Findings::kNoStep && code_.program->steps[step].op == ptx::Op::st;
  };
  if (doing_there == Doing::Writing && is_store(access.step.index) && is_store(there.step)) {
    pairs_.push_back({lane, granule, there});
  } else {
    reporter_.report_cluster_race(access, Finding::RaceOfBlocks, lane, granule << shared_.granule_shift(),
                                  there);
  }
}

void ClusterChecks::compare_values(const ObservedAccess& access, const WrittenValues& values,
                                   uintptr_t data) {
  const int shift = shared_.granule_shift();
  const size_t size = std::min<size_t>(size_t{1} << shift, access.bytes);
  for (const Pair& pair : pairs_) {
    const uint64_t address = pair.granule << shift;
    const void* const there = reinterpret_cast<const void*>(data + address);
    const bool equal = std::memcmp(values.at(pair.lane, address), there, size) == 0;
    reporter_.report_cluster_race(access, equal ? Finding::EqualValues : Finding::RaceOfBlocks, pair.lane,
                                  address, pair.there);
  }
}

}  // namespace lanescope::emulator
