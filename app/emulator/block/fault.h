// Reports an access out of bounds or misaligned: the thread, the address, and what was allowed.

#pragma once

#include "emulator/block/block.h"

#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// Reports the hazard of the first lane whose access is wrong; at least one is. `addresses`: [lane].
void report_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                  uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses);

/// True if the block goes on after these accesses out of bounds, which are noted in BlockState::passed_over.
/// Else their hazard, or that of a misaligned one, stops the block.
bool pass_over_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                     uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses);

}  // namespace lanescope::emulator
