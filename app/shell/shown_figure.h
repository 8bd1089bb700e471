// What figures of a snapshot are drawn from (plot/figure_table.h): for slides of a lecture, and for the
// figures that a page makes without its window. Tests: tests/cli/lecture_test.cpp, tests/page/figure_test.py

#pragma once

#include "plot/figure_table.h"

#include <vector>

namespace lanescope::session {
struct Snapshot;
}

namespace lanescope::shell {

/// Borrows from the snapshot, which has a run, and from `values`, those of its buffers where a figure shows
/// them.
plot::FigureData figure_data_of(const session::Snapshot& now, const std::vector<model::ValueMap>& values);

}  // namespace lanescope::shell
