// The page of an exported figure: title, provenance, headline numbers, the marks, the explanation and the
// source. Method: the page consists of marks too, in the page's coordinates, so one painter draws all of it
// and a test can check for overlaps. Tests: tests/unit/export/page_test.cpp

#pragma once

#include "plot/figure.h"

#include <vector>

namespace lanescope::exporting {

struct Page {
  plot::Size size;
  std::vector<plot::Mark> marks;  // drawn in order, on Role::Surface
};

/// Lays the page out around the figure's marks; the figure keeps its size, the page grows as needed.
Page compose(const plot::Figure& figure);

}  // namespace lanescope::exporting
