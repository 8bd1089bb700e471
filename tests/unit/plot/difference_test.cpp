#include "plot/difference.h"

#include "plot/figures.h"
#include "support/transpose_trace.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

constexpr Language kEnglish = Language::English;

TEST(Difference, a_ratio_is_in_words) {
  EXPECT_EQ(difference_text(kEnglish, 1, 32), "32× fewer");
  EXPECT_EQ(difference_text(kEnglish, 7.9, 1.7), "4.6× more");
  EXPECT_EQ(difference_text(kEnglish, 5, 5), "as in A");
  EXPECT_EQ(difference_text(Language::French, 2, 3), "1,5× moins");
}

TEST(Difference, where_one_is_nothing_the_other_is_said) {
  EXPECT_EQ(difference_text(kEnglish, 0, 31), "in A: 31");
  EXPECT_EQ(difference_text(kEnglish, 31, 0), "in A: 0");
}

TEST(Difference, only_headlines_of_the_same_figure_with_other_numbers_are_compared) {
  const auto headline = [](std::optional<double> amount) {
    return Headline{.value = "", .label = "", .color = Color::of(Role::Ink), .amount = amount};
  };
  const std::vector<Headline> now{headline(1), headline(4), headline({})};
  const std::vector<Headline> in_a{headline(32), headline(4), headline(2)};
  EXPECT_EQ(difference_text(kEnglish, now, 0, in_a), "32× fewer");
  EXPECT_EQ(difference_text(kEnglish, now, 1, in_a), "");
  EXPECT_EQ(difference_text(kEnglish, now, 2, in_a), "");
  EXPECT_EQ(difference_text(kEnglish, now, 0, std::vector<Headline>{headline(32)}), "") << "another figure";
}

}  // namespace
}  // namespace lanescope::plot
