#include "lesson/live_text.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

const Location kWhere{"english.md", 3};

Result<std::string> filled(std::string_view text, Language language = Language::English) {
  return fill_live_text(text, kWhere, language, [](std::string_view name) -> Result<double> {
    if (name == "a") return 3;
    if (name == "column.wavefronts") return 1048576;
    if (name == "out[2]") return 7;
    return fail(ErrorKind::Usage, "unknown");
  });
}

TEST(LiveText, numbers_replace_their_expressions_in_bold) {
  EXPECT_EQ(filled("{{a}} of {{ column.wavefronts }}, {{out[2]}}").value(), "**3** of **1,048,576**, **7**");
  EXPECT_EQ(filled("{{a / 2}}").value(), "**1.5**");
  EXPECT_EQ(filled("{{a / 2}}", Language::French).value(), "**1,5**");
  EXPECT_EQ(filled("{{(a + 1) * 2 % 3}}").value(), "**2**");
  EXPECT_EQ(empty_live_text("{{a}} lanes"), "… lanes");
}

TEST(LiveText, what_has_no_value_is_an_error_at_the_text) {
  for (const char* text : {"{{b}}", "{{a", "{{a +}}", "{{a / (a - a)}}", "{{}}", "{{out[}}"}) {
    const auto wrong = filled(text);
    ASSERT_FALSE(wrong) << text;
    EXPECT_EQ(wrong.error().where->line, 3) << text;
  }
  EXPECT_TRUE(check_live_text("{{anything.at_all}}", kWhere));
  EXPECT_FALSE(check_live_text("{{a", kWhere));
}

TEST(LiveText, numbers_have_the_digits_that_say_something) {
  const auto text = [](double value) { return live_number_text(Language::English, value); };
  EXPECT_EQ(text(32), "32");
  EXPECT_EQ(text(1234567), "1,234,567");
  EXPECT_EQ(text(1234.5), "1,235");
  EXPECT_EQ(text(17.25), "17.3");
  EXPECT_EQ(text(1.25), "1.25");
  EXPECT_EQ(text(1.5), "1.5");
  EXPECT_EQ(text(0.03125), "0.031");
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(-2.5), "−2.5");
  EXPECT_TRUE(is_right_guess(17.3, 17.25));
  EXPECT_FALSE(is_right_guess(17, 17.25));
}

}  // namespace
}  // namespace lanescope::lesson
