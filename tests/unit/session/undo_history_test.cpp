// Undoing and redoing changes of settings.

#include "session/undo_history.h"

#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class UndoTest : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  static const std::string& padding(const Snapshot& now) { return now.choices.settings.values.at("padding"); }

  Session session_{tests::project_options(1)};
};

TEST_F(UndoTest, a_toggle_is_taken_back_and_made_again) {
  auto now = after(OpenLesson{"transpose"});
  EXPECT_EQ(now->undo, nullptr) << "there was nothing before the first lesson";
  now = after(SetToggle{"padding", "1"});
  ASSERT_NE(now->undo, nullptr);
  EXPECT_EQ(now->undo->settings.values.at("padding"), "0");
  now = after(Undo{});
  EXPECT_EQ(padding(*now), "0");
  EXPECT_EQ(now->run->defines[2], "PADDING=0");
  EXPECT_EQ(now->undo, nullptr);
  ASSERT_NE(now->redo, nullptr);
  now = after(Redo{});
  EXPECT_EQ(padding(*now), "1");
  EXPECT_EQ(now->run->defines[2], "PADDING=1");
  EXPECT_EQ(now->redo, nullptr);
}

TEST_F(UndoTest, the_place_in_the_warp_stays) {
  after(OpenLesson{"transpose"});
  after(SelectBlock{CtaId{33}});
  after(SelectWarp{WarpId{2}});
  after(SelectAccess{.index = 9});
  after(SetToggle{"padding", "1"});
  const auto now = after(Undo{});
  EXPECT_EQ(now->selection.cta.value, 33u);
  EXPECT_EQ(now->selection.warp.value, 2u);
  EXPECT_EQ(now->selection.access, 9u);
}

TEST_F(UndoTest, every_kind_of_setting_is_undone_in_order) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"kernel", "naive"});
  after(SetDevice{"h200"});
  after(SetChecks{emulator::Checks::None});
  after(SetScheduling{emulator::Scheduling::Lockstep});
  auto now = after(OpenLesson{session_.latest()->available.lessons.back()});
  ASSERT_NE(now->choices.lesson->name, "transpose");
  now = after(Undo{});
  EXPECT_EQ(now->choices.lesson->name, "transpose");
  EXPECT_EQ(now->run->kernel, "transpose_naive");
  EXPECT_EQ(now->choices.scheduling, emulator::Scheduling::Lockstep);
  now = after(Undo{});
  EXPECT_EQ(now->choices.scheduling, emulator::Scheduling::Independent);
  EXPECT_EQ(now->choices.checks, emulator::Checks::None);
  now = after(Undo{});
  EXPECT_EQ(now->choices.checks, emulator::Checks::All);
  EXPECT_EQ(now->choices.device.name, "h200");
  now = after(Undo{});
  EXPECT_EQ(now->choices.device.name, "gt200");
  EXPECT_NE(now->run->partitions, nullptr) << "the models are the device's again";
  now = after(Undo{});
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
  EXPECT_EQ(now->undo, nullptr);
  now = after(Undo{});
  EXPECT_FALSE(now->error) << "nothing is left to undo";
}

TEST_F(UndoTest, a_change_after_undoing_forgets_what_was_undone) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"padding", "1"});
  after(Undo{});
  const auto now = after(SetToggle{"padding", "2"});
  EXPECT_EQ(now->redo, nullptr);
  EXPECT_EQ(padding(*after(Redo{})), "2");
}

TEST_F(UndoTest, language_and_place_and_failed_commands_are_no_changes) {
  after(OpenLesson{"transpose"});
  after(SetLanguage{Language::French});
  after(SelectAccess{.index = 3});
  after(SetToggle{"padding", "0"});
  EXPECT_EQ(after(SetToggle{"padding", "banana"})->undo, nullptr);
  after(SetToggle{"padding", "1"});
  EXPECT_EQ(after(Undo{})->choices.language, Language::French);
}

TEST_F(UndoTest, undoing_twice_at_once_takes_back_two_changes) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"padding", "1"});
  after(SetToggle{"padding", "2"});
  session_.post(Undo{});
  EXPECT_EQ(padding(*after(Undo{})), "0");
}

}  // namespace
}  // namespace lanescope::session
