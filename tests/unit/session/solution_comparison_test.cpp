// The student's file of an exercise beside its solution.

#include "session/solution_comparison.h"

#include "compile/compiler.h"
#include "session/exercise_state.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class SolutionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_compiler(tests::project_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    pipeline::Options options = tests::project_options(1);
    options.submissions = folder_.path();
    session_ = std::make_unique<Session>(options);
    after(OpenLesson{"transpose"});
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }

  tests::TemporaryFolder folder_{"solution"};
  std::unique_ptr<Session> session_;
};

TEST_F(SolutionTest, both_run_as_the_exercise_launches_them) {
  after(StartExercise{});
  const auto now = after(CompareWithSolution{});
  ASSERT_NE(now->pinned, nullptr) << (now->error ? describe(*now->error) : "");
  const std::filesystem::path file = now->exercise->file.path;
  EXPECT_EQ(now->run->source_name, file.string());
  EXPECT_EQ(now->pinned->run->source_name, "solution.cu");
  EXPECT_EQ(now->run->trace->grid, now->pinned->run->trace->grid);
  EXPECT_EQ(now->run->kernel, now->pinned->run->kernel);
  EXPECT_NE(now->exercise->chosen, nullptr) << "the exercise stays open";
  EXPECT_EQ(after(Undo{})->choices.lesson->name, "transpose");
}

TEST_F(SolutionTest, without_a_file_of_the_student_s_it_says_so) {
  const auto now = after(CompareWithSolution{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("write the starter first"));
  EXPECT_EQ(now->pinned, nullptr);
}

}  // namespace
}  // namespace lanescope::session
