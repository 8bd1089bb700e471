// Pixels as the bytes of a PNG. Method: libpng. Test: tests/unit/export/svg_marks_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string>

namespace lanescope::exporting {

/// `rgba`: [row][column][channel], of which alpha is left out. Error: Internal, where memory is full.
Result<std::string> png_of(std::span<const uint8_t> rgba, uint32_t width, uint32_t height);

}  // namespace lanescope::exporting
