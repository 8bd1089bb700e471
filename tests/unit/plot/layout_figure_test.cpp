#include "plot/layout_figure.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

Figure drawn(const char* swizzle, Language language = Language::English, Size size = {960, 540}) {
  layout::QuestionText text;
  text.layout = "(8,64):(64,1)";
  text.swizzle = swizzle;
  text.accesses = {"ldmatrix.x4", "st.row.16"};
  const layout::Report report = layout::report_of(layout::parse(text).value()).value();
  return layout_figure(report, {.size = size, .language = language});
}

std::vector<const Cells*> cells_of(const Figure& figure) {
  std::vector<const Cells*> all;
  for (const Mark& mark : figure.marks)
    if (const auto* cells = std::get_if<Cells>(&mark)) all.push_back(cells);
  return all;
}

/// How many labels have this text.
std::ptrdiff_t count_labels(const Figure& figure, const std::string& text) {
  return std::ranges::count_if(figure.marks, [&](const Mark& mark) {
    const auto* label = std::get_if<Label>(&mark);
    return label != nullptr && label->text == text && label->face == Label::Face::Strong;
  });
}

TEST(LayoutFigure, shows_the_bank_of_each_element_before_and_after) {
  const Figure figure = drawn("3,3,3");
  const auto cells = cells_of(figure);
  ASSERT_EQ(cells.size(), 2u);
  for (const Cells* one : cells) {
    EXPECT_EQ(one->rows, 8u);
    EXPECT_EQ(one->columns, 64u);
  }
  // Row 1, column 8 is byte 144, bank 4; swizzled it is element 0x40, byte 128, bank 0. Values count from 1.
  EXPECT_EQ(cells[0]->value[64 + 8], 5u);
  EXPECT_EQ(cells[1]->value[64 + 8], 1u);
}

TEST(LayoutFigure, numbers_the_wavefronts_of_one_request) {
  const Figure figure = drawn("3,3,3");
  // Plain: 32 lanes in 32 wavefronts, so wavefront 31 has one lane. Swizzled: 8 lanes in each of 4.
  EXPECT_EQ(count_labels(figure, "31"), 1);
  EXPECT_EQ(count_labels(figure, "3"), 1 + 8);
}

TEST(LayoutFigure, without_an_arrangement_there_is_one_tile) { EXPECT_EQ(cells_of(drawn("")).size(), 1u); }

TEST(LayoutFigure, both_tiles_have_a_name_where_their_sizes_have_no_room) {
  const Figure figure = drawn("3,3,3", Language::English, {300, 200});
  EXPECT_EQ(count_labels(figure, "plain"), 1);
  EXPECT_EQ(count_labels(figure, "Swizzle<3,3,3>"), 1);
}

TEST(LayoutFigure, table_has_a_row_for_each_access) {
  const Figure figure = drawn("3,3,3");
  ASSERT_EQ(figure.table.rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[0][0]), "ldmatrix.x4");
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[0][2]), 64);
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[0][3]), 8);
}

TEST(LayoutFigure, marks_stay_inside_in_every_size_and_language) {
  for (const Language language : {Language::English, Language::French}) {
    for (const Size size : {Size{320, 200}, Size{960, 540}, Size{300, 900}}) {
      const Figure figure = drawn("3,3,3", language, size);
      for (const Mark& mark : figure.marks) {
        const auto* cells = std::get_if<Cells>(&mark);
        if (cells == nullptr) continue;
        EXPECT_GT(cells->width, 0);
        EXPECT_GT(cells->height, 0);
        EXPECT_LE(cells->x + cells->width, size.width + 0.5f);
        EXPECT_LE(cells->y + cells->height, size.height + 0.5f);
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::plot
