// Which cells a part of a map shows.

#include "plot/map_part.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

TEST(MapPart, all_cells_where_nothing_is_zoomed) {
  EXPECT_EQ(shown_cells(0, 1, 10), (CellRange{0, 10}));
  EXPECT_EQ(shown_cells(0, 1, 1), (CellRange{0, 1}));
}

TEST(MapPart, whole_cells_are_shown) {
  // A third of 10 cells from the middle on: 3.33 cells, so 4, from cell 5 on.
  EXPECT_EQ(shown_cells(0.5, 3, 10), (CellRange{5, 4}));
  // Half of 64 cells, from 0.25 on.
  EXPECT_EQ(shown_cells(0.25, 2, 64), (CellRange{16, 32}));
}

TEST(MapPart, the_last_cells_are_shown_at_the_end) {
  EXPECT_EQ(shown_cells(0.9, 2, 10), (CellRange{5, 5}));
  EXPECT_EQ(shown_cells(1, 1000, 10), (CellRange{9, 1}));
}

TEST(MapPart, the_wheel_stops_at_four_cells) {
  EXPECT_EQ(deepest_zoom({.columns = 64, .rows = 16}), 16);
  EXPECT_EQ(deepest_zoom({.columns = 3, .rows = 3}), 1);
}

}  // namespace
}  // namespace lanescope::plot
