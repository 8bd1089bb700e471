// Whether a run looks for races and for reads of what nobody wrote; bounds and alignment are always checked.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

enum class Checks : uint8_t { None, All };

}  // namespace lanescope::emulator
