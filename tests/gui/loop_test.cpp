// The main loop: what quick input asks for is on the screen without waiting for the next event.

#include "gui_test.h"

namespace lanescope {
namespace {

class Loop : public GuiTest {
 protected:
  /// Lets the loop draw until it waits; false where it does not come to rest.
  bool rests(shell::MainLoop& loop) {
    session_->wait_until_idle();
    for (int turn = 0; turn < 500; ++turn)
      if (!loop.turn()) return true;
    return false;
  }
  static void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
  }
};

TEST_F(Loop, ten_quick_presses_are_all_seen_before_it_rests) {
  shell::MainLoop loop(*frames_);
  ASSERT_TRUE(rests(loop));
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  for (int n = 0; n < 10; ++n) press(ImGuiKey_Equal);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
  ASSERT_TRUE(rests(loop));
  EXPECT_EQ(workspace().preferences().text, view::kOrdinaryText + 10);
}

TEST_F(Loop, input_while_frames_still_settle_counts_like_input_that_was_waited_for) {
  shell::MainLoop loop(*frames_);
  ASSERT_TRUE(rests(loop));
  press(ImGuiKey_L);
  loop.turn();
  loop.turn();
  press(ImGuiKey_L);
  press(ImGuiKey_L);
  ASSERT_TRUE(rests(loop));
  EXPECT_EQ(workspace().preferences().mode, plot::Theme::Dark);
}

}  // namespace
}  // namespace lanescope
