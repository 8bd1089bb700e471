// The bytes of a file in an editor and back, and the lines that stay the same while one types.

#include "view/source/editor_text.h"

#include "base/utf8.h"
#include "view/code.h"
#include "view/source/line_match.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::view {
namespace {

using testing::ElementsAre;

std::string there_and_back(const std::string& bytes) {
  const EditorText opened = editor_text(bytes);
  return file_bytes(opened.text, opened);
}

TEST(EditorText, an_editor_has_neither_returns_nor_a_mark) {
  const EditorText opened = editor_text(
      "\xef\xbb\xbf"
      "a\r\n\tb\r\n");
  EXPECT_EQ(opened.text, "a\n\tb\n");
  EXPECT_TRUE(opened.has_mark);
  EXPECT_TRUE(opened.has_returns);
  EXPECT_EQ(file_bytes("a\nnew\n\tb\n", opened),
            "\xef\xbb\xbf"
            "a\r\nnew\r\n\tb\r\n");
}

TEST(EditorText, what_an_editor_cannot_have_comes_back_as_it_was) {
  using namespace std::string_literals;
  for (const std::string& bytes :
       {""s, "no end of line"s, "a\r\nb\nc\r"s, "\0\1\2\x7f"s, "caf\xe9"s, "\xff\xfe"s, "\xf0\x9f\x98\x80"s,
        "\xef\x9c\x80\xef\x9f\xbf"s, "\xed\xa0\x80"s, "\xef\xbb\xbf\xef\xbb\xbf"s, "\r\n"s, "\n\r\n"s}) {
    EXPECT_EQ(there_and_back(bytes), bytes);
    EXPECT_EQ(valid_utf8(editor_text(bytes).text), editor_text(bytes).text);
    EXPECT_EQ(editor_text(bytes).text.find('\r'), std::string::npos);
  }
}

TEST(EditorText, random_bytes_come_back_as_they_were) {
  const unsigned seed = 16;
  std::mt19937 random(seed);
  for (int n = 0; n < 2000; ++n) {
    std::string bytes(random() % 40, ' ');
    for (char& byte : bytes)
      byte = random() % 3 == 0 ? "\r\n\t\xef\x9c"[random() % 5] : static_cast<char>(random());
    ASSERT_EQ(there_and_back(bytes), bytes) << "seed " << seed << ", text " << n;
  }
}

TEST(LineMatch, lines_keep_their_numbers_around_an_edit) {
  EXPECT_THAT(matching_lines("a\nb\nc", "a\nb\nc"), ElementsAre(1, 2, 3));
  EXPECT_THAT(matching_lines("a\nb\nc", "a\nnew\nb\nc"), ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(matching_lines("a\nb\nc", "a\nc"), ElementsAre(1, 3));
  EXPECT_THAT(matching_lines("a\nb\nc\nd\ne", "x\na\nb\ny\nd\ne!"), ElementsAre(0, 1, 2, 0, 4, 0));
  EXPECT_THAT(matching_lines("", "a"), ElementsAre(0));
}

TEST(LineMatch, a_text_that_is_another_one_has_no_lines_in_common_and_takes_no_time) {
  std::string one, other;
  for (int n = 0; n < 20000; ++n)
    one += "one" + std::to_string(n) + "\n", other += "other" + std::to_string(n) + "\n";
  const auto matched = matching_lines(one, other);
  EXPECT_EQ(std::ranges::count(matched, 0), 20000);  // all but the empty last line
}

std::vector<std::string> rows_of(const std::string& text, size_t columns) {
  const auto lines = read_listing(text, Syntax::Cuda);
  std::vector<std::string> rows;
  for (const CodeRow& row : code_rows(lines, columns))
    rows.push_back(std::string(row.indent, ' ') +
                   lines[static_cast<size_t>(row.line)].text.substr(row.begin, row.end - row.begin));
  return rows;
}

TEST(CodeRows, a_long_line_continues_below_its_beginning_after_an_operator_or_a_space) {
  EXPECT_THAT(rows_of("  out[(y + j) * height + x] = element;\n", 20),
              ElementsAre("  out[(y + j) * ", "    height + x] = ", "    element;"));
  EXPECT_THAT(rows_of("short\n\nnext\n", 20), ElementsAre("short", "", "next"));
  EXPECT_THAT(rows_of("aaaaaaaaaaaaaaaaaaaa\n", 8), ElementsAre("aaaaaaaa", "  aaaaaa", "  aaaaaa"));
}

TEST(CodeRows, every_character_is_in_one_row) {
  const std::string text(1'000'000, 'a');
  const auto lines = read_listing(text, Syntax::Cuda);
  size_t bytes = 0;
  for (const CodeRow& row : code_rows(lines, 30)) {
    EXPECT_EQ(row.begin, bytes);
    bytes = row.end;
  }
  EXPECT_EQ(bytes, text.size());
}

}  // namespace
}  // namespace lanescope::view
