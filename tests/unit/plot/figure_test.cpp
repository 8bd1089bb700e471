#include "plot/figure.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

Pick named(std::string tip) { return {.tip = std::move(tip)}; }

Rect rect_at(float x, float y, float width, float height, std::optional<size_t> pick) {
  return {.x = x, .y = y, .width = width, .height = height, .pick = pick};
}

TEST(Figure, the_topmost_mark_is_picked) {
  Figure figure;
  figure.picks = {named("below"), named("above")};
  figure.marks = {rect_at(0, 0, 100, 100, 0), rect_at(40, 40, 20, 20, 1)};
  EXPECT_EQ(pick_at(figure, 50, 50)->tip, "above");
  EXPECT_EQ(pick_at(figure, 10, 10)->tip, "below");
  EXPECT_EQ(pick_at(figure, 101, 50), nullptr);
}

TEST(Figure, a_mark_without_a_pick_is_transparent_to_picking) {
  Figure figure;
  figure.picks = {named("below")};
  figure.marks = {rect_at(0, 0, 100, 100, 0), rect_at(0, 0, 100, 100, {}),
                  Label{.x = 50, .y = 50, .text = "x", .color = {}}};
  EXPECT_EQ(pick_at(figure, 50, 50)->tip, "below");
}

TEST(Figure, the_right_and_lower_edges_belong_to_the_neighbor) {
  Figure figure;
  figure.picks = {named("left"), named("right")};
  figure.marks = {rect_at(0, 0, 10, 10, 0), rect_at(10, 0, 10, 10, 1)};
  EXPECT_EQ(pick_at(figure, 10, 5)->tip, "right");
  EXPECT_EQ(pick_at(figure, 9.9f, 5)->tip, "left");
}

TEST(Figure, a_gap_of_a_point_belongs_to_a_cell_next_to_it) {
  Figure figure;
  figure.picks = {named("left"), named("right")};
  figure.marks = {rect_at(0, 0, 10, 10, 0), rect_at(11, 0, 10, 10, 1)};
  EXPECT_NE(pick_at(figure, 10.5f, 5), nullptr);
  EXPECT_EQ(pick_at(figure, 10.5f, 5)->tip, "right");
  EXPECT_EQ(pick_at(figure, 5, 10.5f)->tip, "left");
  EXPECT_EQ(pick_at(figure, 5, 11.5f), nullptr);
}

TEST(Figure, a_line_is_picked_from_three_points_away) {
  Figure figure;
  figure.picks = {named("line")};
  figure.marks = {Line{.x1 = 0, .y1 = 0, .x2 = 100, .y2 = 0, .color = {}, .pick = 0}};
  EXPECT_NE(pick_at(figure, 50, 2.9f), nullptr);
  EXPECT_EQ(pick_at(figure, 50, 3.1f), nullptr);
  EXPECT_EQ(pick_at(figure, 104, 0), nullptr);
}

TEST(Figure, cells_are_colored_by_value) {
  Cells cells;
  cells.maximum = 4;
  EXPECT_EQ(color_of(cells, 4), Color::of_amount(1));
  EXPECT_EQ(color_of(cells, 1), Color::of_amount(0.25f));
  cells.scale = Cells::Scale::Kind;
  EXPECT_EQ(color_of(cells, 1), Color::of_kind(0));
  EXPECT_EQ(color_of(cells, 10), Color::of_kind(1));
}

}  // namespace
}  // namespace lanescope::plot
