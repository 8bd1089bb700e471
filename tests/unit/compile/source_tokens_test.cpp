#include "compile/source_tokens.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> found;
  for (const Token& token : tokens_of(source)) found.emplace_back(token.text);
  return found;
}

using Texts = std::vector<std::string>;

TEST(SourceTokens, words_marks_and_literals) {
  EXPECT_EQ(
      texts("int a = b[3]; // c\n/* d */ f(\"x \\\" y\", '}');"),
      (Texts{"int", "a", "=", "b", "[", "3", "]", ";", "f", "(", "\"x \\\" y\"", ",", "'}'", ")", ";"}));
}

TEST(SourceTokens, a_number_is_one_word) {
  EXPECT_EQ(texts("1'000'000u 1.5e-3f 0xffu+1 a.x"),
            (Texts{"1'000'000u", "1.5e-3f", "0xffu", "+", "1", "a", ".", "x"}));
}

TEST(SourceTokens, a_raw_string_ends_at_its_own_mark) {
  EXPECT_EQ(texts("R\"(a \" } b)\" c u8R\"x(\n)\" )x\" d"),
            (Texts{"R\"(a \" } b)\"", "c", "u8R\"x(\n)\" )x\"", "d"}));
}

TEST(SourceTokens, a_directive_is_one_token_with_the_lines_that_continue_it) {
  const auto tokens = tokens_of("a\n  # define N \\\n  4 /* and\n more */ + 1 // end\nb\n");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].kind, Token::Kind::Directive);
  EXPECT_EQ(tokens[1].line, 2);
  EXPECT_EQ(tokens[2].text, "b");
  EXPECT_EQ(tokens[2].line, 5);
  const Directive directive = directive_of(tokens[1]);
  EXPECT_EQ(directive.keyword, "define");
  EXPECT_EQ(directive.rest, "N   4   + 1");
}

TEST(SourceTokens, a_comment_is_continued_by_a_backslash) {
  EXPECT_EQ(texts("// a \\\n b\nc"), Texts{"c"});
  EXPECT_EQ(texts("// a \\\r\n b\r\nc"), Texts{"c"});
}

TEST(SourceTokens, a_mark_of_the_preprocessor_inside_a_line_is_none) {
  const auto tokens = tokens_of("a # b\n%:include <x>");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].kind, Token::Kind::Mark);
  EXPECT_EQ(tokens[3].kind, Token::Kind::Directive);
  EXPECT_EQ(directive_of(tokens[3]).keyword, "include");
}

TEST(SourceTokens, an_apostrophe_in_a_directive_opens_nothing) {
  EXPECT_EQ(texts("#error don't\nint a;"), (Texts{"#error don't", "int", "a", ";"}));
}

TEST(SourceTokens, directives_alone_are_those_of_all_tokens) {
  const std::string_view source =
      "#define A 1\n/* # no */ #if A\nR\"(\n#no\n)\" # no\nint a = 1'0; '#'\n\t#endif // x\n\"\n#else";
  std::vector<Token> expected = tokens_of(source);
  std::erase_if(expected, [](const Token& token) { return token.kind != Token::Kind::Directive; });
  const std::vector<Token> found = directives_of(source);
  ASSERT_EQ(found.size(), 4u);
  for (size_t n = 0; n < found.size(); ++n) {
    EXPECT_EQ(found[n].text, expected[n].text);
    EXPECT_EQ(found[n].line, expected[n].line);
  }
  EXPECT_EQ(found[2].line, 7);
}

TEST(SourceTokens, broken_text_has_tokens) {
  for (const char* text : {"\"", "'", "/*", "//", "R\"(", "R\"", "#", "#\\", "\\", "%:", "1'", "'\\", "\"\\"})
    EXPECT_LE(tokens_of(text).size(), 2u) << text;
}

}  // namespace
}  // namespace lanescope::compile
