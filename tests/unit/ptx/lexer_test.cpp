#include "ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts_of(std::string_view text) {
  Lexer lexer(text, "t.ptx");
  std::vector<std::string> texts;
  while (true) {
    const auto token = lexer.next();
    if (!token) {
      texts.push_back(token.error().message);
      return texts;
    }
    if (token->kind == TokenKind::End) return texts;
    texts.emplace_back(token->text);
  }
}

TEST(Lexer, an_instruction_falls_into_words_dots_and_marks) {
  EXPECT_THAT(texts_of("@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-8];"),
              ElementsAre("@", "!", "%p1", "ld", ".global", ".v2", ".f32", "{", "%f1", ",", "_", "}", ",",
                          "[", "%rd1", "+", "-", "8", "]", ";"));
}

TEST(Lexer, two_colons_stay_within_a_modifier_and_one_ends_a_label) {
  EXPECT_THAT(texts_of("$L__BB0_2: st.shared::cta.b32 .L2::128B"),
              ElementsAre("$L__BB0_2", ":", "st", ".shared::cta", ".b32", ".L2::128B"));
}

TEST(Lexer, numbers_keep_fraction_exponent_and_sign_of_the_exponent) {
  EXPECT_THAT(texts_of("1.5 2e-3 0x1E+1 0f3F800000 9.0"),
              ElementsAre("1.5", "2e-3", "0x1E", "+", "1", "0f3F800000", "9.0"));
}

TEST(Lexer, a_percent_sign_alone_is_a_remainder) {
  EXPECT_THAT(texts_of("7 % 3 %r1 %5"), ElementsAre("7", "%", "3", "%r1", "%", "5"));
}

TEST(Lexer, comments_are_blank_and_lines_are_counted) {
  Lexer lexer("// one\n/* two\nthree */ add\n\nsub", "t.ptx");
  EXPECT_EQ(lexer.next()->line, 3);
  const auto sub = lexer.next();
  EXPECT_EQ(sub->line, 5);
  EXPECT_EQ(sub->begin, 28u);
}

TEST(Lexer, the_end_can_be_read_repeatedly) {
  Lexer lexer("", "t.ptx");
  EXPECT_EQ(lexer.next()->kind, TokenKind::End);
  EXPECT_EQ(lexer.next()->kind, TokenKind::End);
}

TEST(Lexer, what_has_no_end_is_an_error_with_its_line) {
  for (const char* text :
       {"\n/* x", "\n/*/", "\n\"x", "\n\"x\n\"", "\n.", "\n. x", "\n\x01", "\n#", "\n\xff"}) {
    Lexer lexer(text, "t.ptx");
    const auto token = lexer.next();
    ASSERT_FALSE(token) << text;
    EXPECT_EQ(token.error().kind, ErrorKind::Syntax);
    EXPECT_EQ(token.error().where, (Location{"t.ptx", 2})) << text;
  }
}

}  // namespace
}  // namespace lanescope::ptx
