#include "lesson/words_of.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

using Face = Run::Face;

std::vector<Word> words(const char* markdown) {
  static std::vector<Paragraph> paragraphs;  // what the words are parts of
  paragraphs = parse_markdown(markdown);
  return paragraphs.empty() ? std::vector<Word>() : words_of(paragraphs.front().runs);
}

TEST(WordsOf, spaces_end_words_and_faces_do_not) {
  EXPECT_EQ(words("into `out`, **row** by row"), (std::vector<Word>{{{Face::Plain, "into"}},
                                                                    {{Face::Code, "out"}, {Face::Plain, ","}},
                                                                    {{Face::Strong, "row"}},
                                                                    {{Face::Plain, "by"}},
                                                                    {{Face::Plain, "row"}}}));
  EXPECT_EQ(words("(`a b`)"), (std::vector<Word>{{{Face::Plain, "("}, {Face::Code, "a"}},
                                                 {{Face::Code, "b"}, {Face::Plain, ")"}}}));
}

TEST(WordsOf, nothing_has_no_words) {
  EXPECT_TRUE(words("").empty());
  EXPECT_TRUE(words_of({{Face::Plain, "  "}, {Face::Code, ""}}).empty());
}

}  // namespace
}  // namespace lanescope::lesson
