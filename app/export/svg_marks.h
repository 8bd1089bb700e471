// A page of marks as SVG without Cairo, for the browser: text stays text, in the faces of the program where
// the viewer has them, and as wide as it was laid out. Cells are an image with a pixel each. Test:
// tests/unit/export/svg_marks_test.cpp

#pragma once

#include "base/error.h"
#include "export/page.h"

#include <string>

namespace lanescope::exporting {

/// Error: Internal, where memory is full.
Result<std::string> svg_of(const Page& page, plot::Theme theme);

/// For a page of HTML: colors are those of light or dark as the page's `color-scheme` is, by CSS's
/// light-dark(), and light where the browser lacks that. Images, of which there are two, have the classes
/// on-light and on-dark. Error: as svg_of().
Result<std::string> svg_of_both_themes(const Page& page);

}  // namespace lanescope::exporting
