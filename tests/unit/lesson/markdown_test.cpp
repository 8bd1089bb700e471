#include "lesson/markdown.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

using Face = Run::Face;
using Kind = Paragraph::Kind;

TEST(Markdown, paragraphs_have_runs_in_three_faces) {
  const auto text = parse_markdown("A **bold\nword** and `x[i]`.\n\nNext.");
  ASSERT_EQ(text.size(), 2u);
  EXPECT_EQ(text[0], (Paragraph{Kind::Plain,
                                {{Face::Plain, "A "},
                                 {Face::Strong, "bold word"},
                                 {Face::Plain, " and "},
                                 {Face::Code, "x[i]"},
                                 {Face::Plain, "."}}}));
  EXPECT_EQ(text[1], (Paragraph{Kind::Plain, {{Face::Plain, "Next."}}}));
}

TEST(Markdown, items_and_code_are_paragraphs_of_their_own) {
  const auto text = parse_markdown("- one\n- two\n\n```\na\n  b\n```\nend");
  ASSERT_EQ(text.size(), 4u);
  EXPECT_EQ(text[1], (Paragraph{Kind::Item, {{Face::Plain, "two"}}}));
  EXPECT_EQ(text[2].kind, Kind::Code);
  EXPECT_EQ(text[2].runs[0].text, "a\n  b");
  EXPECT_EQ(text[3], (Paragraph{Kind::Plain, {{Face::Plain, "end"}}}));
}

TEST(Markdown, other_markup_and_bad_bytes_are_plain_text) {
  EXPECT_EQ(parse_markdown("<b>x</b>")[0].runs[0].text, "<b>x</b>");
  EXPECT_EQ(parse_markdown("[a](http://b)")[0].runs[0].text, "a");
  EXPECT_EQ(parse_markdown("a\xff")[0].runs[0].text, "a\uFFFD");
  EXPECT_TRUE(parse_markdown("").empty());
}

TEST(Markdown, as_plain_text_is_wrapped_by_characters_not_bytes) {
  EXPECT_EQ(plain_text(parse_markdown("é é é é\n\n- aa bb"), 5), "é é é\né\n\n- aa\n  bb\n");
}

}  // namespace
}  // namespace lanescope::lesson
