#include "plot/axis.h"

#include "support/figure_labels.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using tests::labels_of;

TEST(Axis, steps_are_round) {
  EXPECT_EQ(tick_step(10, 20, Steps::Binary, 2), 1);
  EXPECT_EQ(tick_step(10, 5, Steps::Binary, 2), 4);  // 12 / 5 = 2.4
  EXPECT_EQ(tick_step(10, 5, Steps::Decimal, 2), 5);
  EXPECT_EQ(tick_step(10, 1, Steps::Decimal, 2), 20);
  EXPECT_EQ(tick_step(10, 0.3f, Steps::Decimal, 2), 50);  // 40
}

TEST(Axis, zero_spacing_terminates) {
  EXPECT_GE(tick_step(10, 0, Steps::Binary, 2), 1u << 30);
  EXPECT_GE(tick_step(10, -1, Steps::Decimal, 2), 1u << 29);
}

TEST(Axis, ticks_take_every_position_where_there_is_room_and_fewer_where_not) {
  Figure wide;
  Sheet sheet(wide, {.size = {400, 20}, .text = 10});
  add_ticks_along(sheet, {.count = 8, .start = 20, .spacing = 40}, 10);
  EXPECT_THAT(labels_of(wide), testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));

  Figure narrow;
  Sheet small(narrow, {.size = {80, 20}, .text = 10});
  add_ticks_along(small, {.count = 32, .start = 10, .spacing = 2}, 10);
  EXPECT_THAT(labels_of(narrow), testing::ElementsAre("0", "16"));  // two digits and a gap: 16.7 points
}

TEST(Axis, numbers_may_start_and_step_elsewhere) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 100}, .text = 10});
  add_ticks_down(sheet, {.count = 3, .start = 10, .spacing = 20, .first = 5, .each = 10}, 60, "P");
  EXPECT_THAT(labels_of(figure), testing::ElementsAre("P5", "P15", "P25"));
}

TEST(Axis, a_tick_is_centered_on_its_position) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 100}, .text = 10});
  add_ticks_along(sheet, {.count = 1, .start = 20, .spacing = 30}, 50);
  const auto& label = std::get<Label>(figure.marks.front());
  EXPECT_EQ(label.x, 35);
  EXPECT_EQ(label.y, 50);
  EXPECT_EQ(label.anchor, Label::Anchor::Middle);
}

}  // namespace
}  // namespace lanescope::plot
