// Which steps the addresses of a site take from lane to lane, as some blocks show it: what the recorders of
// the whole grid are to expect. Tests: tests/unit/gpu/recorder_output_test.cpp

#pragma once

#include "gpu/instrument/recorder_layout.h"
#include "gpu/instrument/recorder_output.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::gpu {

class StepStatistics {
 public:
  explicit StepStatistics(uint32_t row_lanes) : row_lanes_(row_lanes) {}

  void add(const RecordedAccess& access);
  /// [site] the most frequent steps of a whole warp; none where no warp had any.
  std::vector<std::optional<ExpectedSteps>> expected(size_t sites) const;

 private:
  /// Of a whole warp whose addresses go up in equal steps.
  std::optional<std::pair<int32_t, int32_t>> steps_of(const RecordedAccess& access) const;

  struct Seen {
    uint64_t accesses = 0;
    std::map<std::pair<int32_t, int32_t>, uint64_t> of_steps;
  };
  uint32_t row_lanes_;
  std::map<uint32_t, Seen> seen_;  // [site]
};

}  // namespace lanescope::gpu
