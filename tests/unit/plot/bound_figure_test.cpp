// The table of predicted and recorded times: errors, what is fitted, what is missing.

#include "support/figure_labels.h"
#include "support/model_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using ::testing::HasSubstr;
using tests::labels_of;

TEST(BoundFigure, writes_the_error_of_each_cell) {
  const Figure figure = bound_figure(tests::bound_table(), {.size = {700, 400}});
  EXPECT_THAT(labels_of(figure), ::testing::IsSupersetOf({"−10 %", "+50 %", "−5 %", "300 / 200",
                                                          "lines · fitted", "1024 × 1024"}));
  ASSERT_EQ(figure.table.rows.size(), 3u);
  EXPECT_NEAR(std::get<double>(figure.table.rows[1][4]), 0.5, 1e-12);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[1][5]), "lines");
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[1][6]), 1);
}

TEST(BoundFigure, names_the_median_and_the_worst) {
  const Figure figure = bound_figure(tests::bound_table(), {.size = {700, 400}});
  EXPECT_THAT(figure.explanation, HasSubstr("Half of the 3 cells are within 10 %"));
  EXPECT_THAT(figure.explanation, HasSubstr("Naive at 1024: +50 %"));
  EXPECT_THAT(figure.source, HasSubstr("driver 1, CUDA 2"));
}

TEST(BoundFigure, omits_labels_and_keeps_tooltips_in_a_small_frame) {
  const Figure figure = bound_figure(tests::bound_table(), {.size = {160, 60}});
  EXPECT_EQ(figure.picks.size(), 3u);
  EXPECT_THAT(figure.picks[1].tip, HasSubstr("limited by lines"));
  EXPECT_TRUE(bound_figure({}, {.size = {160, 60}}).marks.empty());
}

}  // namespace
}  // namespace lanescope::plot
