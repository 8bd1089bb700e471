// What each assumption is worth: changes, names, and the largest of them.

#include "support/figure_labels.h"
#include "support/model_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using ::testing::HasSubstr;
using tests::labels_of;

TEST(AssumptionFigure, writes_the_change_without_each_assumption) {
  const Figure figure = assumption_figure(tests::assumption_table(), tests::gt200(), {.size = {960, 540}});
  EXPECT_THAT(labels_of(figure),
              ::testing::IsSupersetOf({"+300 %  (80.0)", "−1 %  (99.0)", "0 %  (20.0)", "without: plain map",
                                       "without: latency", "published 96.9", "all assumptions"}));
  EXPECT_EQ(figure.table.rows.size(), 2 * (model::kAssumptions + 1));
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows[13][3]), 3);  // padded, without the plain map
}
TEST(AssumptionFigure, names_the_assumption_that_changes_most) {
  const Figure figure = assumption_figure(tests::assumption_table(), tests::gt200(), {.size = {960, 540}});
  EXPECT_THAT(figure.explanation, HasSubstr("Padded depends most on: plain map (+300 %)"));
}
TEST(AssumptionFigure, says_each_assumption_in_the_tip_with_the_name_that_switches_it_off) {
  const Figure figure = assumption_figure(tests::assumption_table(), tests::gt200(), {.size = {960, 540}});
  ASSERT_EQ(figure.picks.size(), 2 * (model::kAssumptions + 1));
  for (size_t n = 0; n < model::kAssumptions; ++n) {
    const model::AssumptionText& text = model::assumption_texts()[n];
    EXPECT_THAT(figure.picks[2 * (n + 1)].tip, HasSubstr(std::string(text.name)));
    EXPECT_THAT(figure.picks[2 * (n + 1)].tip,
                HasSubstr(std::string(say(Language::English, text.description))));
  }
}
TEST(AssumptionFigure, omits_labels_and_keeps_tooltips_in_a_small_frame) {
  EXPECT_EQ(assumption_figure(tests::assumption_table(), tests::gt200(), {.size = {120, 40}}).picks.size(),
            2 * (model::kAssumptions + 1));
}

}  // namespace
}  // namespace lanescope::plot
