// Whether a run looks for data races and uninitialized reads; bounds and alignment are always checked.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

enum class Checks : uint8_t { None, All };

}  // namespace lanescope::emulator
