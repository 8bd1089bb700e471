// The panel of the lesson: the text has the run's numbers, and a guess shows the answer.

#include "gui_test.h"
#include "pipeline/lesson_prose.h"
#include "session/student_progress.h"

#include <algorithm>

namespace lanescope {
namespace {

class LessonPanel : public GuiTest {
 protected:
  /// The place of a guess among those that a question offers.
  std::string guess(const char* question, double number) const {
    const auto& questions = now()->prose->questions;
    const auto asked = std::ranges::find(questions, question, &pipeline::LessonProse::Question::name);
    const auto place = std::ranges::find(asked->guesses, number);
    return std::string(question) + "/guess " + std::to_string(place - asked->guesses.begin());
  }
};

TEST_F(LessonPanel, a_guess_chooses_the_settings_of_the_question_and_shows_its_answer) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_NE(now()->prose, nullptr);
    const pipeline::LessonProse::Question before = now()->prose->questions.front();
    EXPECT_EQ(before.name, "naive_store");
    EXPECT_TRUE(before.answer.empty());
    click(context, "###lesson/text", guess("naive_store", 4).c_str());
    EXPECT_EQ(now()->choices.settings.kernel, "naive");
    // Each lane writes to a row of its own.
    EXPECT_EQ(now()->prose->questions.front().value, 32);
    EXPECT_FALSE(now()->prose->questions.front().answer.empty());
    picture(context, "lesson-answered");
    click(context, "###lesson/text", "naive_store/next");
    click(context, "###lesson/text", guess("column", 32).c_str());
    EXPECT_EQ(now()->choices.settings.kernel, "tiled");
    EXPECT_EQ(now()->prose->questions[1].value, 32);
  });
}

TEST_F(LessonPanel, the_kernel_of_the_settings_is_the_one_that_lights) {
  drive([&](ImGuiTestContext& context) {
    click(context, "###lesson/text", "kernel/tiled");
    press(context, ImGuiKey_P);
    EXPECT_EQ(now()->choices.settings.kernel, "padded");
    press(context, ImGuiMod_Shift | ImGuiKey_P);
    EXPECT_EQ(now()->choices.settings.kernel, "tiled");
  });
}

TEST_F(LessonPanel, the_panels_that_a_lesson_names_come_to_the_front) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto& lesson = *now()->choices.lesson;
    ASSERT_FALSE(lesson.panels.empty());
    for (const std::string& name : lesson.panels) {
      const ImGuiWindow* const shown = ImGui::FindWindowByName(("###" + name).c_str());
      ASSERT_NE(shown, nullptr) << name;
      EXPECT_TRUE(shown->DockTabIsVisible) << name;
    }
  });
}

TEST_F(LessonPanel, progress_is_told_and_the_next_lesson_is_a_click_away) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_NE(now()->student, nullptr);
    const std::string lesson = now()->choices.lesson->name;
    const std::vector<std::string> lessons = now()->available.lessons;
    const auto open = std::ranges::find(lessons, lesson);
    ASSERT_NE(open, lessons.end());
    ASSERT_NE(open + 1, lessons.end());
    const size_t before = now()->student->lessons.at(lesson).kernels.size();
    EXPECT_GE(before, 1u);
    click(context, "###lesson/text", "kernel/naive");
    EXPECT_EQ(now()->student->lessons.at(lesson).kernels.size(), before + 1);
    EXPECT_GT(now()->available.lesson_sizes[static_cast<size_t>(open - lessons.begin())].exercises, 0u);
    click(context, "###lesson/text", "next_lesson");
    EXPECT_EQ(now()->choices.lesson->name, *(open + 1));
    picture(context, "lesson-next");
  });
}

}  // namespace
}  // namespace lanescope
