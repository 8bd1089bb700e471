#include "gpu/instrument/group_costs.h"

#include <algorithm>
#include <bit>

namespace lanescope::gpu {

std::vector<trace::Cost> GroupCosts::of(const RecordedAccess& recorded) const {
  std::vector<trace::Cost> costs;
  for_each(recorded, [&](const trace::WarpAccess&, const trace::Cost& cost) { costs.push_back(cost); });
  return costs;
}

uint32_t GroupCosts::phase_mask(uint32_t site, const ExpectedSteps& steps, uint32_t row_lanes) const {
  constexpr uint64_t kSomewhere = uint64_t{1} << 30;  // far from 0, and the beginning of a line
  const uint32_t aligned = std::bit_floor(std::min<uint32_t>(sites_[site].operation.bytes_per_lane, 16));
  std::vector<std::vector<trace::Cost>> costs(RecorderLayout::kPhases);  // [phase]
  for (uint32_t phase = 0; phase < RecorderLayout::kPhases; phase += aligned) {
    RecordedAccess access{.site = site, .mask = kAllLanes.bits};
    access.lanes = addresses_of(steps, kSomewhere + phase, row_lanes);
    costs[phase] = of(access);
  }
  uint32_t mask = 0;
  for (uint32_t bit = aligned; bit < RecorderLayout::kPhases; bit *= 2)
    for (uint32_t phase = 0; phase < RecorderLayout::kPhases; phase += aligned)
      if (costs[phase] != costs[phase ^ bit]) mask |= bit;
  return mask;
}

bool GroupCosts::are_the_same(RecordedAccess access, uint32_t places) const {
  const std::vector<trace::Cost> first = of(access);
  const uint32_t step = std::bit_floor(places);
  for (uint32_t n = 1; n < RecorderLayout::kPhases / step; ++n) {
    for (uint64_t& address : access.lanes) address += step;
    if (of(access) != first) return false;
  }
  return true;
}

}  // namespace lanescope::gpu
