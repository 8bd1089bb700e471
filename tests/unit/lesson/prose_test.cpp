#include "lesson/prose.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

using Kind = Part::Kind;

TEST(Prose, is_split_at_its_headings) {
  const auto prose = parse_prose(
      "What it is about.\n\nSecond paragraph.\n\n# kernel tiled\nAlways.\n"
      "## when padding == 0\nConflicts.\n# question column\nHow many?\n"
      "## answer\nMany.\n# hint\nFirst\n# hint\nSecond\n# solution\nThis.\n",
      "english.md");
  ASSERT_TRUE(prose) << describe(prose.error());
  ASSERT_EQ(prose->size(), 7u);
  EXPECT_EQ(find_part(*prose, Kind::Introduction)->sections[0].markdown,
            "What it is about.\n\nSecond paragraph.");
  const Part& kernel = *find_part(*prose, Kind::Kernel, "tiled");
  ASSERT_EQ(kernel.sections.size(), 2u);
  EXPECT_EQ(kernel.sections[0].markdown, "Always.");
  EXPECT_FALSE(kernel.sections[0].when);
  EXPECT_EQ(kernel.sections[1].markdown, "Conflicts.");
  EXPECT_EQ(kernel.sections[1].when->names(), std::vector<std::string>{"padding"});
  EXPECT_EQ(kernel.sections[1].where.line, 7);
  EXPECT_EQ(find_part(*prose, Kind::Answer, "column")->sections[0].markdown, "Many.");
  EXPECT_EQ((*prose)[4].sections[0].markdown, "First");
  EXPECT_EQ((*prose)[5].sections[0].markdown, "Second");
}

TEST(Prose, a_line_of_code_is_no_heading) {
  const auto prose = parse_prose("Text\n```\n# define N\n```\n# kernel a\nText\n", "english.md");
  ASSERT_TRUE(prose) << describe(prose.error());
  EXPECT_EQ(prose->size(), 2u);
  EXPECT_EQ(prose->front().sections[0].markdown, "Text\n```\n# define N\n```");
}

struct Wrong {
  const char* name;
  const char* text;
  const char* message;
  int line;
};
class WrongProse : public testing::TestWithParam<Wrong> {};

TEST_P(WrongProse, is_an_error_with_its_line) {
  const auto prose = parse_prose(GetParam().text, "english.md");
  ASSERT_FALSE(prose);
  EXPECT_EQ(prose.error().kind, ErrorKind::Syntax);
  EXPECT_NE(prose.error().message.find(GetParam().message), std::string::npos) << prose.error().message;
  EXPECT_EQ(prose.error().where->line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongProse,
    testing::Values(Wrong{"unknown", "a\n# kernels tiled\n", "'# kernels tiled' is no heading", 2},
                    Wrong{"without_a_name", "# kernel\n", "is no heading", 1},
                    Wrong{"a_name_too_many", "# solution now\n", "is no heading", 1},
                    Wrong{"a_third_level", "### when 1\n", "is no heading", 1},
                    Wrong{"an_answer_to_nothing", "# kernel a\n## answer\n", "is no heading", 2},
                    Wrong{"twice", "# kernel a\nb\n# kernel a\n", "line 1", 3},
                    Wrong{"no_expression", "# kernel a\n## when padding ==\n", "was expected", 2}),
    [](const auto& one) { return one.param.name; });

TEST(Prose, of_two_languages_has_the_same_headings) {
  const tests::TemporaryFolder folder("prose");
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  EXPECT_TRUE(read_both_prose(folder.path())->english.empty());
  write("english.md", "# kernel a\nrow\n# hint\none\n");
  const auto alone = read_both_prose(folder.path());
  ASSERT_TRUE(alone) << describe(alone.error());
  EXPECT_EQ(alone->in(Language::French).front().sections[0].markdown, "row");
  write("french.md", "# kernel a\nligne\n# hint\nun\n");
  EXPECT_EQ(read_both_prose(folder.path())->in(Language::French).front().sections[0].markdown, "ligne");
  write("french.md", "# kernel a\nligne\n# hint\nun\n# hint\ndeux\n");
  EXPECT_EQ(read_both_prose(folder.path()).error().where->line, 3);
  write("french.md", "# hint\nun\n");
  EXPECT_NE(read_both_prose(folder.path()).error().message.find("french.md"), std::string::npos);
}

TEST(Prose, a_large_file_is_not_read) {
  const tests::TemporaryFolder folder("prose");
  std::ofstream(folder / "english.md") << std::string(kMaximumProseBytes + 1, 'a');
  EXPECT_EQ(read_both_prose(folder.path()).error().kind, ErrorKind::File);
}

}  // namespace
}  // namespace lanescope::lesson
