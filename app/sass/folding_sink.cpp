#include "sass/folding_sink.h"

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
  const uint32_t merged = match_.sites[access.site.value].merged;
  if (merged != SiteMatch::kNone) fold(access, merged);
}

void FoldingSink::on_group(const trace::GroupAccess& group) {
  inner_.on_group(group);
  const uint32_t merged = match_.sites[group.site.value].merged;
  if (merged == SiteMatch::kNone) return;
  for (uint32_t n = 0; n < group.count; ++n)
    if (group.lanes_of(n).bits != 0) fold(group.at(n), merged);
}

void FoldingSink::fold(const trace::WarpAccess& access, uint32_t merged) {
  if (folder_.add(access, merged, whole_).is_uneven) ++totals_[merged].uneven;
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
