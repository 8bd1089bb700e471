// The page of an exported figure: title, provenance, headline numbers, the marks, the explanation and the
// source. Method: the page consists of marks too, in the page's coordinates, so one painter draws all of it
// and a test can check for overlaps. Pages of several figures are put beside or below each other. Tests:
// tests/unit/export/page_test.cpp

#pragma once

#include "base/provenance.h"
#include "base/text.h"
#include "plot/figure.h"

#include <span>
#include <vector>

namespace lanescope::exporting {

struct Page {
  plot::Size size;
  std::vector<plot::Mark> marks;  // drawn in order, on Role::Surface
};

/// "emulated": the word in the badge of a figure.
Text badge_text(Provenance provenance);

/// Lays the page out around the figure's marks; the figure keeps its size, the page grows as needed.
Page compose(const plot::Figure& figure);
/// The pages of all figures in one: beside each other, or wide ones below each other.
Page compose(std::span<const plot::Figure> figures);

}  // namespace lanescope::exporting
