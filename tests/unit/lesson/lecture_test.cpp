#include "lesson/lecture.h"

#include "support/project.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kOfProgram = tests::source_dir() / "assets/lessons";

/// The opening of a lecture: lines 1 and 2.
constexpr const char* kOpening = "lanescope_lecture = 1\ntitle = \"A lecture\"\n";

class LectureFile : public testing::Test {
 protected:
  Result<Lecture> read(const std::string& steps, const std::string& opening = kOpening) const {
    std::ofstream(file_) << opening << steps;
    return read_lecture(file_, kOfProgram);
  }
  /// The first complaint, "LINE: message"; empty: none.
  std::string problem_of(const std::string& steps, const std::string& opening = kOpening) const {
    const auto lecture = read(steps, opening);
    if (lecture) return "";
    return std::to_string(lecture.error().where->line) + ": " + lecture.error().message;
  }
  const tests::TemporaryFolder folder_{"lecture"};
  const fs::path file_ = folder_ / kLectureFile;
};

TEST_F(LectureFile, a_step_has_what_the_step_before_it_has) {
  const auto lecture = read(
      "[[steps]]\nlesson = \"transpose\"\nset = {padding = \"1\", kernel = \"tiled\"}\nblock = [3, 1]\n"
      "warp = 2\naccess = 5\nlook = [\"banks\"]\npredict = true\nsay = \"One\"\nnotes = \"Slowly\"\n"
      "[[steps]]\nset = {padding = \"2\"}\nsay = \"Two\"\n"
      "[[steps]]\nset = {kernel = \"naive\"}\ndevice = \"h200\"\nsay = \"Three\"\n"
      "[[steps]]\nlesson = \"warp\"\nsay = {english = \"Four\", french = \"Quatre\"}\n");
  ASSERT_TRUE(lecture) << describe(lecture.error());
  ASSERT_EQ(lecture->steps.size(), 4u);
  const LectureStep& one = lecture->steps[0];
  EXPECT_EQ(one.lesson->name, "transpose");
  // The kernel comes first whatever the order in the file is: its preset of the padding is 0.
  EXPECT_EQ(one.settings.values.at("padding"), "1");
  // 1024 columns in tiles of 32: the grid has 32 blocks in a row.
  EXPECT_EQ(one.cta.value, 32u + 3u);
  EXPECT_EQ(one.warp, 2u);
  EXPECT_EQ(one.access, 5u);
  EXPECT_TRUE(one.predicts);
  EXPECT_EQ(one.device, "");
  const LectureStep& two = lecture->steps[1];
  // With a padding of 1 the settings were those of the kernel padded, of the same function.
  EXPECT_EQ(two.settings.kernel, "padded");
  EXPECT_EQ(two.settings.values.at("padding"), "2");
  EXPECT_EQ(two.cta.value, 35u);
  EXPECT_EQ(two.access, 5u);
  EXPECT_THAT(two.look, ElementsAre("banks"));
  EXPECT_FALSE(two.predicts) << "each prediction is asked for";
  EXPECT_EQ(two.notes.english, "") << "notes are of one step";
  const LectureStep& three = lecture->steps[2];
  EXPECT_EQ(three.cta.value, 0u) << "another kernel begins at its first block";
  EXPECT_EQ(three.access, 0u);
  EXPECT_EQ(three.device, "h200");
  const LectureStep& four = lecture->steps[3];
  EXPECT_EQ(four.lesson->name, "warp");
  EXPECT_EQ(four.settings, initial_settings(*four.lesson));
  EXPECT_EQ(four.device, "") << "another lesson has its own device";
  EXPECT_EQ(four.say.french, "Quatre");
}

TEST_F(LectureFile, a_lecture_in_the_folder_of_a_lesson_is_about_it) {
  fs::copy(tests::source_dir() / "assets/new_lesson", folder_ / "mine", fs::copy_options::recursive);
  std::ofstream(folder_ / "mine/lecture.toml") << kOpening << "[[steps]]\nsay = \"One\"\n";
  const auto lecture = find_lecture(kOfProgram, (folder_ / "mine").string());
  ASSERT_TRUE(lecture) << describe(lecture.error());
  EXPECT_EQ(lecture->name, "mine");
  EXPECT_EQ(lecture->steps[0].lesson->folder, folder_ / "mine");
}

