#include "report/suppressions.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::report {
namespace {

using testing::HasSubstr;

Report with_finding(const std::string& kernel, int line, const std::string& text) {
  LaunchReport launch{.kernel = kernel};
  Finding finding{.kind = "bank_conflicts", .access = "shared load"};
  finding.source = {{"k.cu", line}, text};
  launch.findings.push_back(finding);
  Report report;
  report.launches.push_back(launch);
  return report;
}

class Suppressions : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "allow.toml") << text;
    return folder_ / "allow.toml";
  }
  std::string refused(const std::string& text) const {
    const auto rules = read_suppressions(file(text));
    return rules ? "" : describe(rules.error());
  }
  tests::TemporaryFolder folder_{"suppressions"};
};

TEST_F(Suppressions, of_a_file_name_kind_kernel_line_and_reason) {
  const auto rules = read_suppressions(file(
      "[[allow]]\nkind = \"bank_conflicts\"\nkernel = \"tile\"\nline = \"x = t[i];\"\nreason = \"tiny\"\n"));
  ASSERT_TRUE(rules) << describe(rules.error());
  SourceTexts sources;
  Report same = with_finding("tile<32>", 7, "x  =\tt[i];");
  apply_suppressions(*rules, sources, same);
  ASSERT_TRUE(same.launches[0].findings[0].suppressed);
  EXPECT_EQ(same.launches[0].findings[0].suppressed->reason, "tiny");
  EXPECT_THAT(same.launches[0].findings[0].suppressed->by, HasSubstr("allow.toml:1"));
  EXPECT_EQ(same.suppressed, 1u);
  EXPECT_TRUE(same.unused_suppressions.empty());
  for (Report other : {with_finding("tiles", 7, "x = t[i];"), with_finding("tile", 7, "x = t[i + 1];")}) {
    apply_suppressions(*rules, sources, other);
    EXPECT_FALSE(other.launches[0].findings[0].suppressed);
    ASSERT_EQ(other.unused_suppressions.size(), 1u);
    EXPECT_THAT(other.unused_suppressions[0], HasSubstr("suppresses no finding (bank_conflicts): tiny"));
  }
}

TEST_F(Suppressions, that_are_wrong_are_refused_with_their_line) {
  EXPECT_THAT(refused("[[allow]]\nkind = \"bank_conflicts\"\n"), HasSubstr("reason"));
  EXPECT_THAT(refused("[[allow]]\nkind = \"bank_conflicts\"\nreason = \" \"\n"),
              HasSubstr("'reason' is empty"));
  std::string deep = "a";
  for (int n = 0; n < 50'000; ++n) deep += ".a";
  EXPECT_THAT(refused("[[" + deep + "]]\n"), HasSubstr("a key of at most 64 parts"));
  EXPECT_THAT(refused("[[allow]]\nkind = \"banks\"\nreason = \"x\"\n"),
              HasSubstr("allow.toml:1: no finding is of the kind 'banks'; there are excess_sectors,"));
  EXPECT_THAT(refused("[[allow]]\nkind = \"race\"\nreason = \"x\"\nfile = \"k.cu\"\n"), HasSubstr("file"));
  EXPECT_EQ(refused(""), "");
}

constexpr const char* kText =
    "__global__ void f() {\n"
    "  a = t[i];  // lanescope: allow bank_conflicts: one warp alone\n"
    "  // lanescope: allow race: on purpose\n"
    "  b = 1;\n"
    "  // lanescope: allow race\n"
    "  // lanescope: allow cake: sweet\n";

TEST_F(Suppressions, of_a_comment_are_about_its_line_or_the_next) {
  std::vector<std::string> problems;
  const auto rules = rules_in_source("k.cu", kText, problems);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].about, (Location{"k.cu", 2}));
  EXPECT_EQ(rules[0].reason, "one warp alone");
  EXPECT_EQ(rules[1].about, (Location{"k.cu", 4}));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems[0], HasSubstr("k.cu:5: a comment that suppresses is"));
  EXPECT_THAT(problems[1], HasSubstr("k.cu:6: no finding is of the kind 'cake'"));
}

TEST_F(Suppressions, of_a_comment_have_either_form) {
  std::vector<std::string> problems;
  const auto rules = rules_in_source("k.cu",
                                     "a = t[i]; /* lanescope: allow race: on purpose */ b();\n"
                                     "b = t[i]; //lanescope: allow race: no space\n"
                                     "log(\"lanescope: allow race: a text\");\n"
                                     "c = 1; /* lanescope: allow race */\n",
                                     problems);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].reason, "on purpose");
  EXPECT_EQ(rules[0].about, (Location{"k.cu", 1}));
  EXPECT_EQ(rules[1].reason, "no space");
  EXPECT_THAT(problems, testing::ElementsAre(HasSubstr("k.cu:4: a comment that suppresses is")));
}

TEST_F(Suppressions, of_comments_are_found_in_the_sources_of_a_report) {
  SourceTexts sources;
  sources.add("k.cu", kText);
  Report report = with_finding("f", 2, "a = t[i];  // lanescope: allow bank_conflicts: one warp alone");
  apply_suppressions({}, sources, report);
  ASSERT_TRUE(report.launches[0].findings[0].suppressed);
  EXPECT_TRUE(report.launches[0].findings[0].suppressed->in_source);
  EXPECT_THAT(report.unused_suppressions,
              testing::ElementsAre(HasSubstr("k.cu:3: this suppresses no finding")));
}

TEST(SourceTexts, name_files_below_a_folder_relative_to_it) {
  EXPECT_EQ(name_below("/a/b", "/a/b/c/k.cu"), "c/k.cu");
  EXPECT_EQ(name_below("/a/b", "/a/bc/k.cu"), "/a/bc/k.cu");
  EXPECT_EQ(name_below("/a/b", "k.cu"), "k.cu");
  EXPECT_EQ(sentence_below("/a/b", "/a/b/k.cu:3: reads what /a/b/l.cu writes"),
            "k.cu:3: reads what l.cu writes");
  EXPECT_EQ(sentence_below("/a/b", "/x/a/b/k.cu:3: reads"), "/x/a/b/k.cu:3: reads");
  SourceTexts sources;
  sources.add("k.cu", "one\n  two \n");
  EXPECT_EQ(sources.line("k.cu", 2), "two");
  EXPECT_EQ(sources.line("k.cu", 9), "");
}

}  // namespace
}  // namespace lanescope::report
