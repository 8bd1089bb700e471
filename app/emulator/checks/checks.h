// Checks of a run: data races and uninitialized reads, or none. Bounds and alignment are always checked.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

enum class Checks : uint8_t { None, All };

}  // namespace lanescope::emulator
