// The checks of a block in a cluster: its accesses to the shared memory of the others, what they did to its
// own, and what orders them (cluster_shadow.h). Slower than the rest, for few kernels do so.

#include "emulator/checks/checker.h"
#include "emulator/schedule/cluster.h"

#include <bit>

namespace lanescope::emulator {
namespace {

/// Whether two accesses to one place are a race if nothing orders them.
bool do_conflict(Doing mine, Doing other, Stamp both) {
  return (both & kStrong) == 0 && (mine != Doing::Reading || other != Doing::Reading);
}

}  // namespace

void Checker::join(ClusterShadow& cluster) {
  cluster_ = &cluster;
  rank_ = cluster.join(*this);
  life_ = Life::ToCome;
  birth_ = epoch_birth_ = next_;
  seen_epoch_ = 0;
  after_in_cluster_ = 0;
}

void Checker::signal_cluster() {
  if (cluster_ != nullptr) cluster_->meet();
}

void Checker::pass_cluster() {
  if (cluster_ == nullptr || cluster_->epoch() == seen_epoch_) return;
  seen_epoch_ = cluster_->epoch();
  order_.meet_all(next_);
  if (grid_ == nullptr) return;
  visit_grid(false);
  after_in_cluster_ = grid_->now();
}

RacePlace Checker::race_place(const CheckedAccess& access, uint64_t address, Finding finding) const {
  RacePlace place{code_, memory_, access.space, address, access.bytes, finding, {}};
  if (access.rank != 0 && access.rank - 1 != rank_)
    place.owner = position_of_rank(access.rank - 1, position_, code_.program->cluster);
  return place;
}

bool Checker::check_remote(const CheckedAccess& access) {
  Checker& owner = cluster_->checker(access.rank - 1);
  const uint8_t traits = traits_[access.step.site];
  if (traits & kIsFence) cluster_->meet();
  const Stamp of_all =
      number_access(access.step, access.mask, access.warp) | (traits & kIsStrong ? kStrong : 0);
  const bool may_be_to_come = owner.life_ == Life::ToCome || cluster_->epoch() == 0;
  const bool is_there = !may_be_to_come && owner.life_ == Life::Running;
  if (!is_there) {
    const int lane = std::countr_zero(access.mask);
    report_absence(side_of(access, lane), owner, access.address[lane],
                   may_be_to_come ? Finding::BlockNotStarted : Finding::BlockExited);
  }
  const auto granules = static_cast<uint32_t>((access.bytes + (1u << shared_shift_) - 1) >> shared_shift_);
  for_each_lane({access.mask}, [&](int lane) {
    const Stamp mine = of_all | static_cast<Stamp>(lane);
    uint32_t unwritten = 0;
    const uint64_t first = access.address[lane] >> shared_shift_;
    for (uint64_t granule = first; granule < first + granules; ++granule) {
      if (is_there) visit_remote(access, lane, granule, mine, owner, unwritten);
      note_remote(access, lane, granule, mine, owner);
    }
    if (unwritten != 0) report_unwritten(access, lane, unwritten, granules);
  });
  return !block_pairs_.empty();
}

void Checker::visit_remote(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                           Checker& owner, uint32_t& unwritten) {
  const bool was_written = number_of(*owner.shared_cells_of(granule).written) >= owner.birth_ ||
                           cluster_->was_written(owner.rank_, granule);
  if (doing(access) != Doing::Writing && !(traits_[access.step.site] & kOverwrites) && !was_written)
    ++unwritten;
  compare_with_owner(access, lane, granule, mine, owner);
  compare_with_others(access, lane, granule, mine, owner);
}

void Checker::note_remote(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                          const Checker& owner) {
  ClusterShadow::Granule& others = cluster_->granules(owner.rank_)[granule];
  const bool reads = doing(access) == Doing::Reading;
  ClusterShadow::Access& last = reads ? others.read : others.written;
  // The plain one is the one to look at.
  if (!(mine & kStrong) || cluster_->is_past(last) || (last.stamp & kStrong))
    last = {side_of(access, lane), rank_, cluster_->epoch(), mine};
  others.was_written |= !reads;
}

/// What the owner of the memory did to it since the blocks last met.
void Checker::compare_with_owner(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                                 Checker& owner) {
  const Cells cells = owner.shared_cells_of(granule);
  const auto look = [&](Stamp other, Doing doing_there) {
    if (number_of(other) < owner.epoch_birth_) return false;
    if (!do_conflict(doing(access), doing_there, mine & other)) return false;
    const RaceSide there{owner.entry_of(other).step, warp_of(other) * kLanes + lane_of(other),
                         owner.position_};
    note_block_race(access, lane, granule, there, doing_there);
    return true;
  };
  if (look(*cells.written, Doing::Writing) || look(*cells.read, Doing::Reading)) return;
  look(*cells.read_too, Doing::Reading);
}

/// What other blocks than the owner did to it. Lanes of one warp are taken to be in order.
void Checker::compare_with_others(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                                  const Checker& owner) {
  const ClusterShadow::Granules& granules = cluster_->granules(owner.rank_);
  const auto found = granules.find(granule);
  if (found == granules.end()) return;
  const auto look = [&](const ClusterShadow::Access& other, Doing doing_there) {
    if (cluster_->is_past(other) || !do_conflict(doing(access), doing_there, mine & other.stamp))
      return false;
    const uint32_t warp = warp_of(other.stamp);
    const bool is_ordered = warp == access.warp || order_.is_past(number_of(other.stamp), warp, access.warp);
    if (other.rank == rank_ && is_ordered) return false;
    note_block_race(access, lane, granule, other.who, doing_there);
    return true;
  };
  if (!look(found->second.written, Doing::Writing)) look(found->second.read, Doing::Reading);
}

/// Of two writes the values decide, when they are known.
void Checker::note_block_race(const CheckedAccess& access, int lane, uint64_t granule, const RaceSide& there,
                              Doing doing_there) {
  const auto is_store = [&](uint32_t step) {
    return step != Findings::kNoStep && code_.program->steps[step].op == ptx::Op::st;
  };
  if (doing_there == Doing::Writing && is_store(access.step.index) && is_store(there.step)) {
    block_pairs_.push_back({lane, granule, there});
  } else {
    report_block_race(access, Finding::RaceOfBlocks, lane, granule, there);
  }
}

void Checker::report_block_race(const CheckedAccess& access, Finding finding, int lane, uint64_t granule,
                                const RaceSide& there) {
  const RaceSide here = side_of(access, lane);
  if (finding == Finding::RaceOfBlocks && there.block == here.block) finding = Finding::RaceOfWarps;
  finding = weighed(finding, here.step, there.step);
  const Findings::Key key{finding, here.step, there.step};
  if (!findings_.count(key))
    findings_.add(key, block_,
                  race_hazard(race_place(access, granule << shared_shift_, finding), here, there));
}

void Checker::report_absence(const RaceSide& here, const Checker& owner, uint64_t address, Finding finding) {
  const Findings::Key key{finding, here.step, Findings::kNoStep};
  if (findings_.count(key)) return;
  const Dim3 where = position_of_rank(owner.rank_, position_, code_.program->cluster);
  findings_.add(key, block_,
                absence_hazard({code_, memory_, ptx::Space::Shared, address, 0, finding, where}, here));
}

void Checker::begin_in_cluster() {
  life_ = Life::Running;
  const Dim3 cluster = code_.program->cluster;
  team_.resize(volume(cluster));
  for (uint32_t rank = 0; rank < team_.size(); ++rank)
    team_[rank] = static_cast<uint32_t>(linear(position_of_rank(rank, position_, cluster), code_.grid));
}

/// Whoever came to its memory since the blocks last met might have come later.
void Checker::end_in_cluster() {
  life_ = Life::Over;
  for (const auto& [granule, others] : cluster_->granules(rank_))
    for (const ClusterShadow::Access* access : {&others.written, &others.read})
      if (!cluster_->is_past(*access))
        report_absence(access->who, *this, granule << shared_shift_, Finding::BlockExited);
}

}  // namespace lanescope::emulator
