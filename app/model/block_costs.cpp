#include "model/block_costs.h"

#include "model/known_costs.h"

namespace lanescope::model {

BlockCosts block_costs(const trace::Trace& trace, int compute_capability) {
  BlockCosts costs{.units = units_of(compute_capability), .blocks = {}};
  costs.blocks.reserve(trace.blocks.size());
  std::vector<KnownCosts> known(trace.sites.size());
  for (const trace::StoredBlock& block : trace.blocks) {
    BlockCost& sum = costs.blocks.emplace_back();
    sum.cta = block.cta;
    sum.requests = block.accesses.size();
    for (const trace::StoredAccess& stored : block.accesses) {
      if (!stored.active.any()) continue;
      const trace::Cost cost = known[stored.site.value].cost_of(trace::view(trace, block, stored), block,
                                                                stored, compute_capability);
      sum.sectors += cost.sectors;
      sum.ideal_sectors += cost.ideal_sectors;
      sum.wavefronts += cost.wavefronts;
      sum.ideal_wavefronts += cost.ideal_wavefronts;
    }
  }
  return costs;
}

}  // namespace lanescope::model
