// Every control is reached without a mouse.

#include "gui_test.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>

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
    std::set<std::string> nameless;
    bool is_in_toolbar_again = false;
    for (int n = 0; n < 600 && !is_in_toolbar_again; ++n) {
      press(context, ImGuiKey_Tab);
      context.Yield(4);
      const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
      ASSERT_NE(window, nullptr);
      // A part of a panel that scrolls is told as its panel.
      const auto& all = ImGui::GetCurrentContext()->Windows;
      const ImGuiID focused = ImGui::GetCurrentContext()->NavId;
      const bool is_area = std::ranges::find(all, focused, &ImGuiWindow::ChildId) != all.end();
      if (workspace().focused_control().name.empty() && focused != 0 && !is_area)
        nameless.insert(window->Name);
      for (const view::PanelRow& row : view::panel_rows())
        if (std::string_view(window->RootWindow->Name).ends_with(view::window_of(row.id)))
          reached.insert(row.id);
      is_in_toolbar_again = !reached.empty() && window->RootWindow->DockNode == nullptr;
    }
    EXPECT_TRUE(is_in_toolbar_again) << "the focus stays in " << ImGui::GetCurrentContext()->NavWindow->Name;
    for (const view::PanelId id : {view::PanelId::Source, view::PanelId::Lesson, view::PanelId::Exercise,
                                   view::PanelId::Banks, view::PanelId::Bandwidth})
      EXPECT_TRUE(reached.contains(id)) << view::name_of(id);
    EXPECT_THAT(nameless, testing::IsEmpty()) << "a screen reader is told nothing of a control there";
  });
}

TEST_F(Keyboard, a_screen_reader_is_told_the_control_that_has_the_focus) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto control = [&] { return workspace().focused_control(); };
    EXPECT_EQ(control(), view::ControlName());
    press(context, ImGuiKey_Tab);
    EXPECT_EQ(control(), (view::ControlName{"", "File", false}));
    press(context, ImGuiKey_DownArrow);
    context.Yield(2);
    const view::ControlName toggle = control();
    EXPECT_EQ(toggle.panel, "");
    EXPECT_THAT(toggle.name, testing::StartsWith("Padding ")) << "the words before the choices";
    press(context, ImGuiKey_Escape);
    EXPECT_EQ(control(), view::ControlName());
    press(context, ImGuiMod_Alt | ImGuiKey_K);
    press(context, ImGuiKey_DownArrow);
    context.Yield(2);
    EXPECT_FALSE(control().name.empty());
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

TEST_F(Keyboard, where_a_control_vanishes_as_it_is_pressed_the_focus_stays_in_its_panel) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto goes_on = [&](ImGuiKey key, const std::function<bool()>& is_there) {
      for (int n = 0; n < 60 && !is_there(); ++n) {
        press(context, key);
        context.Yield(4);
      }
      ASSERT_TRUE(is_there());
    };
    const auto is_hint = [&] { return workspace().focused_control().name.contains("hint"); };
    goes_on(ImGuiKey_F6, [&] { return workspace().focused_control().panel == "Exercise"; });
    goes_on(ImGuiKey_Tab, is_hint);
    goes_on(ImGuiKey_Enter, [&] { return !is_hint(); });
    EXPECT_EQ(workspace().focused_control().panel, "Exercise");
    press(context, ImGuiKey_Tab);
    context.Yield(4);
    EXPECT_EQ(workspace().focused_control().panel, "Exercise");
    EXPECT_FALSE(workspace().focused_control().name.empty());
  });
}

}  // namespace
}  // namespace lanescope
