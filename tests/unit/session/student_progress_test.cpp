// What a student has done: noted, kept, merged, and read from damaged files.

#include "session/student_progress.h"

#include "base/file.h"
#include "session/exercise_state.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

Snapshot shown(const std::string& lesson, const std::string& kernel) {
  Snapshot snapshot;
  auto opened = std::make_shared<lesson::Lesson>();
  opened->name = lesson;
  snapshot.choices.lesson = std::move(opened);
  snapshot.choices.settings.kernel = kernel;
  snapshot.run = std::make_shared<const pipeline::Run>();
  return snapshot;
}

/// An exercise whose file has one check.
Snapshot checked(const std::string& name, pipeline::Check::Status status) {
  Snapshot snapshot;
  auto listed = std::make_shared<ListedExercise>();
  listed->exercise.name = name;
  ExerciseState state;
  state.chosen = std::move(listed);
  state.file.use = SubmissionFile::Use::Checked;
  state.checks = {{.name = "output", .status = status, .sentence = {}}};
  snapshot.exercise = std::make_shared<const ExerciseState>(std::move(state));
  return snapshot;
}

class KeptStudentProgressTest : public testing::Test {
 protected:
  tests::TemporaryFolder folder_{"progress"};
  fs::path file_ = folder_.path() / "state" / "progress.toml";
};

TEST_F(KeptStudentProgressTest, kernels_that_ran_and_exercises_that_passed_are_there_at_the_next_start) {
  {
    KeptStudentProgress progress(file_);
    for (Snapshot snapshot : {shown("banks", "read"), shown("banks", "padded"), shown("warp", "add"),
                              checked("banks/swizzle", pipeline::Check::Status::Passed)})
      progress.follow(snapshot);
  }
  Snapshot snapshot;
  KeptStudentProgress(file_).follow(snapshot);
  ASSERT_NE(snapshot.student, nullptr);
  const StudentProgress expected{{{"banks", {{"padded", "read"}, {"swizzle"}}}, {"warp", {{"add"}, {}}}}};
  EXPECT_EQ(*snapshot.student, expected);
}

TEST_F(KeptStudentProgressTest, an_exercise_that_failed_is_not_solved) {
  KeptStudentProgress progress(file_);
  Snapshot snapshot = checked("banks/swizzle", pipeline::Check::Status::Failed);
  progress.follow(snapshot);
  EXPECT_TRUE(snapshot.student->lessons.empty());
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(KeptStudentProgressTest, what_is_still_being_checked_is_not_solved) {
  KeptStudentProgress progress(file_);
  Snapshot snapshot = checked("banks/swizzle", pipeline::Check::Status::Passed);
  auto state = *snapshot.exercise;
  state.checking = ExerciseState::Progress{};
  snapshot.exercise = std::make_shared<const ExerciseState>(state);
  progress.follow(snapshot);
  EXPECT_TRUE(snapshot.student->lessons.empty());
}

TEST_F(KeptStudentProgressTest, two_windows_keep_what_both_have_done) {
  KeptStudentProgress one(file_), other(file_);
  Snapshot of_one = shown("banks", "read"), of_other = shown("warp", "add");
  one.follow(of_one);
  other.follow(of_other);
  EXPECT_EQ(read_progress(file_), (StudentProgress{{{"banks", {{"read"}, {}}}, {"warp", {{"add"}, {}}}}}));
}

TEST_F(KeptStudentProgressTest, a_damaged_file_has_no_progress_and_is_written_anew) {
  fs::create_directories(file_.parent_path());
  for (const char* text : {"[banks", "banks = 3\n", "[banks]\nkernels = 7\n", "\xff\xfe\x00", ""}) {
    ASSERT_TRUE(write_file(file_, text));
    KeptStudentProgress progress(file_);
    Snapshot snapshot = shown("warp", "add");
    progress.follow(snapshot);
    EXPECT_TRUE(read_progress(file_).lessons.at("warp").kernels.contains("add")) << text;
  }
}

TEST_F(KeptStudentProgressTest, a_file_that_cannot_be_written_stops_nothing) {
  ASSERT_TRUE(write_file(folder_.path() / "state", "a file where the folder would be"));
  KeptStudentProgress progress(file_);
  Snapshot snapshot = shown("warp", "add");
  progress.follow(snapshot);
  EXPECT_TRUE(snapshot.student->lessons.at("warp").kernels.contains("add"));
}

TEST_F(KeptStudentProgressTest, names_of_any_kind_are_read_back) {
  const StudentProgress strange{{{"my \"lesson\"", {{"a]b", "=x", "é"}, {"#"}}}}};
  fs::create_directories(file_.parent_path());
  ASSERT_TRUE(write_file(file_, text_of(strange)));
  EXPECT_EQ(read_progress(file_), strange);
}

}  // namespace
}  // namespace lanescope::session
