#include "sass/machine_level.h"

namespace lanescope::sass {

trace::Sink& FoldingStage::put_before(trace::Sink& next) {
  return *sinks_.emplace_back(std::make_unique<FoldingSink>(match_, cost_, next));
}

void FoldingStage::add_counts(MachineLevel& level) {
  level.merged.assign(match_.merged.size(), {});
  level.repeated_sectors.assign(match_.sites.size(), 0);
  level.absent.assign(match_.sites.size(), {});
  for (const auto& sink : sinks_) {
    const std::vector<FoldedTotals>& its = sink->finish();
    for (size_t n = 0; n < its.size(); ++n) level.merged[n] += its[n];
    for (size_t n = 0; n < match_.sites.size(); ++n) {
      level.repeated_sectors[n] += sink->repeated_sectors()[n];
      level.absent[n] += sink->absent()[n];
    }
  }
}

std::vector<trace::Totals> machine_totals(const MachineLevel& level) {
  std::vector<trace::Totals> totals(level.totals().size());
  for (size_t n = 0; n < totals.size(); ++n) {
    const SiteMatch& site = level.match.sites[n];
    if (site.merged != SiteMatch::kNone || site.fate == Fate::Removed) continue;
    totals[n] = level.totals()[n];
    totals[n].requests *= requests_per_instruction(level.operations[n]);
    if (!level.repeated_sectors.empty()) totals[n].sectors += level.repeated_sectors[n];
    if (!level.absent.empty()) {
      totals[n].wavefronts -= level.absent[n].wavefronts;
      totals[n].ideal_wavefronts -= level.absent[n].ideal_wavefronts;
    }
  }
  for (size_t n = 0; n < level.merged.size(); ++n) {
    const MergedAccess& merged = level.match.merged[n];
    trace::Totals& its = totals[merged.sites.front()];
    its = level.merged[n].totals;
    its.requests *= requests_per_instruction({merged.space, merged.kind, static_cast<uint8_t>(merged.bytes)});
  }
  return totals;
}

MatchedShare matched_share(const MachineLevel& level) {
  MatchedShare share;
  for (size_t n = 0; n < level.ptx_totals.size(); ++n) {
    const uint64_t requests = level.ptx_totals[n].requests;
    const SiteMatch& site = level.match.sites[n];
    share.all += requests;
    const bool is_unknown_part = site.fate == Fate::Narrower && site.merged == SiteMatch::kNone;
    if (!is_unknown_part && site.fate != Fate::Replaced) share.matched += requests;
  }
  return share;
}

}  // namespace lanescope::sass
