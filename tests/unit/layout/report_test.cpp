#include "layout/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using testing::HasSubstr;

QuestionText typed() {
  QuestionText text;
  text.layout = "(8,64):(64,1)";
  text.swizzle = "3,3,3";
  text.accesses = {"ldmatrix.x4", "st.row.16"};
  return text;
}

TEST(LayoutReport, shows_each_access_with_and_without_the_swizzle) {
  const Report report = report_of(parse(typed()).value()).value();
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[0].plain.value(), (AccessCost{2, 64, 8, 32}));
  EXPECT_EQ(report.rows[0].cost.value(), (AccessCost{2, 8, 8, 4}));
  EXPECT_EQ(report.rows[1].cost.value(), (AccessCost{2, 8, 8, 4}));
  EXPECT_EQ(report.impossible(), nullptr);
}

TEST(LayoutReport, says_which_access_is_impossible) {
  QuestionText text = typed();
  text.swizzle.clear();
  text.padding = "1";
  const Report report = report_of(parse(text).value()).value();
  ASSERT_NE(report.impossible(), nullptr);
  EXPECT_EQ(report.impossible()->access.name, "ldmatrix.x4");
  EXPECT_TRUE(report.rows[0].plain);
}

TEST(LayoutReport, wrong_texts_get_one_sentence) {
  const auto refused = [](auto&& change, const char* reason) {
    QuestionText text = typed();
    change(text);
    const auto question = parse(text);
    ASSERT_FALSE(question);
    EXPECT_EQ(question.error().kind, ErrorKind::Usage);
    EXPECT_THAT(question.error().message, HasSubstr(reason));
  };
  refused([](QuestionText& text) { text.padding = "8"; }, "give only one of the three");
  refused([](QuestionText& text) { text.element = "half"; }, "no element type 'half'");
  refused([](QuestionText& text) { text.accesses = {"ldmatrix"}; }, "no access 'ldmatrix'");
  refused([](QuestionText& text) { text.layout = "8x64"; }, "the layout '8x64'");
}

}  // namespace
}  // namespace lanescope::layout
