// Menus stay on the screen and close; a panel fills the window and goes back; what keys ask of the screen.

#include "gui_test.h"
#include "session/opened_file.h"

#include <algorithm>

namespace lanescope {
namespace {

class Menus : public GuiTest {
 protected:
  /// The time line is in sight in every layout.
  float text_of_timeline() {
    const plot::Figure* figure = workspace().figure(view::PanelId::Timeline);
    return figure == nullptr ? 0 : figure->text;
  }
  static const ImGuiWindow* top_popup() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.OpenPopupStack.Size > 0 ? g.OpenPopupStack.back().Window : nullptr;
  }
};

TEST_F(Menus, every_menu_of_the_bar_is_whole_on_the_screen_and_escape_closes_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    for (const char* menu : {"file", "kernel", "export", "view"}) {
      click(context, "Lanescope/toolbar", menu);
      context.Yield(3);
      ASSERT_NE(top_popup(), nullptr) << menu;
      const ImRect box = top_popup()->Rect();
      EXPECT_GE(box.Min.x, 0) << menu;
      EXPECT_LE(box.Max.x, 1600) << menu;
      EXPECT_LE(box.Max.y, 900) << menu;
      if (std::string_view(menu) == "view") picture(context, "view_menu");
      context.KeyPress(ImGuiKey_Escape);
      context.Yield(3);
      EXPECT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0) << menu;
    }
  });
}

TEST_F(Menus, rows_are_as_high_as_a_finger_needs_where_fingers_press) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto row = [&](const char* menu, const char* entry) {
      click(context, "Lanescope/toolbar", menu);
      context.SetRef("//$FOCUSED");
      const float height = context.ItemInfo(entry).RectFull.GetHeight();
      context.KeyPress(ImGuiKey_Escape);
      context.Yield(3);
      return height;
    };
    EXPECT_LT(row("file", "###copy_link"), 30);
    shell::PageActions page;
    page.least_control = 44;
    frames_->connect(page);
    context.Yield(2);
    EXPECT_GE(row("file", "###copy_link"), 44);
    EXPECT_GE(row("kernel", "###tiled"), 44);
  });
}

TEST_F(Menus, enter_enlarges_the_panel_under_the_pointer_and_escape_leads_back) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto place = place_of(context, view::PanelId::Banks, [](const plot::Pick&) { return true; });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    press(context, ImGuiKey_Enter);
    ASSERT_EQ(workspace().enlarged(), view::PanelId::Banks);
    context.Yield(3);
    EXPECT_GT(workspace().figure(view::PanelId::Banks)->size.width, 900);
    EXPECT_EQ(workspace().figure(view::PanelId::Bandwidth), nullptr);
    picture(context, "enlarged");
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(workspace().enlarged());
    context.Yield(3);
    EXPECT_NE(workspace().figure(view::PanelId::Bandwidth), nullptr);
    EXPECT_LT(workspace().figure(view::PanelId::Banks)->size.width, 900);
  });
}

TEST_F(Menus, a_double_click_on_a_tab_enlarges_its_panel) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const ImGuiWindow* window = ImGui::FindWindowByName("###bandwidth");
    ASSERT_NE(window, nullptr);
    context.MouseMoveToPos(window->DC.DockTabItemRect.GetCenter());
    context.MouseDoubleClick();
    context.Yield(4);
    EXPECT_EQ(workspace().enlarged(), view::PanelId::Bandwidth);
  });
}

TEST_F(Menus, projector_text_grows_with_the_window_and_goes_back) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_F2);
    context.Yield(4);
    EXPECT_EQ(text_of_timeline(), 20);
    picture(context, "projector");
    press(context, ImGuiKey_F2);
    context.Yield(4);
    EXPECT_EQ(text_of_timeline(), view::kOrdinaryText);
  });
}

TEST_F(Menus, the_hint_to_press_right_goes_once_it_was_pressed) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_FALSE(workspace().preferences().has_stepped);
    picture(context, "first_start");
    press(context, ImGuiKey_RightArrow);
    EXPECT_TRUE(workspace().preferences().has_stepped);
  });
}

TEST_F(Menus, lessons_are_listed_by_title_in_the_language_and_the_title_bar_has_the_open_one) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_EQ(frames_->window().title(), now()->choices.lesson->title.english + " – Lanescope");
    session_->post(session::SetLanguage{Language::French});
    settle(context);
    const session::Available available = now()->available;
    const auto banks = std::ranges::find(available.lessons, "banks") - available.lessons.begin();
    const std::string& title = available.lesson_titles[static_cast<size_t>(banks)].french;
    EXPECT_NE(title, "banks");
    click(context, "Lanescope/toolbar", "file");
    picture(context, "file_menu_fr");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###banks");
    settle(context);
    EXPECT_EQ(now()->choices.lesson->name, "banks");
    EXPECT_EQ(now()->choices.lesson->title.french, title);
    EXPECT_EQ(frames_->window().title(), title + " – Lanescope");
  });
}

}  // namespace
}  // namespace lanescope
