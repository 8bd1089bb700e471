#include "lesson/exercise.h"

#include "support/project.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kLessons = tests::source_dir() / "assets/lessons";

/// Line 1 to 9, then what is given, then the checks.
std::string text_with(const std::string& more, const std::string& checks = "output = [\"out\"]\n") {
  return "title = \"Double\"\nentry = \"twice\"\n[launch]\ngrid = [1]\nblock = [\"n\"]\n"
         "buffers = [{name = \"out\", type = \"f32\", shape = [\"n\"]}]\narguments = [\"out\", \"i32: n\"]\n"
         "[[toggles]]\nname = \"n\"\nlabel = \"N\"\nhint = \"Elements\"\ninitial = \"32\"\n"
         "choices = [{value = \"32\"}, {value = \"64\"}]\n" +
         more + "[checks]\n" + checks;
}

/// An exercise `double` of a lesson in a folder elsewhere.
class ExerciseFile : public testing::Test {
 protected:
  ExerciseFile() {
    fs::create_directories(exercise_);
    std::ofstream(exercise_ / kStarterFile) << "// TODO\n";
    std::ofstream(exercise_ / kSolutionFile) << "// done\n";
  }
  Result<Exercise> read(const std::string& text) const {
    std::ofstream(exercise_ / kExerciseFile) << text;
    return read_exercise(exercise_);
  }
  /// The first complaint, "LINE: message"; empty: none.
  std::string problem_of(const std::string& text) const {
    const auto exercise = read(text);
    if (exercise) return "";
    return std::to_string(exercise.error().where->line) + ": " + exercise.error().message;
  }
  const tests::TemporaryFolder folder_{"exercise"};
  const fs::path exercise_ = folder_ / "lesson/exercises/double";
};

TEST(Exercises, those_of_the_assets_are_found_by_lesson_and_name) {
  const auto names = exercise_names(kLessons);
  EXPECT_THAT(names, testing::Contains("transpose/tiled"));
  std::set<std::string> files;
  for (const std::string& name : names) {
    const auto exercise = find_exercise(kLessons, name);
    ASSERT_TRUE(exercise) << describe(exercise.error());
    EXPECT_EQ(exercise->name, name);
    // A student's file may have the name of the exercise without the lesson.
    EXPECT_TRUE(files.insert(name.substr(name.find('/') + 1)).second) << name;
  }
}

TEST(Exercises, an_unknown_one_lists_those_there_are) {
  for (const char* name : {"transpose/none", "tiled", "", "transpose/"}) {
    const auto exercise = find_exercise(kLessons, name);
    ASSERT_FALSE(exercise) << name;
    EXPECT_EQ(exercise.error().kind, ErrorKind::Usage) << name;
    EXPECT_THAT(exercise.error().message, HasSubstr("transpose/tiled"));
  }
}

TEST(Exercises, a_name_cannot_climb_out_of_the_lessons) {
  const auto exercise = find_exercise(kLessons, "transpose/..");
  ASSERT_FALSE(exercise);
  EXPECT_EQ(exercise.error().kind, ErrorKind::Usage);
}

TEST_F(ExerciseFile, is_a_lesson_of_one_kernel) {
  const auto exercise =
      read(text_with("[[cases]]\nset = {n = \"64\"}\n[[cases]]\nset = {}\n",
                     "output = [\"out\"]\ncoalesced = true\nsectors = \"n / 8\"\nactive_share = 0.9\n"));
  ASSERT_TRUE(exercise) << describe(exercise.error());
  EXPECT_EQ(exercise->name, "lesson/double");
  EXPECT_EQ(exercise->lesson.kernels.front().entry, "twice");
  EXPECT_EQ(exercise->lesson.kernels.front().file, kSolutionFile);
  ASSERT_EQ(exercise->cases.size(), 2u);
  EXPECT_EQ(exercise->cases[0].values.at("n"), "64");
  EXPECT_EQ(case_text(*exercise, exercise->cases[0]), "n=64");
  EXPECT_EQ(exercise->cases[1].values.at("n"), "32");
  EXPECT_EQ(case_text(*exercise, exercise->cases[1]), "");
  const Requirements& asked = exercise->requirements;
  EXPECT_TRUE(asked.coalesced);
  EXPECT_FALSE(asked.conflict_free);
  EXPECT_EQ(asked.sectors->text(), "n / 8");
  EXPECT_EQ(asked.active_share, 0.9);
  EXPECT_FALSE(asked.copy_share);
}

