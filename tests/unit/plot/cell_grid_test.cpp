#include "plot/cell_grid.h"

#include "plot/heat_map.h"
#include "plot/legend.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

TEST(CellGrid, cells_are_equal_parts_less_the_gap) {
  const CellGrid grid{.box = {10, 20, 80, 40}, .rows = 4, .columns = 8, .gap = 2};
  const Box cell = grid.cell(3, 1);
  EXPECT_EQ(cell.x, 21);
  EXPECT_EQ(cell.y, 51);
  EXPECT_EQ(cell.width, 8);
  EXPECT_EQ(cell.height, 8);
}

TEST(CellGrid, small_cells_have_no_gap) {
  EXPECT_EQ(grid_in({0, 0, 64, 64}, 32, 32).gap, 0);      // 2 points each
  EXPECT_EQ(grid_in({0, 0, 256, 256}, 32, 32).gap, 1);    // 8
  EXPECT_EQ(grid_in({0, 0, 3200, 3200}, 32, 32).gap, 2);  // never more than 2
}

TEST(CellGrid, a_shared_word_shows_the_colors_of_its_lanes) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 100}});
  add_lanes(sheet, {0, 0, 30, 10}, LaneMask{0b1001}, 7);
  ASSERT_EQ(figure.marks.size(), 2);
  const auto& first = std::get<Rect>(figure.marks[0]);
  const auto& second = std::get<Rect>(figure.marks[1]);
  EXPECT_EQ(*first.fill, Color::of_lane(0));
  EXPECT_EQ(*second.fill, Color::of_lane(3));
  EXPECT_EQ(second.x, 15);
  EXPECT_EQ(second.width, 15);
  EXPECT_EQ(second.pick, 7);
}

TEST(CellGrid, a_narrow_cell_shows_as_many_lanes_as_can_be_distinguished) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 100}});
  add_lanes(sheet, {0, 0, 6, 10}, kAllLanes, 0);  // 4 stripes of 1.5 points
  ASSERT_EQ(figure.marks.size(), 4);
  EXPECT_EQ(*std::get<Rect>(figure.marks[1]).fill, Color::of_lane(8));
}

TEST(HeatMap, few_large_cells_are_rectangles_and_many_are_an_image) {
  Figure few;
  Sheet sheet(few, {.size = {100, 100}});
  add_heat_map(sheet, {0, 0, 100, 100}, 2, 2, {0, 1, 2, 4}, 4);
  ASSERT_EQ(few.marks.size(), 4);
  EXPECT_EQ(*std::get<Rect>(few.marks[0]).fill, Color::of(Role::Sunken));
  EXPECT_EQ(*std::get<Rect>(few.marks[2]).fill, Color::of_amount(0.5f));

  Figure many;
  Sheet other(many, {.size = {100, 100}});
  add_heat_map(other, {0, 0, 100, 100}, 50, 50, std::vector<uint32_t>(2500, 1), 1);
  ASSERT_EQ(many.marks.size(), 1);
  EXPECT_EQ(std::get<Cells>(many.marks[0]).columns, 50);
}

TEST(Legend, a_legend_without_room_is_left_out) {
  Figure figure;
  Sheet sheet(figure, {.size = {40, 20}});
  EXPECT_FALSE(add_lane_legend(sheet, 0, 40, 10, Language::English));
  EXPECT_TRUE(figure.marks.empty());
}

TEST(Legend, the_lane_legend_has_a_step_per_lane_between_its_ends) {
  Figure figure;
  Sheet sheet(figure, {.size = {400, 20}});
  ASSERT_TRUE(add_lane_legend(sheet, 0, 400, 10, Language::English));
  ASSERT_EQ(figure.marks.size(), 34);
  EXPECT_EQ(std::get<Label>(figure.marks.front()).text, "lane 0");
  EXPECT_EQ(*std::get<Rect>(figure.marks[32]).fill, Color::of_lane(31));
  EXPECT_EQ(std::get<Label>(figure.marks.back()).text, "31");
}

TEST(Legend, swatches_stop_where_the_room_ends) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 20}, .text = 10});
  const std::vector<Swatch> swatches(9, Swatch{Color::of_kind(0), "P0"});
  const float end = add_swatches(sheet, 0, 100, 10, swatches);
  EXPECT_LE(end, 100);
  EXPECT_EQ(figure.marks.size() % 2, 0);
  EXPECT_LT(figure.marks.size(), 18);
}

TEST(Legend, names_are_written_on_their_swatches_where_there_is_no_room_next_to_them) {
  const std::vector<Swatch> swatches(4, Swatch{Color::of_kind(5), "P0"});
  Figure wide;
  Sheet roomy(wide, {.size = {200, 20}, .text = 10});
  add_swatches(roomy, 0, 200, 10, swatches);
  EXPECT_EQ(wide.marks.size(), 8);
  Figure narrow;
  Sheet tight(narrow, {.size = {90, 20}, .text = 10});
  EXPECT_LE(add_swatches(tight, 0, 90, 10, swatches), 90);
  ASSERT_EQ(narrow.marks.size(), 8);
  const auto& swatch = std::get<Rect>(narrow.marks[0]);
  const auto& name = std::get<Label>(narrow.marks[1]);
  EXPECT_GT(name.x, swatch.x);
  EXPECT_LT(name.x, swatch.x + swatch.width);
  EXPECT_EQ(name.color, Color::on(Color::of_kind(5)));
}

}  // namespace
}  // namespace lanescope::plot
