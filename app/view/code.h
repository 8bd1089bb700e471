// Lines of code in the face of code, with the colors of their words, cut into rows where they are wider than
// their place. Test: tests/gui/stepping_test.cpp, tests/gui/listing_test.cpp

#pragma once

#include "view/source/listing.h"
#include "view/theme.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::view {

inline constexpr float kCode = 0.92f;  // size of code, of the ordinary text

/// Pixels.
float code_line_height(const Theme& theme);
float code_width(const Theme& theme, const std::vector<ListingLine>& lines);
/// Pixels of a character.
float code_advance(const Theme& theme);

/// A part of a line that is drawn in a row of its own.
struct CodeRow {
  int line = 0;                 // from 0
  uint32_t begin = 0, end = 0;  // bytes of the line
  uint32_t indent = 0;          // columns in front of it; that of a row which continues a line
};

/// After these a line may go on in the next row; after a space too.
inline constexpr std::string_view kBreakAfter = "([{,;=+-*/%&|<>?:";

/// Every line in rows of at most `columns` characters; it continues below its own beginning. Cut after a
/// space or an operator where there is one.
std::vector<CodeRow> code_rows(const std::vector<ListingLine>& lines, size_t columns);

/// Pixels from where rows begin to the end of this one.
float row_width(const Theme& theme, const ListingLine& line, const CodeRow& row);

void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line);
/// One row; `left_middle` is where the rows of all lines begin.
void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line,
               const CodeRow& row);

}  // namespace lanescope::view
