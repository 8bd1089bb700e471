// Every control is reached without a mouse.

#include "gui_test.h"

#include <set>
#include <string_view>

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

TEST_F(Keyboard, tab_goes_on_from_the_bars_to_every_panel_and_around) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    std::set<view::PanelId> reached;
    bool is_in_toolbar_again = false;
    for (int n = 0; n < 600 && !is_in_toolbar_again; ++n) {
      press(context, ImGuiKey_Tab);
      context.Yield(4);
      const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
      ASSERT_NE(window, nullptr);
      for (const view::PanelRow& row : view::panel_rows())
        if (std::string_view(window->RootWindow->Name).ends_with(view::window_of(row.id)))
          reached.insert(row.id);
      is_in_toolbar_again = !reached.empty() && window->RootWindow->DockNode == nullptr;
    }
    EXPECT_TRUE(is_in_toolbar_again) << "the focus stays in " << ImGui::GetCurrentContext()->NavWindow->Name;
    for (const view::PanelId id : {view::PanelId::Source, view::PanelId::Lesson, view::PanelId::Exercise,
                                   view::PanelId::Banks, view::PanelId::Bandwidth})
      EXPECT_TRUE(reached.contains(id)) << view::name_of(id);
  });
}

TEST_F(Keyboard, f6_goes_from_panel_to_panel_and_back) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto panel = [] { return std::string(ImGui::GetCurrentContext()->NavWindow->RootWindow->Name); };
    for (int n = 0; n < 40 && !panel().ends_with("###exercise"); ++n) {
      press(context, ImGuiKey_F6);
      context.Yield(4);
    }
    ASSERT_TRUE(panel().ends_with("###exercise"));
    picture(context, "keyboard_exercise");
    EXPECT_TRUE(ImGui::GetIO().NavVisible);
    press(context, ImGuiMod_Shift | ImGuiKey_F6);
    context.Yield(4);
    EXPECT_FALSE(panel().ends_with("###exercise"));
  });
}

}  // namespace
}  // namespace lanescope
