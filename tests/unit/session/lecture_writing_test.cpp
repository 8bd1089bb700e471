#include "session/lecture_writing.h"

#include "lesson/lecture.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class LectureWriting : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  Result<size_t> add(const Snapshot& snapshot, const std::filesystem::path& file) const {
    return add_to_lecture(snapshot, {file, {"banks", "blocks"}}, lessons_);
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const tests::TemporaryFolder folder_{"lecture"};
  const std::filesystem::path file_ = folder_ / lesson::kLectureFile;
  const std::filesystem::path lessons_ = tests::project_options(1).assets / "lessons";
  Session session_{tests::project_options(1)};
};

TEST_F(LectureWriting, a_view_becomes_a_step_that_shows_it) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"padding", "1"});
  after(SetToggle{"size", "2048"});
  after(SelectBlock{CtaId{66}});
  const auto now = after(SelectAccess{10});
  ASSERT_EQ(add(*now, file_), 1u);
  const auto lecture = lesson::read_lecture(file_, lessons_);
  ASSERT_TRUE(lecture) << describe(lecture.error());
  EXPECT_THAT(lecture->panels, testing::ElementsAre("banks", "blocks"));
  const lesson::LectureStep& step = lecture->steps.front();
  EXPECT_EQ(step.settings, now->choices.settings);
  EXPECT_EQ(step.device, "gt200");
  // 2048 columns in tiles of 32: 64 blocks in a row.
  EXPECT_EQ(step.block, (Dim3{2, 1, 0}));
  EXPECT_EQ(step.cta.value, 66u);
  EXPECT_EQ(step.access, 10u);
}

TEST_F(LectureWriting, a_run_that_is_compared_is_the_a_of_the_step) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"kernel", "naive"});
  after(Pin{});
  const auto now = after(SetToggles{{{"kernel", "tiled"}, {"padding", "1"}}});
  ASSERT_EQ(add(*now, file_), 1u);
  EXPECT_THAT(text_of(file_), HasSubstr("\na = {kernel = \"naive\""));
  const auto lecture = lesson::read_lecture(file_, lessons_);
  ASSERT_TRUE(lecture) << describe(lecture.error());
  EXPECT_EQ(lecture->steps.front().settings, now->choices.settings);
  EXPECT_EQ(lecture->steps.front().settings_of_a, now->pinned->choices.settings);
}

TEST_F(LectureWriting, what_the_teacher_wrote_stays) {
  after(OpenLesson{"warp"});
  std::ofstream(file_)
      << "# Mine.\nlanescope_lecture = 1\ntitle = \"T\"\n[[steps]]\nlesson = \"warp\"\nsay = "
         "\"One\" # first";
  ASSERT_EQ(add(*session_.latest(), file_), 2u);
  EXPECT_THAT(text_of(file_), testing::StartsWith("# Mine.\nlanescope_lecture = 1\n"));
  EXPECT_THAT(text_of(file_), HasSubstr("say = \"One\" # first\n\n[[steps]]\nlesson = \"warp\"\n"));
}

TEST_F(LectureWriting, a_file_that_is_no_lecture_stays_as_it_is) {
  after(OpenLesson{"warp"});
  std::ofstream(file_) << "notes of mine\n";
  const auto added = add(*session_.latest(), file_);
  ASSERT_FALSE(added);
  EXPECT_EQ(text_of(file_), "notes of mine\n");
  EXPECT_FALSE(add(*session_.latest(), folder_ / "missing/lecture.toml"));
}

TEST_F(LectureWriting, a_file_of_the_persons_own_is_no_step) {
  std::ofstream(folder_ / "own.cu") << "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n";
  const auto own = after(OpenFile{folder_ / "own.cu"});
  EXPECT_THAT(add(*own, file_).error().message, HasSubstr("a step of a lecture shows a lesson"));
}

TEST_F(LectureWriting, a_lesson_elsewhere_has_its_lecture_in_its_folder) {
  const auto mine = folder_ / "mine";
  std::filesystem::copy(tests::project_options(1).assets / "new_lesson", mine,
                        std::filesystem::copy_options::recursive);
  const auto now = after(OpenFile{mine});
  EXPECT_THAT(add(*now, file_).error().message, HasSubstr((mine / "lecture.toml").string()));
  ASSERT_EQ(add(*now, mine / "lecture.toml"), 1u);
  EXPECT_TRUE(lesson::read_lecture(mine / "lecture.toml", lessons_));
}

}  // namespace
}  // namespace lanescope::session
