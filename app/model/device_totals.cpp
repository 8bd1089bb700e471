#include "model/device_totals.h"

#include "model/device_cost.h"
#include "model/known_costs.h"

#include <utility>

namespace lanescope::model {

std::optional<std::vector<trace::Totals>> device_totals(const trace::Trace& trace, int compute_capability) {
  if (units_of(compute_capability) == CostUnits::Sectors) return {};
  std::vector<trace::Totals> totals(trace.totals.size());
  add_stored(totals, trace, compute_capability);
  return exact_totals(std::move(totals), trace);
}

void add_stored(std::vector<trace::Totals>& totals, const trace::Trace& trace, int compute_capability) {
  std::vector<KnownCosts> costs(totals.size());
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      const size_t site = stored.site.value;
      if (!stored.active.any()) continue;
      const trace::WarpAccess access = view(trace, block, stored);
      totals[site].add(access, costs[site].cost_of(access, block, stored, compute_capability));
    }
}

std::optional<std::vector<trace::Totals>> exact_totals(std::vector<trace::Totals> sums,
                                                       const trace::Trace& trace) {
  for (size_t n = 0; n < sums.size(); ++n) {
    if (!has_addresses(trace.sites[n].operation.space)) sums[n] = trace.totals[n];
    if (sums[n].requests != trace.totals[n].requests) return {};
  }
  return sums;
}

}  // namespace lanescope::model
