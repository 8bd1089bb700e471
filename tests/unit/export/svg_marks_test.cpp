#include "export/svg_marks.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Role;

std::string svg_with(plot::Mark mark) {
  Page page;
  page.size = {100, 50};
  page.marks.push_back(std::move(mark));
  const auto svg = svg_of(page, plot::Theme::Light);
  EXPECT_TRUE(svg) << svg.error().message;
  return svg.value_or("");
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(SvgMarks, a_page_has_its_size_in_points) {
  EXPECT_TRUE(has(svg_with(plot::Line{}), "width=\"100pt\" height=\"50pt\" viewBox=\"0 0 100 50\""));
}

TEST(SvgMarks, a_label_is_text_with_its_baseline_below_its_middle) {
  const std::string svg = svg_with(plot::Label{.x = 10,
                                               .y = 20,
                                               .text = "a<b",
                                               .size = 10,
                                               .color = Color::of(Role::Ink),
                                               .anchor = plot::Label::Anchor::End});
  // Half of a capital's height of 0.727 em is 3.635 points.
  EXPECT_TRUE(has(svg, "<text x=\"10\" y=\"23.6")) << svg;
  EXPECT_TRUE(has(svg, "text-anchor=\"end\"")) << svg;
  EXPECT_TRUE(has(svg, ">a&lt;b</text>")) << svg;
}

TEST(SvgMarks, cells_are_an_image_of_a_pixel_each) {
  const std::string svg = svg_with(plot::Cells{.x = 1,
                                               .y = 2,
                                               .width = 30,
                                               .height = 20,
                                               .rows = 2,
                                               .columns = 3,
                                               .value = {0, 1, 2, 3, 2, 1},
                                               .maximum = 3});
  EXPECT_TRUE(has(svg, "<image x=\"1\" y=\"2\" width=\"30\" height=\"20\"")) << svg;
  // Base64 of the eight bytes that a PNG begins with, and of the first two of the length 13 of its header.
  EXPECT_TRUE(has(svg, "data:image/png;base64,iVBORw0KGgoAAAAN")) << svg;
}

/// Ink is 0x16202c in the light theme, 0xe9eef4 in the dark one; a gray of a picture is the same in both.
TEST(SvgMarks, a_page_of_html_has_the_colors_of_both_themes) {
  Page page{{100, 50}, {}};
  page.marks.emplace_back(plot::Line{.x2 = 1.23456f, .color = Color::of(Role::Ink)});
  page.marks.emplace_back(plot::Rect{.width = 3, .height = 4, .fill = Color::of_gray(0), .stroke = {}});
  page.marks.emplace_back(
      plot::Cells{.width = 3, .height = 2, .rows = 1, .columns = 1, .value = {1}, .maximum = 1});
  const std::string svg = svg_of_both_themes(page).value_or("");
  EXPECT_TRUE(has(svg,
                  "x2=\"1.23\" y2=\"0\" stroke-width=\"1\" stroke=\"#16202c\" "
                  "style=\"stroke:light-dark(#16202c,#e9eef4);\"/>"))
      << svg;
  EXPECT_TRUE(has(svg, "height=\"4\" fill=\"#000000\"/>")) << svg;
  EXPECT_TRUE(has(svg, "<image class=\"on-light\"")) << svg;
  EXPECT_TRUE(has(svg, "<image class=\"on-dark\"")) << svg;
}

TEST(SvgMarks, a_rectangle_without_a_size_is_left_out) {
  const std::string svg =
      svg_with(plot::Rect{.width = 0, .height = 5, .fill = Color::of(Role::Bad), .stroke = {}});
  EXPECT_EQ(std::ranges::count(svg, '<'), 4);  // the declaration, the root and its end, and the background
}

}  // namespace
}  // namespace lanescope::exporting
