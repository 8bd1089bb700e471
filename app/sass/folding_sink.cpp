#include "sass/folding_sink.h"

#include "sass/repeated_sectors.h"

#include <algorithm>

namespace lanescope::sass {

bool FoldingSink::begin_block(CtaId cta) {
  end_block();
  return inner_.begin_block(cta);
}
bool FoldingSink::begin_batch(CtaId first, trace::BatchOrder order) {
  end_block();
  return inner_.begin_batch(first, order);
}
void FoldingSink::suspend_block() {
  end_block();
  inner_.suspend_block();
}
void FoldingSink::resume_block(CtaId cta) {
  end_block();
  inner_.resume_block(cta);
}

void FoldingSink::on_access(const trace::WarpAccess& access) {
  inner_.on_access(access);
  count(access, match_.sites[access.site.value]);
}

void FoldingSink::on_group(const trace::GroupAccess& group) {
  inner_.on_group(group);
  const SiteMatch& site = match_.sites[group.site.value];
  if (site.merged == SiteMatch::kNone && site.election == Election::NoAtomic) return;
  for (uint32_t n = 0; n < group.count; ++n)
    if (group.lanes_of(n).bits != 0) count(group.at(n), site);
}

void FoldingSink::count(const trace::WarpAccess& access, const SiteMatch& site) {
  if (access.owner != trace::SharedOwner::OwnBlock) return count_elsewhere(access);
  if (site.election != Election::NoAtomic) count_atomic(access, site.election);
  if (site.merged == SiteMatch::kNone) return;
  if (folder_.add(access, site.merged, whole_).is_uneven) ++totals_[site.merged].uneven;
  count_whole();
}

void FoldingSink::count_atomic(const trace::WarpAccess& access, Election election) {
  const bool is_of_one_lane = election == Election::OfActiveLanes ||
                              (election == Election::OfFullWarps && access.active == kAllLanes);
  const bool is_shared = access.operation.space == trace::Space::Shared;
  if (is_of_one_lane && is_shared) leave_out(access, {.lines = 1, .wavefronts = 1, .ideal_wavefronts = 1});
  if (!is_of_one_lane && access.operation.space == trace::Space::Global)
    repeated_[access.site.value] += sass::repeated_sectors(access);
}

void FoldingSink::count_elsewhere(const trace::WarpAccess& access) {
  const bool is_atomic =
      access.operation.kind == trace::Kind::Atomic || access.operation.kind == trace::Kind::Reduction;
  const bool is_alone = access.owner == trace::SharedOwner::OtherBlocksAlone;
  leave_out(access, {.wavefronts = static_cast<uint16_t>(is_atomic && is_alone ? 1 : 0)});
}

/// Counts what the access costs, but for what is kept of it, as absent.
void FoldingSink::leave_out(const trace::WarpAccess& access, const trace::Cost& kept) {
  const trace::Cost cost = cost_(access);
  const auto without = [](uint16_t all, uint16_t part) { return uint64_t{all} - std::min(all, part); };
  absent_[access.site.value] += {.lines = without(cost.lines, kept.lines),
                                 .wavefronts = without(cost.wavefronts, kept.wavefronts),
                                 .ideal_wavefronts = without(cost.ideal_wavefronts, kept.ideal_wavefronts)};
}

void FoldingSink::end_block() {
  folder_.end(whole_);
  count_whole();
}

void FoldingSink::count_whole() {
  for (const FoldedAccess& folded : whole_) {
    const trace::WarpAccess access = view(folded);
    totals_[folded.merged].totals.add(access, cost_(access));
  }
  whole_.clear();
}

const std::vector<FoldedTotals>& FoldingSink::finish() {
  end_block();
  return totals_;
}

}  // namespace lanescope::sass
