#include "sass/folding_sink.h"

#include "sass/repeated_sectors.h"

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
  if (site.merged == SiteMatch::kNone && !site.repeats_sectors) return;
  for (uint32_t n = 0; n < group.count; ++n)
    if (group.lanes_of(n).bits != 0) count(group.at(n), site);
}

void FoldingSink::count(const trace::WarpAccess& access, const SiteMatch& site) {
  if (site.repeats_sectors) repeated_[access.site.value] += sass::repeated_sectors(access);
  if (site.merged == SiteMatch::kNone) return;
  if (folder_.add(access, site.merged, whole_).is_uneven) ++totals_[site.merged].uneven;
  count_whole();
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
