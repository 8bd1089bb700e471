// What is wrong with an access that may not be made: which thread, which address, what was allowed.

#pragma once

#include "emulator/block/block.h"

#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// Reports the hazard of the first lane that is wrong; one of them is. `addresses` is per lane.
void report_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                  uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses);

}  // namespace lanescope::emulator
