#include "support/figure_cases.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Label;
using plot::Rect;

Figure timeline(uint32_t repeat, uint32_t current, plot::Size size = {1000, 90}) {
  return plot::timeline_figure(timeline_of(transpose_trace({.width = 64, .height = 64}), repeat), current,
                               Provenance::Emulated, {.size = size});
}

std::vector<Rect> outlines_of(const Figure& figure) {
  std::vector<Rect> outlines;
  for (const plot::Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect != nullptr && rect->stroke == plot::Color::of(plot::Role::Accent)) outlines.push_back(*rect);
  }
  return outlines;
}

TEST(TimelineFigure, every_access_has_a_box_that_leads_to_it) {
  const Figure figure = timeline(1, 8);
  std::set<uint32_t> accesses;
  for (const plot::Pick& pick : figure.picks) accesses.insert(*pick.access);
  EXPECT_EQ(accesses.size(), 16);
  EXPECT_EQ(figure.picks[8].tip, "access 9: line 14, ld.shared, 32 wavefronts, ideal 1");
  EXPECT_EQ(figure.subtitle, "access 9 of 16");
}

TEST(TimelineFigure, the_current_access_is_outlined) {
  const Figure figure = timeline(1, 8);
  const std::vector<Rect> outlines = outlines_of(figure);
  ASSERT_EQ(outlines.size(), 1);
  const Rect& box = outlines[0];
  EXPECT_EQ(plot::pick_at(figure, box.x + box.width / 2, box.y + box.height / 2)->access, 8);
}

TEST(TimelineFigure, the_ideal_and_the_excess_have_their_colors) {
  const Figure figure = timeline(1, 0);
  const auto color_of_access = [&](uint32_t access) -> std::optional<plot::Color> {
    for (const plot::Mark& mark : figure.marks) {
      const auto* rect = std::get_if<Rect>(&mark);
      if (rect != nullptr && rect->pick && figure.picks[*rect->pick].access == access) return rect->fill;
    }
    return {};
  };
  ASSERT_TRUE(color_of_access(0) && color_of_access(1) && color_of_access(8));
  EXPECT_EQ(color_of_access(0)->role, plot::Role::Good);
  EXPECT_EQ(*color_of_access(0), *color_of_access(1)) << "both at their ideal";
  EXPECT_EQ(color_of_access(8)->role, plot::Role::Bad) << "32 wavefronts for 1";
}

TEST(TimelineFigure, a_long_timeline_shows_the_part_around_the_current_access_and_a_strip_of_all) {
  const Figure figure = timeline(30, 311);
  const std::vector<Rect> outlines = outlines_of(figure);
  ASSERT_EQ(outlines.size(), 2);  // the current box, and the part of the strip that is shown
  EXPECT_EQ(plot::pick_at(figure, outlines[0].x + 20, outlines[0].y + 10)->access, 311);
  const Rect& part = outlines[1];
  EXPECT_LT(part.x, 1000 * 311.0f / 480);
  EXPECT_GT(part.x + part.width, 1000 * 311.0f / 480);
}

TEST(TimelineFigure, the_first_and_the_last_access_can_be_reached) {
  for (const uint32_t current : {0u, 479u}) {
    const Figure figure = timeline(30, current);
    const Rect box = outlines_of(figure)[0];
    EXPECT_EQ(plot::pick_at(figure, box.x + box.width / 2, box.y + box.height / 2)->access, current);
  }
}

TEST(TimelineFigure, no_access_is_no_mark) {
  const Figure figure = plot::timeline_figure({}, 0, Provenance::Emulated, {});
  EXPECT_TRUE(figure.marks.empty());
  EXPECT_TRUE(figure.subtitle.empty());
}

TEST(TimelineFigure, a_position_beyond_the_end_outlines_nothing) {
  EXPECT_TRUE(outlines_of(timeline(1, 99)).empty());
}

}  // namespace
}  // namespace lanescope::tests
