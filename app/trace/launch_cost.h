// Cost of the accesses of a launch, over all of its memory instructions. Tests:
// tests/unit/trace/launch_cost_test.cpp

#pragma once

#include "trace/trace.h"

#include <cstdint>

namespace lanescope::trace {

/// Costs of accesses and their ideal: sectors of global and local memory, wavefronts of shared memory.
struct LaunchCost {
  uint64_t requests = 0;
  uint64_t sectors = 0, ideal_sectors = 0;
  uint64_t wavefronts = 0, ideal_wavefronts = 0;
  bool operator==(const LaunchCost&) const = default;
  LaunchCost& operator+=(const LaunchCost& other) {
    requests += other.requests;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    return *this;
  }
};

/// The sum over the sites of a trace, for the whole grid.
inline LaunchCost launch_cost(const Trace& trace) {
  LaunchCost cost;
  for (const Totals& totals : trace.totals)
    cost +=
        {totals.requests, totals.sectors, totals.ideal_sectors, totals.wavefronts, totals.ideal_wavefronts};
  return cost;
}

}  // namespace lanescope::trace
