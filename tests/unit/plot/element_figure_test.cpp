#include "support/figure_cases.h"

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Cells;
using plot::Figure;

Figure elements_of(const model::ElementMap& map, uint32_t blocks) {
  trace::Trace trace = transpose_trace({.width = 64, .height = 64});
  trace.grid = {blocks, 1, 1};
  return plot::element_figure(trace, map, {.size = {640, 360}});
}

TEST(ElementFigure, the_map_is_drawn_as_it_is) {
  const Figure figure = elements_of({.buffer = 1, .rows = 2, .columns = 3, .block = {1, 1, 2, 1, 1, 0}}, 2);
  const auto& cells = std::get<Cells>(figure.marks.front());
  EXPECT_EQ(cells.rows, 2);
  EXPECT_EQ(cells.columns, 3);
  EXPECT_EQ(cells.maximum, 2);
  EXPECT_EQ(cells.value, (std::vector<uint32_t>{1, 1, 2, 1, 1, 0}));
}

TEST(ElementFigure, the_table_holds_the_rectangles_of_each_block) {
  const Figure figure = elements_of({.buffer = 1, .rows = 2, .columns = 3, .block = {1, 1, 2, 1, 1, 0}}, 2);
  ASSERT_EQ(figure.table.rows.size(), 2);
  EXPECT_EQ(figure.table.rows[0],
            (std::vector<plot::TableValue>{int64_t{0}, int64_t{0}, int64_t{0}, int64_t{2}, int64_t{2}}));
  EXPECT_EQ(figure.table.rows[1],
            (std::vector<plot::TableValue>{int64_t{1}, int64_t{0}, int64_t{2}, int64_t{1}, int64_t{1}}));
  EXPECT_EQ(figure.explanation, "2 blocks access 5 of 6 elements.");
}

TEST(ElementFigure, runs_that_are_not_aligned_stay_separate) {
  const Figure figure =
      elements_of({.buffer = 1, .rows = 3, .columns = 4, .block = {1, 1, 1, 2, 1, 1, 2, 2, 1, 1, 2, 2}}, 2);
  ASSERT_EQ(figure.table.rows.size(), 4);
  int64_t area = 0;
  for (const auto& row : figure.table.rows) area += std::get<int64_t>(row[3]) * std::get<int64_t>(row[4]);
  EXPECT_EQ(area, 12);
}

TEST(ElementFigure, a_transpose_is_one_rectangle_per_block) {
  const trace::Trace trace = transpose_trace({.width = 256, .height = 256, .variant = Transpose::Diagonal});
  const Figure figure =
      plot::element_figure(trace, *model::map_elements(trace, 1, trace::Kind::Store), {.size = {640, 360}});
  EXPECT_EQ(figure.table.rows.size(), 64);
  EXPECT_EQ(figure.explanation, "64 blocks access 65,536 of 65,536 elements.");
}

TEST(ElementFigure, clicking_an_element_selects_its_block) {
  const Figure figure = elements_of({.buffer = 1, .rows = 2, .columns = 2, .block = {1, 2, 3, 4}}, 4);
  const auto& cells = std::get<Cells>(figure.marks.front());
  const plot::Pick* pick =
      plot::pick_at(figure, cells.x + 0.75f * cells.width, cells.y + 0.75f * cells.height);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->block, CtaId{3});
}

}  // namespace
}  // namespace lanescope::tests
