// Every control is reached without a mouse.

#include "gui_test.h"

namespace lanescope {
namespace {

class Keyboard : public GuiTest {
 protected:
  static bool has_menu() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }
};

TEST_F(Keyboard, alt_and_a_letter_open_a_menu_whose_entries_the_arrows_reach) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const uint32_t access = now()->selection.access;
    for (const ImGuiKey key : {ImGuiKey_F, ImGuiKey_K, ImGuiKey_E, ImGuiKey_V}) {
      press(context, ImGuiMod_Alt | key);
      EXPECT_TRUE(has_menu()) << ImGui::GetKeyName(key);
      press(context, ImGuiKey_Escape);
      EXPECT_FALSE(has_menu()) << ImGui::GetKeyName(key);
    }
    const std::string kernel = now()->choices.settings.kernel;
    press(context, ImGuiMod_Alt | ImGuiKey_K);
    for (int n = 0; n < 2; ++n) press(context, ImGuiKey_DownArrow);
    press(context, ImGuiKey_Enter);
    EXPECT_NE(now()->choices.settings.kernel, kernel);
    EXPECT_EQ(now()->selection.access, access) << "the arrows chose in the menu, and did not step";
  });
}

TEST_F(Keyboard, tab_goes_over_the_controls_and_escape_gives_the_keys_back) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const uint32_t access = now()->selection.access;
    press(context, ImGuiKey_Tab);
    press(context, ImGuiKey_RightArrow);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->selection.access, access);
    EXPECT_TRUE(ImGui::GetIO().NavVisible);
    picture(context, "keyboard_focus");
    press(context, ImGuiKey_Escape);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->selection.access, access + 1);
  });
}

}  // namespace
}  // namespace lanescope
