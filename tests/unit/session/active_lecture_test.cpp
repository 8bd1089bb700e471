#include "session/active_lecture.h"

#include "session/lecture_state.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

constexpr const char* kText = R"(lanescope_lecture = 1
title = "Columns"
[[steps]]
lesson = "transpose"
set = {kernel = "naive"}
block = [3, 1]
warp = 2
access = 1
look = ["sectors"]
predict = true
say = {english = "How many?", french = "Combien ?"}
reveal = {english = "{{global_store.sectors_per_request}} [[sectors]]", french = "{{global_store.sectors_per_request}} [[sectors]]"}
[[steps]]
set = {kernel = "tiled"}
device = "h200"
say = "{{shared_load.wavefronts_per_request}} [[wavefronts]]"
)";

std::string text_of(const LectureTexts::Paragraphs& paragraphs) {
  std::string text = lesson::plain_text(paragraphs, 1000);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

class ActiveLectureTest : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  std::shared_ptr<const Snapshot> open(const std::string& text = kText) {
    std::ofstream(folder_ / lesson::kLectureFile) << text;
    return after(OpenLecture{(folder_ / lesson::kLectureFile).string()});
  }

  const tests::TemporaryFolder folder_{"lecture"};
  Session session_{tests::project_options(1)};
};

TEST_F(ActiveLectureTest, a_step_chooses_kernel_device_and_selection_and_has_the_numbers_of_its_run) {
  const auto one = open();
  ASSERT_FALSE(one->error) << describe(*one->error);
  ASSERT_NE(one->lecture, nullptr);
  EXPECT_EQ(one->choices.settings.kernel, "naive");
  EXPECT_EQ(one->choices.device.name, "gt200") << "that of the lesson";
  EXPECT_EQ(one->selection.cta.value, 32u + 3u);
  EXPECT_EQ(one->selection.warp.value, 2u);
  EXPECT_EQ(one->selection.access, 1u);
  EXPECT_TRUE(one->lecture->has_numbers);
  // Each of 32 lanes writes into a row of its own: a transaction each.
  EXPECT_EQ(text_of(one->lecture->english.reveal), "32 transactions");
  EXPECT_EQ(text_of(one->lecture->french.say), "Combien ?");

  const auto two = after(ShowLectureStep{1});
  EXPECT_EQ(two->lecture->step, 1u);
  EXPECT_EQ(two->choices.settings.kernel, "tiled");
  EXPECT_EQ(two->choices.device.name, "h200");
  EXPECT_EQ(two->selection.cta.value, 0u);
  // The words of a column of 32 rows of 32 words lie in one bank.
  EXPECT_EQ(text_of(two->lecture->english.say), "32 wavefronts");
  EXPECT_GT(two->lecture->showings, one->lecture->showings);
  EXPECT_EQ(after(ShowLectureStep{7})->lecture->step, 1u) << "there is no step after the last";
}

TEST_F(ActiveLectureTest, what_the_teacher_changes_leaves_the_sentence_and_the_next_step_as_they_are) {
  open();
  after(ShowLectureStep{1});
  const auto changed = after(SetToggle{"padding", "1"});
  EXPECT_EQ(changed->choices.settings.values.at("padding"), "1");
  EXPECT_EQ(text_of(changed->lecture->english.say), "32 wavefronts");
  const auto back = after(ShowLectureStep{0});
  EXPECT_EQ(back->choices.settings.kernel, "naive");
  const auto again = after(ShowLectureStep{1});
  EXPECT_EQ(again->choices.settings.values.at("padding"), "0");
  const auto closed = after(CloseLecture{});
  EXPECT_EQ(closed->lecture, nullptr);
  EXPECT_EQ(closed->choices.settings.kernel, "tiled") << "what is on the screen stays";
  EXPECT_THAT(after(ShowLectureStep{0})->error->message, HasSubstr("no lecture is open"));
}

TEST_F(ActiveLectureTest, another_lesson_does_not_end_the_lecture) {
  open();
  const auto other = after(OpenLesson{"warp"});
  ASSERT_NE(other->lecture, nullptr);
  EXPECT_EQ(other->choices.lesson->name, "warp");
  EXPECT_EQ(after(ShowLectureStep{1})->choices.lesson->name, "transpose");
}

