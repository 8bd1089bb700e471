// Lines of the caches and their sectors.

#pragma once

#include "model/sectors.h"

#include <cstdint>

namespace lanescope::caches {

using model::kLineBytes;
using model::kSectorBytes;
inline constexpr uint32_t kSectorsOfLine = kLineBytes / kSectorBytes;

/// Sets of sectors of a line, bit n is sector n.
using SectorMask = uint32_t;
inline constexpr SectorMask kAllSectors = 0xf;

}  // namespace lanescope::caches
