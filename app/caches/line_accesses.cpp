#include "caches/line_accesses.h"

#include <algorithm>

namespace lanescope::caches {
namespace {

bool do_the_same(const trace::Site& one, const trace::Site& other) {
  if (&one == &other) return true;
  return one.source.line != 0 && one.source == other.source && one.operation.kind == other.operation.kind &&
         one.operation.space == other.operation.space;
}

}  // namespace

std::vector<LineAccesses> line_accesses(const trace::Trace& trace, const CacheReport& report) {
  std::vector<LineAccesses> all;
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    const SiteCaches& caches = report.sites[site.id.value];
    if (totals.requests == 0 && caches.l1.requests == 0) continue;
    auto found =
        std::ranges::find_if(all, [&](const LineAccesses& known) { return do_the_same(*known.site, site); });
    if (found == all.end()) found = all.insert(all.end(), {.site = &site, .caches = {}, .totals = {}});
    found->caches += caches;
    found->totals += totals;
  }
  return all;
}

}  // namespace lanescope::caches
