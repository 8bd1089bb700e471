// The addresses of a warp's lanes as recorders report them: strided, or one by one.
// Tests: tests/unit/gpu/recorder_output_test.cpp

#pragma once

#include "base/ids.h"
#include "trace/access.h"

#include <array>
#include <cstdint>

namespace lanescope::gpu {

using LaneAddresses = std::array<uint64_t, kLanes>;  // [lane]; undefined for inactive lanes

/// Strided. A whole warp: from lane to lane of a row of the block, and from row to row. Other masks: from
/// each active lane to the next active one.
struct LanePattern {
  uint32_t mask = 0;
  uint64_t first = 0;  // address of the first active lane
  int32_t stride = 0;
  int32_t row_stride = 0;
  uint32_t row_lanes = kLanes;
};

LaneAddresses addresses_of(const LanePattern& pattern);

/// The same for a trace. The list, [n-th active lane], is put into `list`, from which the result borrows.
trace::AddressRef reference_to(const LaneAddresses& lanes, LaneMask active, LaneAddresses& list);

}  // namespace lanescope::gpu
