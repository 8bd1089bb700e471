// Exact totals of a site over the whole grid, and how an access adds to them. Method: the cost of an access
// (sectors, wavefronts) is a rule of the device, passed in as a function from app/model; trace only sums.

#pragma once

#include "trace/access.h"

#include <cstdint>

namespace lanescope::trace {

/// Cost of one access. Global and local fill sectors, lines; shared fills wavefronts. Ideal: app/model.
struct Cost {
  uint16_t sectors = 0;
  uint16_t ideal_sectors = 0;
  uint16_t lines = 0;
  uint16_t wavefronts = 0;
  uint16_t ideal_wavefronts = 0;
  bool operator==(const Cost&) const = default;
};

using CostFunction = Cost (*)(const WarpAccess&);

struct Totals {
  uint64_t requests = 0;  // warp accesses with at least one active lane
  uint64_t lanes = 0;     // active lanes
  uint64_t bytes = 0;     // lanes x bytes per lane
  uint64_t sectors = 0;
  uint64_t ideal_sectors = 0;
  uint64_t lines = 0;
  uint64_t wavefronts = 0;
  uint64_t ideal_wavefronts = 0;
  bool operator==(const Totals&) const = default;

  /// `times` accesses of this cost.
  void add(LaneMask active, const Operation& operation, const Cost& cost, uint64_t times) {
    const auto count = static_cast<uint64_t>(active.count());
    *this += {.requests = times,
              .lanes = times * count,
              .bytes = times * count * operation.bytes_per_lane,
              .sectors = times * cost.sectors,
              .ideal_sectors = times * cost.ideal_sectors,
              .lines = times * cost.lines,
              .wavefronts = times * cost.wavefronts,
              .ideal_wavefronts = times * cost.ideal_wavefronts};
  }
  void add(const WarpAccess& access, const Cost& cost, uint64_t times = 1) {
    add(access.active, access.operation, cost, times);
  }
  /// Each total multiplied by `count`.
  Totals times(uint64_t count) const {
    return {.requests = requests * count,
            .lanes = lanes * count,
            .bytes = bytes * count,
            .sectors = sectors * count,
            .ideal_sectors = ideal_sectors * count,
            .lines = lines * count,
            .wavefronts = wavefronts * count,
            .ideal_wavefronts = ideal_wavefronts * count};
  }
  Totals& operator+=(const Totals& other) {
    requests += other.requests;
    lanes += other.lanes;
    bytes += other.bytes;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    lines += other.lines;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    return *this;
  }
};

}  // namespace lanescope::trace