TEST_F(ExerciseFile, without_cases_is_tried_as_the_toggles_begin) {
  const auto exercise = read(text_with(""));
  ASSERT_TRUE(exercise) << describe(exercise.error());
  ASSERT_EQ(exercise->cases.size(), 1u);
  EXPECT_EQ(exercise->cases[0].values.at("n"), "32");
}

TEST_F(ExerciseFile, is_found_by_the_path_of_its_lesson_or_its_own) {
  ASSERT_TRUE(read(text_with("")));
  for (const char* name : {"lesson/double", "lesson/double/", "lesson/exercises/double"}) {
    const auto exercise = find_exercise(kLessons, (folder_ / name).string());
    ASSERT_TRUE(exercise) << describe(exercise.error());
    EXPECT_EQ(exercise->name, "lesson/double");
  }
  EXPECT_EQ(find_exercise(kLessons, (folder_ / "lesson/none").string()).error().kind, ErrorKind::File);
}

TEST_F(ExerciseFile, that_is_wrong_says_where) {
  EXPECT_THAT(problem_of(text_with("[[cases]]\nset = {n = \"48\"}\n")), HasSubstr("15: toggle 'n' has no"));
  EXPECT_THAT(problem_of(text_with("[[cases]]\nset = {m = \"64\"}\n")), HasSubstr("15: "));
  EXPECT_THAT(problem_of(text_with("[[cases]]\n")), HasSubstr("14: 'set' is missing"));
  EXPECT_THAT(problem_of(text_with("", "coalesced = true\n")), HasSubstr("14: 'output' is missing"));
  EXPECT_THAT(problem_of(text_with("", "output = [\"in\"]\n")), HasSubstr("15: there is no buffer 'in'"));
  const std::string output = "output = [\"out\"]\n";
  EXPECT_THAT(problem_of(text_with("", output + "sectors = \"m\"\n")), HasSubstr("16: 'm' names 'm'"));
  EXPECT_THAT(problem_of(text_with("", output + "active_share = 1.5\n")), HasSubstr("16: 'active_share'"));
  EXPECT_THAT(problem_of(text_with("", output + "copy_share = \"x\"\n")), HasSubstr("copy_share"));
  EXPECT_THAT(problem_of(text_with("", output + "colaesced = true\n")),
              HasSubstr("16: 'colaesced' is unknown"));
  EXPECT_THAT(problem_of("title = \"T\"\nentry = \"t\"\n[checks]\noutput = [\"out\"]\n"),
              HasSubstr("the table 'launch' is missing"));
  EXPECT_THAT(problem_of("order =\n"), HasSubstr("1: the file cannot be read"));
}

TEST_F(ExerciseFile, of_many_cases_or_too_large_is_refused) {
  std::string cases;
  for (int n = 0; n < 17; ++n) cases += "[[cases]]\nset = {}\n";
  EXPECT_THAT(problem_of(text_with(cases)), HasSubstr("at most 16 cases"));
  EXPECT_THAT(problem_of(std::string(2 << 20, '#')), HasSubstr("1 MiB"));
}

TEST_F(ExerciseFile, without_its_sources_is_refused) {
  ASSERT_TRUE(read(text_with("")));
  fs::resize_file(exercise_ / kStarterFile, 2 << 20);
  EXPECT_THAT(read_exercise(exercise_).error().message, HasSubstr("1 MiB"));
  fs::remove(exercise_ / kSolutionFile);
  fs::resize_file(exercise_ / kStarterFile, 0);
  const auto exercise = read_exercise(exercise_);
  ASSERT_FALSE(exercise);
  EXPECT_EQ(exercise.error().kind, ErrorKind::File);
  EXPECT_THAT(exercise.error().where->file, testing::EndsWith(kSolutionFile));
}

}  // namespace
}  // namespace lanescope::lesson
