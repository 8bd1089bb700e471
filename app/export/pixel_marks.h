// A page of marks as pixels without Cairo, for the browser. Method: each mark is filled by the part of each
// pixel that its outline covers: the area right of each edge is added up along a line, with the sign of the
// edge's direction. Source: R. Levien, "Inside the fastest font renderer in the world" (2016), which sums
// signed areas. Test: tests/page/filled_marks_test.cpp

#pragma once

#include "base/error.h"
#include "export/glyph_outlines.h"
#include "export/page.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::exporting {

/// The cells in `columns` x `rows` pixels, [row][column][red, green, blue, 255]: each pixel shows the cell
/// under its center.
std::vector<uint8_t> pixels_of(const plot::Cells& cells, plot::Theme theme, uint32_t columns, uint32_t rows);

/// A PNG with `scale` pixels per point. Errors: Usage, where it would be too large; Internal, where memory is
/// full.
Result<std::string> png_of(const Page& page, plot::Theme theme, float scale, GlyphFaces& faces);

}  // namespace lanescope::exporting
