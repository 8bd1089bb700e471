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
  return plot::timeline_figure(timeline_of(transpose_trace({.width = 64, .height = 64}), repeat),
                               {.current = current}, Provenance::Emulated, {.size = size});
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
  EXPECT_TRUE(figure.picks[8].tip.starts_with(
      "access 9, LD s: load of 4 bytes from shared memory, line 14, 32 lanes, 32 wavefronts; ideal 1\n"))
      << figure.picks[8].tip;
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

TEST(TimelineFigure, without_costs_nothing_tells_an_expensive_access_from_a_cheap_one) {
  const Figure figure =
      plot::timeline_figure(timeline_of(transpose_trace({.width = 64, .height = 64}), 1),
                            {.current = 3, .with_costs = false}, Provenance::Emulated, {.size = {1000, 90}});
  std::set<std::string> labels;
  for (const plot::Mark& mark : figure.marks) {
    if (const auto* label = std::get_if<Label>(&mark)) labels.insert(label->text);
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect != nullptr && rect->fill) {
      EXPECT_EQ(rect->fill->role, plot::Role::Dim);
    }
  }
  for (const std::string& label : labels)
    EXPECT_TRUE(label.starts_with("line ") || label.starts_with("LD ") || label.starts_with("ST ")) << label;
  for (const plot::Pick& pick : figure.picks)
    EXPECT_EQ(pick.tip.find("ideal"), std::string::npos) << pick.tip;
}

TEST(TimelineFigure, an_older_device_counts_transactions_and_passes) {
  const trace::Trace trace = transpose_trace({.width = 64, .height = 64});
  const Figure figure = plot::timeline_figure(
      model::warp_timeline(trace, trace.blocks.front(), WarpId{2}, 13),
      {.current = 0, .units = model::CostUnits::Transactions}, Provenance::Emulated, {.size = {2000, 90}});
  EXPECT_NE(figure.picks[0].tip.find("2 transactions; ideal 2"), std::string::npos) << figure.picks[0].tip;
  EXPECT_NE(figure.picks[8].tip.find("32 passes; ideal 2"), std::string::npos) << figure.picks[8].tip;
}

TEST(TimelineFigure, no_access_is_no_mark) {
  const Figure figure = plot::timeline_figure({}, {}, Provenance::Emulated, {});
  EXPECT_TRUE(figure.marks.empty());
  EXPECT_TRUE(figure.subtitle.empty());
}

TEST(TimelineFigure, a_position_beyond_the_end_outlines_nothing) {
  EXPECT_TRUE(outlines_of(timeline(1, 99)).empty());
}

}  // namespace
}  // namespace lanescope::tests
