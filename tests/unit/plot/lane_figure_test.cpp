#include "support/figure_cases.h"

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;

const plot::Cells& cells_of(const Figure& figure) {
  for (const plot::Mark& mark : figure.marks)
    if (const auto* cells = std::get_if<plot::Cells>(&mark)) return *cells;
  throw std::logic_error("the figure has no cells");
}

TEST(LaneFigure, a_cell_is_filled_where_the_lane_is_active) {
  const plot::LaneSteps steps = diverging_steps();
  const Figure figure = plot::lane_figure(steps, Provenance::Emulated, {});
  const plot::Cells& cells = cells_of(figure);
  ASSERT_EQ(cells.rows, 32u);
  ASSERT_EQ(cells.columns, steps.steps.size());
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t n = 0; n < cells.columns; ++n)
      EXPECT_EQ(cells.value[lane * cells.columns + n] != 0,
                steps.steps[n].active.test(static_cast<int>(lane)));
}

TEST(LaneFigure, headlines_and_sentence_count_the_lanes) {
  const Figure figure = plot::lane_figure(diverging_steps(), Provenance::Emulated, {});
  EXPECT_EQ(figure.headlines[0].value, "16");
  EXPECT_EQ(figure.headlines[1].value, "19.6");  // (3 x 32 + 4 x 16 + 2 x 8) / 9
  EXPECT_EQ(figure.explanation, "In 6 of 9 steps some lanes are inactive; on average 19.6 of 32 are active.");
  EXPECT_EQ(figure.subtitle, "instruction 6 of 9");
}

TEST(LaneFigure, a_column_selects_its_step_and_a_row_is_a_lane) {
  const Figure figure = plot::lane_figure(diverging_steps(), Provenance::Emulated, {});
  const plot::Cells& cells = cells_of(figure);
  const float column = cells.width / static_cast<float>(cells.columns), row = cells.height / 32;
  const plot::Pick* step = plot::pick_at(figure, cells.x + 3.5f * column, cells.y + 2.5f * row);
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->instruction, 3u);
  EXPECT_EQ(step->access, std::nullopt);
  EXPECT_EQ(step->tip, "instruction 4, line 8, add.s32 %r1, %r1, 1: 8 of 32 lanes active (lanes 0 to 7)");
  const plot::Pick* lane = plot::pick_at(figure, cells.x - 5, cells.y + 2.5f * row);
  ASSERT_NE(lane, nullptr);
  EXPECT_EQ(lane->lanes, LaneMask{4});
}

TEST(LaneFigure, of_many_steps_those_around_the_current_one_are_in_sight) {
  plot::LaneSteps steps{.kind = plot::LaneSteps::Kind::Accesses, .steps = {}};
  steps.steps.resize(5000, plot::LaneStep{kAllLanes, 1, "ld.global"});
  for (const uint32_t current : {0u, 2500u, 4999u}) {
    steps.current = current;
    const Figure figure = plot::lane_figure(steps, Provenance::Emulated, {.size = {640, 300}});
    EXPECT_LT(cells_of(figure).columns, 200u);
    bool in_sight = false;
    for (const plot::Pick& pick : figure.picks) in_sight |= pick.access == current;
    EXPECT_TRUE(in_sight) << current;
  }
}

TEST(LaneFigure, the_last_warp_of_a_block_may_have_fewer_lanes) {
  trace::Trace trace;
  trace.block = Dim3{40, 1, 1};
  EXPECT_EQ(plot::lanes_of_warp(trace, WarpId{0}), kAllLanes);
  EXPECT_EQ(plot::lanes_of_warp(trace, WarpId{1}), LaneMask{0xff});
}

TEST(LaneFigure, no_step_is_no_mark) {
  EXPECT_TRUE(plot::lane_figure({}, Provenance::Emulated, {}).marks.empty());
}

}  // namespace
}  // namespace lanescope::tests
