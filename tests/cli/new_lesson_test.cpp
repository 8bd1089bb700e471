// `lanescope lesson new`: the folder that it writes is a lesson that runs, with an exercise that checks.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

class NewLesson : public testing::Test {
 protected:
  NewLesson() { made_ = run_program({"lesson", "new", lesson_}); }
  const tests::TemporaryFolder folder_{"new-lesson"};
  const std::string lesson_ = (folder_ / "mine").string();
  Finished made_;
};

TEST_F(NewLesson, runs_and_writes_what_its_reference_writes) {
  ASSERT_EQ(made_.status, 0) << made_.error;
  for (const auto& [stride, sectors] : {std::pair{"1", 4}, std::pair{"2", 8}, std::pair{"16", 32}}) {
    const Finished done = run_program({"trace", "--lesson", lesson_, "--set", std::string("stride=") + stride,
                                       "--json", "--blocks", "none"});
    ASSERT_EQ(done.status, 0) << done.error;
    const auto loads = nlohmann::json::parse(done.output)["totals"]["global_load"];
    EXPECT_EQ(loads["sectors"], loads["requests"].get<int>() * sectors) << stride;
  }
  EXPECT_THAT(run_program({"trace", "--lesson", lesson_}).output, HasSubstr("output: correct"));
}

TEST_F(NewLesson, has_questions_that_the_run_answers_by_one_of_the_guesses) {
  const Finished text = run_program({"lesson", lesson_, "--text", "english"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_THAT(text.output, HasSubstr("4 | 8* | 32"));
  EXPECT_THAT(text.output, HasSubstr("16 | 32* | 64"));
}

TEST_F(NewLesson, has_an_exercise_whose_solution_passes) {
  const std::string exercise = lesson_ + "/first", files = lesson_ + "/exercises/first/";
  const Finished solution = run_program({"check", exercise, files + "solution.cu"});
  EXPECT_EQ(solution.status, 0) << solution.output << solution.error;
  EXPECT_EQ(run_program({"check", exercise, files + "starter.cu"}).status, 1);
  EXPECT_THAT(run_program({"check", exercise, files + "mistakes/no_bound.cu"}).output,
              HasSubstr("FAIL     memory"));
  EXPECT_THAT(run_program({"check", exercise, files + "mistakes/one_too_far.cu"}).output,
              HasSubstr("FAIL     output"));
  EXPECT_THAT(run_program({"check", exercise}).output, HasSubstr("Reverse an array"));
}

TEST_F(NewLesson, replaces_nothing) {
  std::ofstream(lesson_ + "/lesson.toml") << "mine";
  const Finished again = run_program({"lesson", "new", lesson_});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.error, HasSubstr("choose another name"));
  EXPECT_EQ(fs::file_size(lesson_ + "/lesson.toml"), 4u);
  EXPECT_EQ(run_program({"lesson", "new", (folder_ / "none/mine").string()}).status, 1);
}

TEST(NewLessonName, is_needed) {
  EXPECT_EQ(run_program({"lesson", "new"}).status, 2);
  EXPECT_EQ(run_program({"lesson", "transpose", "other"}).status, 2);
}

}  // namespace
}  // namespace lanescope
