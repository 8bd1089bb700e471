// How far the addresses of a site's lanes are apart, as some blocks show it: what the recorders of the whole
// grid are to expect. Tests: tests/unit/gpu/recorder_output_test.cpp

#pragma once

#include "gpu/instrument/recorder_layout.h"
#include "gpu/instrument/recorder_output.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::gpu {

class StepStatistics {
 public:
  explicit StepStatistics(uint32_t row_lanes) : row_lanes_(row_lanes) {}

  void add(const RecordedAccess& access);
  /// [site] the most frequent distances within a whole warp, as steps if they are equal; of others, only
  /// those of half of the site's accesses or more.
  std::vector<std::optional<ExpectedSteps>> expected(size_t sites) const;

 private:
  using Distances = std::array<int32_t, kLanes>;  // from the first lane's address
  struct Seen {
    uint64_t accesses = 0;
    std::map<Distances, uint64_t> of_distances;
  };
  ExpectedSteps steps_of(const Distances& distances) const;

  uint32_t row_lanes_;
  std::map<uint32_t, Seen> seen_;  // [site]
};

}  // namespace lanescope::gpu