TEST_F(LectureFile, what_is_wrong_is_told_with_its_line) {
  const std::string step = "[[steps]]\nlesson = \"transpose\"\nsay = \"One\"\n";
  EXPECT_EQ(problem_of(step), "");
  EXPECT_THAT(problem_of(step, "title = \"A lecture\"\n"), HasSubstr("lanescope_lecture = 1"));
  EXPECT_THAT(problem_of(step, "lanescope_lecture = 2\ntitle = \"A\"\n"), HasSubstr("this is format 2"));
  EXPECT_THAT(problem_of(""), HasSubstr("'steps' must be a list with at least one entry"));
  EXPECT_THAT(problem_of("[[steps]]\nsay = \"One\"\n"),
              HasSubstr("3: 'lesson' is missing in the first step"));
  EXPECT_THAT(problem_of("[[steps]]\nlesson = \"transposed\"\nsay = \"One\"\n"),
              HasSubstr("4: there is no lesson 'transposed'"));
  EXPECT_THAT(problem_of(step + "sey = \"Two\"\n"), HasSubstr("6: 'sey' is unknown here"));
  EXPECT_THAT(problem_of("[[steps]]\nlesson = \"transpose\"\n"), HasSubstr("'say' is missing"));
  EXPECT_THAT(problem_of(step + "set = {padding = \"lots\"}\n"), HasSubstr("6: "));
  EXPECT_THAT(problem_of(step + "block = [32, 0]\n"),
              HasSubstr("3: block [32, 0, 0] is not in the grid of 32 x 32 x 1 blocks"));
  EXPECT_THAT(problem_of(step + "block = [-1]\n"), HasSubstr("6: 'block' is a whole number from 0"));
  EXPECT_THAT(problem_of(step + "warp = 1.5\n"), HasSubstr("6: 'warp' is a whole number from 0"));
  EXPECT_THAT(problem_of(step + "reveal = \"{{lanes\"\n"), HasSubstr("6: a live number is not closed"));
}

/// A lecture comes from other people: it opens no path.
TEST_F(LectureFile, a_lesson_elsewhere_is_refused) {
  for (const char* path : {"../transpose", "/etc", "./mine", "."})
    EXPECT_THAT(problem_of("[[steps]]\nlesson = \"" + std::string(path) + "\"\nsay = \"One\"\n"),
                HasSubstr("there is no lesson"));
}

TEST_F(LectureFile, a_lecture_without_end_is_refused) {
  std::string steps = "[[steps]]\nlesson = \"transpose\"\nsay = \"One\"\n";
  for (size_t n = 0; n < kMaximumLectureSteps; ++n) steps += "[[steps]]\nsay = \"More\"\n";
  EXPECT_THAT(problem_of(steps), HasSubstr("at most 1000 steps"));
}

TEST(Lectures, those_of_the_assets_can_be_read) {
  const auto names = lecture_names(kOfProgram);
  EXPECT_THAT(names, testing::UnorderedElementsAre("transpose", "warp", "banks", "mover"));
  for (const std::string& name : names) {
    const auto lecture = find_lecture(kOfProgram, name);
    ASSERT_TRUE(lecture) << describe(lecture.error());
    EXPECT_EQ(lecture->name, name);
    for (const LectureStep& step : lecture->steps) {
      EXPECT_NE(step.say.english, step.say.french) << step.where.line;
      EXPECT_NE(step.notes.english, "") << step.where.line;
      EXPECT_TRUE(!step.predicts || !step.reveal.english.empty()) << step.where.line;
    }
  }
  EXPECT_EQ(find_lecture(kOfProgram, "transpose")->steps.size(), 8u);
  const auto unknown = find_lecture(kOfProgram, "transposes");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("there is no lecture 'transposes'; choose one of: "));
}

}  // namespace
}  // namespace lanescope::lesson
