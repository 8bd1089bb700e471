// Menus stay on the screen and close; a panel fills the window and goes back; what keys ask of the screen.

#include "gui_test.h"
#include "session/opened_file.h"
#include "session/recording_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

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

/// A page where fingers press, with a second recording to choose from.
class MenusOfFingers : public Menus {
 protected:
  static constexpr float kFinger = 44;
  static constexpr const char* kTwoKernels = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry first() { ret; }
.visible .entry second() { ret; }
)";
  pipeline::Options session_options() const override {
    pipeline::Options options = Menus::session_options();
    options.own_recordings = scratch("recordings");
    return options;
  }
  void SetUp() override {
    const std::filesystem::path own = scratch("recordings");
    std::filesystem::create_directories(own);
    std::filesystem::copy_file(Menus::session_options().assets / "recordings/h200.json", own / "mine.json",
                               std::filesystem::copy_options::overwrite_existing);
    Menus::SetUp();
  }
  void press_with_fingers(ImGuiTestContext& context) {
    shell::PageActions page;
    page.least_control = kFinger;
    frames_->connect(page);
    context.Yield(2);
  }
  /// Pixels of a row of the list that is open, which is closed.
  static float row(ImGuiTestContext& context, const char* entry) {
    context.SetRef("//$FOCUSED");
    const float height = context.ItemInfo(entry).RectFull.GetHeight();
    context.KeyPress(ImGuiKey_Escape);
    context.Yield(3);
    return height;
  }
  float row_of_bar(ImGuiTestContext& context, const char* menu, const char* entry) {
    click(context, "Lanescope/toolbar", menu);
    return row(context, entry);
  }
  float row_of_figure(ImGuiTestContext& context) {
    const auto place = place_of(context, view::PanelId::Banks, [](const plot::Pick&) { return true; });
    EXPECT_TRUE(place);
    context.MouseMoveToPos(place.value_or(ImVec2()));
    context.MouseClick(ImGuiMouseButton_Right);
    context.Yield(2);
    return row(context, "###export");
  }
};

TEST_F(MenusOfFingers, rows_are_as_high_as_a_finger_needs_where_fingers_press) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_LT(row_of_bar(context, "file", "###copy_link"), 30);
    EXPECT_LT(row_of_figure(context), 30);
    press_with_fingers(context);
    EXPECT_GE(row_of_bar(context, "file", "###copy_link"), kFinger);
    EXPECT_GE(row_of_bar(context, "kernel", "###tiled"), kFinger);
    EXPECT_GE(row_of_figure(context), kFinger);
  });
}

TEST_F(MenusOfFingers, rows_of_a_list_in_a_panel_too) {
  const std::filesystem::path file = scratch("two.ptx");
  std::ofstream(file) << kTwoKernels;
  drive([&](ImGuiTestContext& context) {
    settle(context);
    press_with_fingers(context);
    const auto& names = now()->timings.recordings->names;
    ASSERT_EQ(names.size(), 2);
    click(context, "###bandwidth", "**/recording");
    EXPECT_GE(row(context, names[1].c_str()), kFinger);
    session_->post(session::OpenFile{file});
    settle(context);
    context.Yield(12);
    click(context, "###launch/form", "kernel");
    picture(context, "kernels_of_a_file");
    context.SetRef("//$FOCUSED");
    EXPECT_GE(context.ItemInfo("###second").RectFull.GetHeight(), kFinger);
    context.ItemClick("###second");
    settle(context);
    EXPECT_EQ(now()->run->kernel, "second");
  });
}

TEST_F(Menus, nothing_is_drawn_over_an_open_menu) {
  const auto drawn = [] { return ImGui::GetForegroundDrawList(ImGui::GetMainViewport())->VtxBuffer.Size; };
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const int with_hint = drawn();
    click(context, "Lanescope/toolbar", "file");
    context.Yield(2);
    const int under_menu = drawn();
    context.KeyPress(ImGuiKey_Escape);
    context.Yield(3);
    EXPECT_LT(under_menu, with_hint);
    EXPECT_EQ(drawn(), with_hint);
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
