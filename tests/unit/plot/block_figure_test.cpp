#include "support/figure_cases.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Label;
using plot::Rect;

Figure blocks(uint32_t n, Transpose variant, std::optional<CtaId> selected = {},
              const model::Device& device = gt200()) {
  const trace::Trace trace = transpose_trace({.width = n, .height = n, .padding = 1, .variant = variant});
  return plot::block_figure(trace, model::map_tiles(trace), device, {.selected = selected},
                            {.size = {700, 400}});
}

/// Block numbers as written into the tiles of one half of the sheet, row by row.
std::string numbers_of(const Figure& figure, bool right_half) {
  std::map<std::pair<int, int>, std::string> by_place;
  for (const plot::Mark& mark : figure.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (label == nullptr || label->anchor != Label::Anchor::Middle) continue;
    if ((label->x > figure.size.width / 2) != right_half) continue;
    by_place[{static_cast<int>(label->y), static_cast<int>(label->x)}] = label->text;
  }
  std::string text;
  int row = -1;
  for (const auto& [place, number] : by_place) {
    text += text.empty() ? "" : place.first != row ? " / " : " ";
    text += number;
    row = place.first;
  }
  return text;
}

TEST(BlockFigure, four_by_four_tiles_are_numbered_as_the_slides_do) {
  const Figure plain = blocks(128, Transpose::Tiled);
  EXPECT_EQ(numbers_of(plain, false), "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15");
  EXPECT_EQ(numbers_of(plain, true), "0 4 8 12 / 1 5 9 13 / 2 6 10 14 / 3 7 11 15");
}

TEST(BlockFigure, diagonal_order_is_numbered_as_the_slides_do) {
  const Figure diagonal = blocks(128, Transpose::Diagonal);
  EXPECT_EQ(numbers_of(diagonal, false), "0 4 8 12 / 13 1 5 9 / 10 14 2 6 / 7 11 15 3");
  EXPECT_EQ(numbers_of(diagonal, true), "0 13 10 7 / 4 1 14 11 / 8 5 2 15 / 12 9 6 3");
}

TEST(BlockFigure, tiles_are_colored_by_the_partition_of_their_first_byte) {
  // 512 floats a row: two tile columns to a partition, so block 2 reads from partition 1.
  const Figure figure = blocks(512, Transpose::Tiled);
  const auto color_of_block = [&](uint32_t block) {
    for (const plot::Mark& mark : figure.marks) {
      const auto* rect = std::get_if<Rect>(&mark);
      if (rect == nullptr || !rect->pick) continue;
      if (figure.picks[*rect->pick].block == CtaId{block}) return *rect->fill;
    }
    return plot::Color{};
  };
  EXPECT_EQ(color_of_block(1), plot::Color::of_kind(0));
  EXPECT_EQ(color_of_block(2), plot::Color::of_kind(1));
  EXPECT_EQ(color_of_block(15), plot::Color::of_kind(7));
  EXPECT_LT(color_of_block(90).opacity, 0.5f) << "90 blocks are in flight at first, 0 to 89";
  EXPECT_EQ(color_of_block(89).opacity, 1.0f);
}

TEST(BlockFigure, the_selected_block_is_outlined_in_both_matrices) {
  const Figure figure = blocks(128, Transpose::Tiled, CtaId{6});
  const auto outlines = std::ranges::count_if(figure.marks, [](const plot::Mark& mark) {
    const auto* rect = std::get_if<Rect>(&mark);
    return rect != nullptr && rect->stroke == plot::Color::of(plot::Role::Accent);
  });
  EXPECT_EQ(outlines, 2);
}

TEST(BlockFigure, beyond_64_by_64_tiles_an_image_is_drawn_and_can_still_be_picked) {
  const trace::Trace trace = transpose_trace({.width = 65 * 32, .height = 65 * 32, .padding = 1});
  const Figure figure = plot::block_figure(trace, model::map_tiles(trace), gt200(), {}, {.size = {700, 400}});
  std::vector<plot::Cells> images;
  for (const plot::Mark& mark : figure.marks) {
    if (const auto* cells = std::get_if<plot::Cells>(&mark)) images.push_back(*cells);
  }
  ASSERT_EQ(images.size(), 2);
  EXPECT_EQ(images[1].rows, 65);
  EXPECT_EQ(images[1].columns, 65);
  const plot::Cells& writes = images[1];
  const float tile = writes.width / 65;
  // The tile below the first in the output is block 1's.
  const plot::Pick* pick = plot::pick_at(figure, writes.x + tile / 2, writes.y + 1.5f * writes.height / 65);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->block, CtaId{1});
}

TEST(BlockFigure, without_a_known_map_tiles_are_colored_by_launch_order) {
  const Figure figure = blocks(128, Transpose::Tiled, {}, device_without_map());
  const auto last = std::ranges::find_if(figure.marks, [&](const plot::Mark& mark) {
    const auto* rect = std::get_if<Rect>(&mark);
    return rect != nullptr && rect->pick && figure.picks[*rect->pick].block == CtaId{15};
  });
  ASSERT_NE(last, figure.marks.end());
  EXPECT_EQ(*std::get<Rect>(*last).fill, plot::Color::of_amount(1));
  EXPECT_EQ(std::get<std::string>(figure.table.rows[0][7]), "unknown");
}

TEST(BlockFigure, the_explanation_describes_how_reads_and_writes_move) {
  EXPECT_EQ(
      blocks(128, Transpose::Tiled).explanation,
      "From block 0 to block 1, the reads of in move by 0 rows and 32 columns, the writes to out move by "
      "32 rows and 0 columns.");
}

TEST(BlockFigure, a_kernel_without_matrices_leaves_the_sheet_empty) {
  trace::Trace trace = lone_trace({});
  EXPECT_TRUE(plot::block_figure(trace, {}, gt200(), {}, {}).marks.empty());
}

}  // namespace
}  // namespace lanescope::tests
