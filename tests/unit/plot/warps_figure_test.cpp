#include "support/figure_cases.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Rect;

Figure of(const trace::Trace& trace, const plot::WarpsView& view, plot::MapPart part = {},
          plot::Size size = {900, 300}) {
  return plot::warps_figure(trace, model::block_timeline(trace, trace.blocks.front()), view,
                            {.size = size, .part = part});
}

TEST(WarpsFigure, every_event_has_a_cell_that_leads_to_it) {
  const Figure figure =
      of(with_barrier(transpose_trace({.width = 64, .height = 64})), {.warp = WarpId{2}, .access = 8});
  std::set<std::pair<uint32_t, uint32_t>> accesses;
  for (const plot::Pick& pick : figure.picks)
    if (pick.access) accesses.emplace(pick.warp.value().value, *pick.access);
  EXPECT_EQ(accesses.size(), 8u * 16);
  EXPECT_EQ(figure.subtitle, "block (0, 0) · 8 warps");
  EXPECT_EQ(figure.explanation, "The block makes 128 accesses and meets at 1 barrier.");
  const auto barrier =
      std::ranges::find_if(figure.picks, [](const plot::Pick& pick) { return !pick.access; });
  EXPECT_EQ(barrier->tip, "warp 0: barrier 1 of 1, where 8 warps meet, line 12");
}

TEST(WarpsFigure, barriers_of_warps_that_meet_are_one_line) {
  const Figure figure = of(uneven_block(1), {});
  std::set<float> places, heights;
  float length = 0;
  for (const plot::Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect == nullptr || rect->fill != plot::Color::of(plot::Role::Ink, 0.75f)) continue;
    if (rect->y > figure.zoom_areas.at(0).y + figure.zoom_areas[0].height) continue;  // of the legend
    places.insert(rect->x);
    length += rect->height;
  }
  EXPECT_EQ(places.size(), 1u);
  EXPECT_NEAR(length, figure.zoom_areas.at(0).height, 0.01);
}

TEST(WarpsFigure, says_which_warp_makes_most_accesses) {
  const Figure figure = of(uneven_block(2), {});
  EXPECT_NE(figure.explanation.find("Warp 6 makes the most of them, 14, and warp 7 the fewest, 0."),
            std::string::npos)
      << figure.explanation;
}

TEST(WarpsFigure, a_part_shows_its_columns_alone) {
  const trace::Trace trace = uneven_block(60);
  const Figure whole = of(trace, {}), part = of(trace, {}, {.zoom = 10, .x = 0.5});
  EXPECT_EQ(whole.zoom_areas.at(0).columns, 480u);
  EXPECT_EQ(part.subtitle, "block 0 · columns 241 to 288 of 480");
  // Warp 6 makes an access in 7 of each 8 columns.
  std::set<uint32_t> seen;
  for (const plot::Pick& pick : part.picks)
    if (pick.access && pick.warp == WarpId{6}) seen.insert(*pick.access);
  EXPECT_EQ(seen.size(), 42u);
  EXPECT_EQ(*seen.begin(), 210u);
}

TEST(WarpsFigure, without_room_for_all_the_costliest_access_of_a_place_is_shown) {
  const Figure figure = of(uneven_block(60), {}, {}, {300, 200});
  bool has_excess = false;
  for (const plot::Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect == nullptr || !rect->pick) continue;
    EXPECT_GE(rect->width, 1.9f);
    has_excess = has_excess || (rect->fill && rect->fill->role == plot::Role::Bad);
  }
  EXPECT_TRUE(has_excess);
}

TEST(WarpsFigure, what_was_not_recorded_is_said) {
  const Figure figure = of(transpose_trace({.width = 64, .height = 64}), {});
  EXPECT_NE(figure.source.find("were not recorded"), std::string::npos);
  EXPECT_EQ(figure.explanation, "Barriers and other waits of this run were not recorded.");
}

TEST(WarpsFigure, without_costs_nothing_tells_them) {
  const Figure figure = of(uneven_block(1), {.warp = {}, .with_costs = false});
  for (const plot::Pick& pick : figure.picks) EXPECT_EQ(pick.tip.find("sector"), std::string::npos);
  for (const plot::Mark& mark : figure.marks)
    if (const auto* rect = std::get_if<Rect>(&mark); rect != nullptr && rect->fill) {
      EXPECT_NE(rect->fill->role, plot::Role::Good);
      EXPECT_NE(rect->fill->role, plot::Role::Bad);
    }
}

}  // namespace
}  // namespace lanescope::tests
