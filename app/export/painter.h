// Draws marks with Cairo. Method: one function per kind of mark; many cells become an image whose pixels are
// the cells' colors, so that a file stays small for any number of cells. Tests:
// tests/unit/export/write_figure_test.cpp

#pragma once

#include "export/faces.h"
#include "plot/figure.h"

#include <vector>

#include <cairo.h>

namespace lanescope::exporting {

/// Draws `marks` in order. `scale` is how many pixels an image gets per point.
void paint(cairo_t* cairo, const std::vector<plot::Mark>& marks, plot::Theme theme, const Faces& faces,
           float scale);

/// Fills `size` with the theme's panel color.
void paint_background(cairo_t* cairo, plot::Size size, plot::Theme theme);

}  // namespace lanescope::exporting
