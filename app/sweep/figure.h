// Figures of a sweep: lines over an axis, one for each value of another, or both axes as a heat map. Method:
// lines that have equal values everywhere are one line with all their names, since they would hide each
// other. Tests: tests/unit/sweep/figure_test.cpp

#pragma once

#include "plot/figure.h"
#include "plot/figures.h"
#include "sweep/selection.h"

#include <span>
#include <string>
#include <vector>

namespace lanescope::sweep {

/// What is drawn, and of what.
struct Drawn {
  const Definition& definition;
  const Question& question;
  std::string file;  // the database
};

plot::Figure line_figure(const Selection& selection, const Drawn& drawn, const plot::Frame& frame);
/// The axis x along, the axis `by` down; the number in each cell that has room for it.
plot::Figure map_figure(const Selection& selection, const Drawn& drawn, const plot::Frame& frame);

/// The best combinations as a table alone, without marks: for text, CSV and JSON.
plot::Figure best_table(const std::vector<Best>& best, Order order, const Drawn& drawn, Provenance provenance,
                        const plot::Frame& frame);

}  // namespace lanescope::sweep
