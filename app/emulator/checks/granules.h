// The granules of memory that the checks keep stamps for. Method: a granule is as wide as the narrowest
// access that the program makes to its space: accesses are aligned, so each covers whole granules. Tests:
// tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "ptx/program.h"
#include "trace/site.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

/// log2 of the bytes of a granule of this space.
inline int granule_shift_of(const ptx::Program& program, trace::Space space) {
  int shift = 4;
  for (const ptx::MemorySite& site : program.sites)
    if (site.operation.space == space && site.operation.bytes_per_lane != 0)
      shift = std::min(shift, std::countr_zero(site.operation.bytes_per_lane));
  return shift;
}

/// Cell of GridShadow: 1 << kCellShift neighboring granules, whose accesses are kept together.
inline constexpr int kCellShift = 3;
inline constexpr uint32_t kCellGranules = 1 << kCellShift;
inline constexpr uint32_t kAllOfCell = (1 << kCellGranules) - 1;

constexpr size_t granules_in(size_t bytes, int shift) { return (bytes + (size_t{1} << shift) - 1) >> shift; }

}  // namespace lanescope::emulator
