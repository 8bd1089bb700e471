#include "support/figure_cases.h"
#include "support/figure_labels.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Label;
using plot::Rect;

Figure totals(const TransposeShape& shape, plot::Size size = {640, 360}) {
  return plot::totals_figure(transpose_trace(shape), {.size = size});
}

bool says(const Figure& figure, std::string_view text) {
  return std::ranges::count(labels_of(figure), text) > 0;
}

std::vector<Rect> bars_of(const Figure& figure, plot::Role role) {
  std::vector<Rect> bars;
  for (const plot::Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect != nullptr && rect->fill == plot::Color::of(role)) bars.push_back(*rect);
  }
  return bars;
}

TEST(TotalsFigure, an_instruction_over_its_ideal_shows_how_far) {
  // 64 blocks x 8 warps x 4 accesses, 32 wavefronts each.
  const Figure figure = totals({.width = 256, .height = 256});
  EXPECT_TRUE(says(figure, "65,536"));
  EXPECT_TRUE(says(figure, "32× ideal"));
  EXPECT_EQ(figure.explanation, "Line 14 (ld.shared) costs 65,536 wavefronts: 32 times the ideal of 2,048.");
}

TEST(TotalsFigure, a_run_that_was_stopped_is_not_praised) {
  trace::Trace trace = transpose_trace({.width = 256, .height = 256, .padding = 1});
  trace.is_complete = false;
  EXPECT_EQ(plot::totals_figure(trace, {}).explanation,
            "The run was stopped: only what ran before is counted.");
}

/// A has more bars, longer names and larger numbers than B.
TEST(TotalsFigure, bars_of_equal_counts_are_equal_beside_another_figure) {
  const trace::Trace a = transpose_trace({.width = 1024, .height = 256});
  const trace::Trace b = transpose_trace({.width = 1024, .height = 256, .variant = Transpose::Naive});
  for (const plot::Size size : {plot::Size{260, 150}, {640, 360}}) {
    const Figure alone_a = plot::totals_figure(a, {.size = size}),
                 alone_b = plot::totals_figure(b, {.size = size});
    const Figure of_a = plot::totals_figure(a, {.size = size, .scale = alone_b.scale}, nullptr);
    const Figure of_b = plot::totals_figure(b, {.size = size, .scale = alone_a.scale}, nullptr);
    const auto tracks_a = bars_of(of_a, plot::Role::Sunken), tracks_b = bars_of(of_b, plot::Role::Sunken);
    ASSERT_FALSE(tracks_a.empty() || tracks_b.empty());
    EXPECT_EQ(tracks_a.front().width, tracks_b.front().width);
    EXPECT_EQ(tracks_a.front().height, tracks_b.front().height);
  }
}

TEST(TotalsFigure, the_ideal_part_of_a_bar_is_to_scale) {
  const Figure figure = totals({.width = 256, .height = 256, .variant = Transpose::Naive});
  const std::vector<Rect> excess = bars_of(figure, plot::Role::Bad);
  const std::vector<Rect> ideal = bars_of(figure, plot::Role::Good);
  ASSERT_EQ(excess.size(), 1);
  ASSERT_EQ(ideal.size(), 2);
  EXPECT_NEAR(excess[0].width / ideal[1].width, 8, 1e-3);  // 32 sectors for 4
}

TEST(TotalsFigure, a_padded_transpose_is_ideal) {
  const Figure figure = totals({.width = 256, .height = 256, .padding = 1});
  EXPECT_TRUE(bars_of(figure, plot::Role::Bad).empty());
  EXPECT_EQ(figure.explanation, "No access costs more than its ideal.");
}

TEST(TotalsFigure, groups_have_headings_and_their_own_scale) {
  const Figure figure = totals({.width = 256, .height = 256});
  EXPECT_TRUE(says(figure, "Global memory: sectors"));
  EXPECT_TRUE(says(figure, "Shared memory: wavefronts"));
  // 8192 sectors are all of their group, however many wavefronts there are.
  EXPECT_EQ(bars_of(figure, plot::Role::Good)[0].width, 640);
}

TEST(TotalsFigure, bars_without_room_are_counted_and_waste_least) {
  const Figure figure = totals({.width = 256, .height = 256}, {300, 60});
  EXPECT_TRUE(says(figure, "65,536"));
  EXPECT_TRUE(says(figure, "and 2 more"));  // 60 points are three rows, one for this line
  EXPECT_EQ(figure.table.rows.size(), 4);
}

TEST(TotalsFigure, clicking_a_bar_selects_its_site) {
  const Figure figure = totals({.width = 256, .height = 256});
  const Rect bar = bars_of(figure, plot::Role::Bad)[0];
  const plot::Pick* pick = plot::pick_at(figure, bar.x + 100, bar.y + bar.height / 2);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->site, SiteId{2});
  EXPECT_EQ(pick->tip, "line 14, ld.shared: 2,048 requests, 65,536 wavefronts, ideal 2,048");
}

TEST(TotalsFigure, an_unrolled_loop_is_one_bar) {
  trace::Trace trace = transpose_trace({.width = 256, .height = 256});
  for (uint32_t n = 4; n < 7; ++n) {
    trace.sites.push_back(trace.sites[2]);
    trace.sites.back().id = SiteId{n};
    trace.totals.push_back(trace.totals[2]);
  }
  const Figure figure = plot::totals_figure(trace, {.size = {640, 360}});
  EXPECT_TRUE(says(figure, "line 14 ld.shared ×4"));
  EXPECT_TRUE(says(figure, "262,144"));  // 4 x 65,536
  EXPECT_EQ(bars_of(figure, plot::Role::Bad).size(), 1);
  EXPECT_EQ(figure.table.rows.size(), 7) << "the table keeps every instruction";
}

TEST(TotalsFigure, instructions_without_a_source_line_are_separate) {
  trace::Trace trace = lone_trace({});
  trace.sites[0].source.line = 0;
  trace.totals[0] = {.requests = 1, .lanes = 32, .bytes = 128, .sectors = 8, .ideal_sectors = 4};
  trace.sites.push_back(trace.sites[0]);
  trace.totals.push_back(trace.totals[0]);
  EXPECT_EQ(bars_of(plot::totals_figure(trace, {}), plot::Role::Bad).size(), 2);
}

TEST(TotalsFigure, constant_memory_has_no_bar_but_a_row_in_the_table) {
  trace::Trace trace = lone_trace({.space = trace::Space::Constant});
  trace.totals[0].requests = 5;
  const Figure figure = plot::totals_figure(trace, {});
  EXPECT_TRUE(figure.marks.empty());
  EXPECT_EQ(figure.table.rows.size(), 1);
}

}  // namespace
}  // namespace lanescope::tests
