// Rooflines: the numbers of the points, and that names do not cover each other.

#include "plot/sheet.h"
#include "support/model_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

TEST(RooflineFigure, tabulates_the_roof_and_the_origin_of_each_point) {
  const Figure figure =
      roofline_figure(tests::recorded_points(), tests::modelled_points(), {.size = {900, 420}});
  ASSERT_EQ(figure.table.rows.size(), 8u);
  const auto& naive = figure.table.rows[0];
  EXPECT_EQ(std::get<std::string>(naive[2]), "recorded");
  EXPECT_NEAR(std::get<double>(naive[5]), 4800.0 * 8 / 36, 1e-9);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[4][2]), "modelled");
}

TEST(RooflineFigure, marks_shared_memory_where_it_is_lower_than_the_roof) {
  const Figure figure =
      roofline_figure(tests::recorded_points(), tests::modelled_points(), {.size = {900, 420}});
  int ceilings = 0;
  for (const Mark& mark : figure.marks)
    if (const auto* line = std::get_if<Line>(&mark); line != nullptr && line->pick) ++ceilings;
  EXPECT_EQ(ceilings, 1);  // of the tile without padding
}

TEST(RooflineFigure, names_every_point_and_none_covers_another) {
  const Figure figure =
      roofline_figure(tests::recorded_points(), tests::modelled_points(), {.size = {900, 420}});
  std::vector<Label> labels;
  for (const Mark& mark : figure.marks)
    if (const auto* label = std::get_if<Label>(&mark)) labels.push_back(*label);
  for (const char* name :
       {"Naive 476", "Tiled 1,631", "Padded 3,560", "Diagonal 3,453", "Naive 9.5", "Padded 71"})
    EXPECT_TRUE(std::ranges::any_of(labels, [&](const Label& label) { return label.text == name; })) << name;
  for (size_t a = 0; a < labels.size(); ++a)
    for (size_t b = a + 1; b < labels.size(); ++b)
      EXPECT_FALSE(overlap(box_of(labels[a]), box_of(labels[b])))
          << labels[a].text << " / " << labels[b].text;
}

}  // namespace
}  // namespace lanescope::plot
