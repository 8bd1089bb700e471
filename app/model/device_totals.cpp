#include "model/device_totals.h"

#include "model/device_cost.h"
#include "model/known_costs.h"

namespace lanescope::model {

std::optional<std::vector<trace::Totals>> device_totals(const trace::Trace& trace, int compute_capability) {
  if (units_of(compute_capability) == CostUnits::Sectors) return {};
  std::vector<trace::Totals> totals(trace.totals.size());
  std::vector<KnownCosts> costs(trace.totals.size());
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      const size_t site = stored.site.value;
      if (!stored.active.any()) continue;
      const trace::WarpAccess access = view(trace, block, stored);
      totals[site].add(access, costs[site].cost_of(access, block, stored, compute_capability));
    }
  for (size_t n = 0; n < totals.size(); ++n) {
    if (!has_addresses(trace.sites[n].operation.space)) totals[n] = trace.totals[n];
    if (totals[n].requests != trace.totals[n].requests) return {};
  }
  return totals;
}

}  // namespace lanescope::model
