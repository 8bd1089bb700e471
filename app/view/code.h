// Lines of code in the face of code, with the colors of their words. Test: tests/gui/stepping_test.cpp

#pragma once

#include "view/listing.h"
#include "view/theme.h"

#include <vector>

namespace lanescope::view {

inline constexpr float kCode = 0.92f;  // size of code, of the ordinary text

/// Pixels.
float code_line_height(const Theme& theme);
float code_width(const Theme& theme, const std::vector<ListingLine>& lines);

void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line);

}  // namespace lanescope::view