TEST_F(ActiveLectureTest, a_mistake_leaves_the_window_as_it_was) {
  after(OpenLesson{"warp"});
  const auto broken = open("lanescope_lecture = 1\n");
  ASSERT_TRUE(broken->error);
  EXPECT_EQ(broken->lecture, nullptr);
  EXPECT_EQ(broken->choices.lesson->name, "warp");
  const auto without_device = open(
      "lanescope_lecture = 1\ntitle = \"A\"\n[[steps]]\nlesson = \"transpose\"\ndevice = \"gtx\"\nsay = "
      "\"One\"\n");
  ASSERT_TRUE(without_device->error);
  EXPECT_EQ(without_device->lecture, nullptr);
  EXPECT_EQ(without_device->choices.lesson->name, "warp");
}

TEST_F(ActiveLectureTest, a_number_that_the_run_does_not_have_is_told) {
  const auto now =
      open("lanescope_lecture = 1\ntitle = \"A\"\n[[steps]]\nlesson = \"transpose\"\nsay = \"{{sheep}}\"\n");
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("there is no live number 'sheep'"));
  EXPECT_EQ(text_of(now->lecture->english.say), "…");
}

/// Every lecture of the program: each number is known, each panel exists and shows the selected access, and
/// the same step looks the same whatever was shown before.
TEST_F(ActiveLectureTest, those_of_the_assets_show_what_their_sentences_are_about) {
  for (const std::string& name : lesson::lecture_names(tests::project_options(1).assets / "lessons")) {
    SCOPED_TRACE(name);
    session_.post(OpenLecture{name});
    session_.wait_until_modelled();
    const size_t count = session_.latest()->lecture->lecture->steps.size();
    for (size_t n = 0; n < count; ++n) {
      SCOPED_TRACE(n + 1);
      session_.post(ShowLectureStep{static_cast<uint32_t>(n)});
      session_.wait_until_modelled();
      const auto now = session_.latest();
      EXPECT_TRUE(now->lecture->has_numbers);
      const lesson::LectureStep& step = now->lecture->shown();
      EXPECT_EQ(now->choices.settings, step.settings);
      EXPECT_EQ(now->selection.warp.value, step.warp);
      EXPECT_EQ(now->selection.access, step.access) << "the warp has fewer accesses";
      for (const LectureTexts* texts : {&now->lecture->english, &now->lecture->french})
        for (const auto* part : {&texts->say, &texts->reveal, &texts->notes})
          for (const char* missing : {"…", "–", "[["})
            EXPECT_THAT(text_of(*part), testing::Not(HasSubstr(missing)));
      const trace::Space space = now->selection.timeline.at(step.access).operation.space;
      const auto looks_at = [&](const char* panel) { return std::ranges::count(step.look, panel) != 0; };
      EXPECT_TRUE(!looks_at("banks") || space == trace::Space::Shared);
      EXPECT_TRUE(!looks_at("sectors") || space == trace::Space::Global);
      EXPECT_TRUE(!looks_at("partitions") || now->run->partitions != nullptr);
    }
  }
}

TEST_F(ActiveLectureTest, a_step_has_the_run_a_that_it_is_compared_with) {
  const std::string compared = R"([[steps]]
set = {kernel = "tiled", padding = "1"}
a = {padding = "0"}
say = "{{shared_load.wavefronts_per_request}} [[wavefronts]]"
[[steps]]
say = "Alone"
)";
  open(kText + compared);
  const auto third = after(ShowLectureStep{2});
  ASSERT_FALSE(third->error) << describe(*third->error);
  ASSERT_NE(third->pinned, nullptr);
  EXPECT_EQ(third->pinned->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(third->choices.settings.values.at("padding"), "1");
  EXPECT_EQ(text_of(third->lecture->texts_in(Language::English).say), "1 wavefronts") << "of B";
  const auto fourth = after(ShowLectureStep{3});
  EXPECT_EQ(fourth->pinned, nullptr) << "A is of one step";
  EXPECT_EQ(fourth->choices.settings.values.at("padding"), "1");
  EXPECT_NE(after(ShowLectureStep{2})->pinned, nullptr);
}

}  // namespace
}  // namespace lanescope::session
