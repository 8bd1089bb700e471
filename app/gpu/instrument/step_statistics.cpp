#include "gpu/instrument/step_statistics.h"

#include <algorithm>

namespace lanescope::gpu {

void StepStatistics::add(const RecordedAccess& access) {
  constexpr size_t kMost = 256;  // of a site; more say that nothing is to be expected
  Seen& seen = seen_[access.site];
  ++seen.accesses;
  if (access.mask != kAllLanes.bits) return;
  Distances distances{};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto distance = static_cast<int64_t>(access.lanes[lane] - access.lanes[0]);
    distances[lane] = static_cast<int32_t>(distance);
    if (distances[lane] != distance) return;
  }
  const auto known = seen.of_distances.find(distances);
  if (known != seen.of_distances.end())
    ++known->second;
  else if (seen.of_distances.size() < kMost)
    seen.of_distances.emplace(distances, 1);
}

ExpectedSteps StepStatistics::steps_of(const Distances& distances) const {
  ExpectedSteps steps{.stride = distances[1], .row_stride = row_lanes_ == kLanes ? 0 : distances[row_lanes_]};
  const LaneAddresses lanes = addresses_of(steps, 0, row_lanes_);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (static_cast<int32_t>(lanes[lane]) != distances[lane]) {
      steps.distances = distances;
      return steps;
    }
  return steps;
}

std::vector<std::optional<ExpectedSteps>> StepStatistics::expected(size_t sites) const {
  std::vector<std::optional<ExpectedSteps>> expected(sites);
  for (const auto& [site, seen] : seen_) {
    if (site >= sites || seen.of_distances.empty()) continue;
    const auto most =
        std::ranges::max_element(seen.of_distances, {}, [](const auto& entry) { return entry.second; });
    ExpectedSteps steps = steps_of(most->first);
    steps.is_only = most->second == seen.accesses;
    if (!steps.distances || 2 * most->second >= seen.accesses) expected[site] = steps;
  }
  return expected;
}

}  // namespace lanescope::gpu
