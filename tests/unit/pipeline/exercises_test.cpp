// All exercises of the assets: their solutions pass, their starters do not, and each mistake fails as it
// says: the check, the line, and words of the cause.

#include "lesson/exercise.h"
#include "pipeline/exercise_check.h"
#include "support/exercise_files.h"
#include "support/project_options.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

const Options kOptions = tests::project_options(1);

std::vector<std::string> names() { return lesson::exercise_names(kOptions.assets / "lessons"); }

std::string text_of(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks)
    text += fmt::format("{}: {}: {}\n", check.name, name_of(check.status), check.sentence);
  return text;
}

TEST(Exercises, there_are_some) { EXPECT_FALSE(names().empty()); }

class EachExercise : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto found = lesson::find_exercise(kOptions.assets / "lessons", GetParam());
    ASSERT_TRUE(found) << describe(found.error());
    exercise_ = *std::move(found);
  }
  /// Without a compiler there is nothing to check.
  void check(const std::filesystem::path& file, std::vector<Check>& checks) {
    const auto submission = submission_of(file);
    ASSERT_TRUE(submission) << describe(submission.error());
    Execution execution(kOptions);
    auto checked = check_submission(execution, kOptions, exercise_, *submission, {});
    if (!checked && checked.error().kind == ErrorKind::File) GTEST_SKIP() << checked.error().message;
    ASSERT_TRUE(checked) << file << ": " << describe(checked.error());
    checks = *std::move(checked);
  }
  lesson::Exercise exercise_;
};

TEST_P(EachExercise, has_a_task_three_hints_and_an_explanation_in_both_languages) {
  for (const Language language : {Language::English, Language::French}) {
    const lesson::Prose& prose = exercise_.prose.in(language);
    EXPECT_NE(lesson::find_part(prose, lesson::Part::Kind::Introduction), nullptr);
    EXPECT_NE(lesson::find_part(prose, lesson::Part::Kind::Solution), nullptr);
    EXPECT_GE(std::ranges::count(prose, lesson::Part::Kind::Hint, &lesson::Part::kind), 3);
  }
  EXPECT_NE(exercise_.title.english, exercise_.title.french);
  EXPECT_TRUE(std::filesystem::exists(exercise_.folder / "french.md"));
}

TEST_P(EachExercise, is_passed_by_its_solution) {
  std::vector<Check> checks;
  check(exercise_.folder / lesson::kSolutionFile, checks);
  if (IsSkipped()) return;
  for (const Check& check : checks) {
    const bool is_time = check.name == "microseconds" || check.name == "copy_share";
    EXPECT_TRUE(check.status == Check::Status::Passed || (is_time && check.status == Check::Status::NotRun))
        << text_of(checks);
  }
}

TEST_P(EachExercise, has_a_starter_that_compiles_and_does_not_pass) {
  std::vector<Check> checks;
  check(exercise_.folder / lesson::kStarterFile, checks);
  if (IsSkipped()) return;
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks.front().status, Check::Status::Passed) << text_of(checks);
  EXPECT_FALSE(has_passed(checks)) << text_of(checks);
}

TEST_P(EachExercise, answers_each_mistake_with_the_line_and_the_cause) {
  const auto files = tests::mistakes_of(exercise_);
  EXPECT_GE(files.size(), 5u) << "at least five mistakes are expected in " << exercise_.folder;
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    const tests::ExpectedAnswer expected = tests::answer_of(file);
    EXPECT_FALSE(expected.words.empty()) << "the first line must be // fails: CHECK: WORDS";
    std::vector<Check> checks;
    check(file, checks);
    if (IsSkipped() || HasFatalFailure()) return;
    std::string failed;
    for (const Check& check : checks) {
      if (check.status != Check::Status::Failed) continue;
      failed += (failed.empty() ? "" : ", ") + check.name;
      EXPECT_THAT(check.sentence, testing::HasSubstr(expected.words));
      EXPECT_EQ(check.line, expected.line) << check.sentence;
    }
    EXPECT_EQ(failed, expected.check) << text_of(checks);
  }
}

INSTANTIATE_TEST_SUITE_P(Lessons, EachExercise, testing::ValuesIn(names()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EachExercise);  // there_are_some says so

}  // namespace
}  // namespace lanescope::pipeline
