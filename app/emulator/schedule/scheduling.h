// Scheduling of the diverged lanes of a warp.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

/// Independent: diverged lanes take turns, so that each makes progress whatever the others do, and lanes that
/// execute a .sync instruction wait for the members that it names (compute capability 7.0 and later).
/// Lockstep: diverged lanes run one group after the other, and a group waits at the reconvergence point,
/// which is a deadlock if the others wait for it (before 7.0).
enum class Scheduling : uint8_t { Independent, Lockstep };

}  // namespace lanescope::emulator
