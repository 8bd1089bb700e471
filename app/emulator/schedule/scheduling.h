// How lanes of a warp that part go on.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

/// Independent: all take turns, so that each gets on whatever the others do, and lanes that execute a .sync
/// instruction wait for the members that it names (compute capability 7.0 and later). Lockstep: those who
/// part run one after the other, and who is at the meeting point waits, which is a deadlock if the others
/// wait for it (before 7.0).
enum class Scheduling : uint8_t { Independent, Lockstep };

}  // namespace lanescope::emulator
