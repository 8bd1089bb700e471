#include "lesson/expression.h"

#include <string>

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

const Location kWhere{"lesson.toml", 7};

Result<int64_t> value_of(std::string_view text) {
  TRY(const Expression expression, Expression::parse(text, kWhere));
  return expression.evaluate([](std::string_view name) -> Result<int64_t> {
    if (name == "n") return 1000;
    if (name == "size.rows") return 65;
    return fail(ErrorKind::Usage, "unset");
  });
}

struct Case {
  const char* text;
  int64_t value;
};
class Values : public testing::TestWithParam<Case> {};

TEST_P(Values, are_as_in_c) {
  const auto value = value_of(GetParam().text);
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(*value, GetParam().value) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Expression, Values,
    testing::Values(Case{"7", 7}, Case{" n ", 1000}, Case{"size.rows + 1", 66}, Case{"2 + 3 * 4", 14},
                    Case{"(2 + 3) * 4", 20}, Case{"10 - 3 - 2", 5}, Case{"7 / 2", 3}, Case{"-7 / 2", -3},
                    Case{"7 % 4", 3}, Case{"ceil_div(n, 256)", 4}, Case{"ceil_div(1024, 256)", 4},
                    Case{"ceil_div(-7, 2)", -3}, Case{"min(n, 3) + max(1, 2)", 5}, Case{"- - 4", 4},
                    Case{"!0 + !5", 1}, Case{"1 < 2", 1}, Case{"2 <= 1", 0}, Case{"n == 1000", 1},
                    Case{"n != 1000", 0}, Case{"3 > 2 && 1 >= 1", 1}, Case{"0 || n > 5", 1},
                    Case{"1 + 1 == 2 && 0 == 0", 1}, Case{"(n > 512) * 4 + (n <= 512) * 8", 4}));

struct Bad {
  const char* text;
  const char* words;
};
class BadExpressions : public testing::TestWithParam<Bad> {};

TEST_P(BadExpressions, are_errors_with_their_place) {
  const auto value = value_of(GetParam().text);
  ASSERT_FALSE(value) << *value;
  EXPECT_NE(value.error().message.find(GetParam().words), std::string::npos) << value.error().message;
  EXPECT_EQ(value.error().where, kWhere);
}

INSTANTIATE_TEST_SUITE_P(Expression, BadExpressions,
                         testing::Values(Bad{"", "was expected"}, Bad{"1 +", "it ends"}, Bad{"(1", "')'"},
                                         Bad{"1 2", "an operator"}, Bad{"2x", "an operator"},
                                         Bad{"min(1)", "','"}, Bad{"min", "'('"}, Bad{"1 & 2", "an operator"},
                                         Bad{"99999999999999999999", "2^63"}, Bad{"n / 0", "zero"},
                                         Bad{"n % (1 - 1)", "zero"}, Bad{"ceil_div(1, 0)", "zero"},
                                         Bad{"n * 9223372036854775807", "63 bits"},
                                         Bad{"-9223372036854775807 - 2", "63 bits"},
                                         Bad{"(-9223372036854775807 - 1) / -1", "63 bits"},
                                         Bad{"-(-9223372036854775807 - 1)", "63 bits"}, Bad{"m", "unset"}));

TEST(Expression, is_bounded_in_depth_and_length) {
  EXPECT_TRUE(value_of(std::string(20, '(') + "1" + std::string(20, ')')));
  EXPECT_FALSE(value_of(std::string(100, '(') + "1" + std::string(100, ')')));
  EXPECT_FALSE(value_of(std::string(200, '-') + "1"));
  EXPECT_FALSE(value_of(std::string(100000, '(')));
  EXPECT_FALSE(value_of(std::string(100000, '1')));
}

TEST(Expression, lists_its_names_once) {
  const auto expression = Expression::parse("n * size.rows + n", kWhere);
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"n", "size.rows"}));
}

}  // namespace
}  // namespace lanescope::lesson
