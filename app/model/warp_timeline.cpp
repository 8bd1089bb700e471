#include "model/warp_timeline.h"

namespace lanescope::model {

std::vector<TimelineEntry> warp_timeline(const trace::Trace& trace, const trace::StoredBlock& block,
                                         WarpId warp, int compute_capability) {
  std::vector<TimelineEntry> timeline;
  for (const trace::StoredAccess& stored : trace::accesses_of(block, warp)) {
    const trace::WarpAccess access = trace::view(trace, block, stored);
    timeline.push_back({access.operation, access.site, trace.sites[access.site.value].source.line,
                        device_cost(access, compute_capability), access.active});
  }
  return timeline;
}

}  // namespace lanescope::model
