#include "gpu/instrument/step_statistics.h"

#include <algorithm>

namespace lanescope::gpu {

void StepStatistics::add(const RecordedAccess& access) {
  Seen& seen = seen_[access.site];
  ++seen.accesses;
  if (const auto steps = steps_of(access)) ++seen.of_steps[*steps];
}

std::optional<std::pair<int32_t, int32_t>> StepStatistics::steps_of(const RecordedAccess& access) const {
  if (access.mask != kAllLanes.bits) return {};
  const auto step_to = [&](uint32_t lane) {
    return static_cast<int32_t>(access.lanes[lane] - access.lanes[0]);
  };
  const LanePattern pattern{.mask = access.mask,
                            .first = access.lanes[0],
                            .stride = step_to(1),
                            .row_stride = row_lanes_ == kLanes ? 0 : step_to(row_lanes_),
                            .row_lanes = row_lanes_};
  if (addresses_of(pattern) != access.lanes) return {};
  return std::pair{pattern.stride, pattern.row_stride};
}

std::vector<std::optional<ExpectedSteps>> StepStatistics::expected(size_t sites) const {
  std::vector<std::optional<ExpectedSteps>> expected(sites);
  for (const auto& [site, seen] : seen_) {
    if (site >= sites || seen.of_steps.empty()) continue;
    const auto most =
        std::ranges::max_element(seen.of_steps, {}, [](const auto& entry) { return entry.second; });
    expected[site] = ExpectedSteps{.stride = most->first.first,
                                   .row_stride = most->first.second,
                                   .is_only = most->second == seen.accesses};
  }
  return expected;
}

}  // namespace lanescope::gpu
