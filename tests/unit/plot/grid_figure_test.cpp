#include "support/figure_cases.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::BlockMeasure;
using plot::Figure;

Figure of(const trace::Trace& trace, plot::MapPart part = {}, BlockMeasure measure = BlockMeasure::Sectors) {
  return plot::grid_figure(trace, model::block_costs(trace), measure, CtaId{9},
                           {.size = {900, 500}, .part = part});
}

TEST(GridFigure, each_block_has_a_cell_in_its_place) {
  const Figure figure = of(triangular_grid(8));
  EXPECT_EQ(figure.picks.size(), 64u);
  const plot::ZoomArea& area = figure.zoom_areas.at(0);
  EXPECT_EQ(area.columns, 8u);
  EXPECT_EQ(area.rows, 8u);
  // Block (3, 5) is the fourth of the sixth row.
  const plot::Pick* const pick =
      plot::pick_at(figure, area.x + 3.5f * area.width / 8, area.y + 5.5f * area.height / 8);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->block, CtaId{43});
  // 9 accesses of stride 32: 32 sectors each, where 4 would do.
  EXPECT_EQ(pick->tip, "block (3, 5), number 43: 288 sectors, ideal 36, 9 requests");
}

TEST(GridFigure, equal_blocks_are_said_to_be_equal) {
  const Figure figure = of(transpose_trace({.width = 128, .height = 128}), {}, BlockMeasure::Wavefronts);
  // A tile of 32 x 32 is written in 32 wavefronts and read by columns in 32 of 32.
  EXPECT_EQ(figure.explanation, "Each of the 16 blocks costs 1,056 wavefronts.");
}

TEST(GridFigure, uneven_blocks_are_named) {
  const Figure figure = of(triangular_grid(8));
  // Block (7, 7) reads 15 rows of 32 sectors; blocks above the diagonal read nothing.
  EXPECT_TRUE(
      figure.explanation.starts_with("A block costs from 0, block (1, 0), to 480 sectors, block (7, 7)"))
      << figure.explanation;
}

TEST(GridFigure, a_part_shows_its_blocks_alone) {
  const Figure figure = of(triangular_grid(8), {.zoom = 2, .x = 0.5, .y = 0.5});
  EXPECT_EQ(figure.picks.size(), 16u);
  EXPECT_EQ(figure.subtitle, "grid 8 × 8 · sectors · blocks (4, 4) to (7, 7)");
}

TEST(GridFigure, a_grid_of_one_row_is_folded) {
  TraceBuilder row({200, 1, 1}, {32, 1, 1});
  const uint32_t in = row.buffer("in", 65536, 0);
  const SiteId load = row.site({.space = trace::Space::Global}, 4);
  row.block({0});
  row.affine(load, {0}, trace::global_address(in, 0), 4);
  const Figure figure = of(row.take());
  EXPECT_GT(figure.zoom_areas.at(0).rows, 1u);
  EXPECT_NE(figure.source.find("drawn in rows of"), std::string::npos);
  EXPECT_NE(figure.explanation.find("1 of 200 blocks are counted"), std::string::npos) << figure.explanation;
}

TEST(GridFigure, many_blocks_are_an_image_until_they_are_zoomed) {
  const trace::Trace trace = triangular_grid(80);
  const auto has_image = [](const Figure& figure) {
    return std::ranges::any_of(
        figure.marks, [](const plot::Mark& mark) { return std::holds_alternative<plot::Cells>(mark); });
  };
  EXPECT_TRUE(has_image(of(trace)));
  EXPECT_FALSE(has_image(of(trace, {.zoom = 4})));
}

}  // namespace
}  // namespace lanescope::tests
