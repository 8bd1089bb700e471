// The window in front of a class: the figures have the screen in fixed places, one thin bar says what was
// pressed, and every kernel and partition has its name.

#include "gui_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace lanescope {
namespace {

using view::PanelId;

class Stage : public GuiTest {
 protected:
  void present(ImGuiTestContext& context, int width, int height) {
    frames_->present(view::Audience::Room);
    frames_->window().resize(width, height);
    settle(context);
    context.Yield(8);
  }
  /// Names of the partitions, kernels and rows that a figure has as labels.
  std::set<std::string> labels(PanelId panel) {
    std::set<std::string> labels;
    const plot::Figure* figure = workspace().figure(panel);
    if (figure == nullptr) return labels;
    for (const plot::Mark& mark : figure->marks)
      if (const auto* label = std::get_if<plot::Label>(&mark)) labels.insert(label->text);
    return labels;
  }
};

constexpr PanelId kOfTranspose[] = {PanelId::Banks, PanelId::Sectors, PanelId::Blocks, PanelId::Partitions,
                                    PanelId::Bandwidth};

struct StageScreen {
  int width, height;
};
constexpr StageScreen kScreens[] = {{1280, 720}, {1600, 900}, {1920, 1080}, {3840, 2160}};

TEST_F(Stage, the_figures_have_the_screen_and_no_tabs) {
  drive([&](ImGuiTestContext& context) {
    for (const StageScreen& screen : kScreens) {
      present(context, screen.width, screen.height);
      float area = 0;
      for (const PanelId panel : kOfTranspose) {
        const auto at = workspace().place(panel);
        ASSERT_TRUE(at) << view::name_of(panel) << " at " << screen.height;
        EXPECT_LT(at->Min.y, 0.01f * static_cast<float>(screen.height) + at->Max.y);
        area += at->GetArea();
        const ImGuiWindow* const docked = ImGui::FindWindowByName(view::window_of(panel).c_str());
        EXPECT_FALSE(docked != nullptr && docked->Active) << "a tab of " << view::name_of(panel);
      }
      EXPECT_GT(area, 0.75f * static_cast<float>(screen.width) * static_cast<float>(screen.height));
      EXPECT_LT(workspace().place(PanelId::Banks)->Min.y, 0.1f * static_cast<float>(screen.height))
          << "the bar above is thin";
      EXPECT_FALSE(workspace().place(PanelId::Source));
    }
  });
}

TEST_F(Stage, each_figure_keeps_its_place_and_its_names_for_every_kernel) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const std::vector<lesson::Kernel> kernels = now()->choices.lesson->kernels;
    for (const StageScreen& screen : kScreens) {
      present(context, screen.width, screen.height);
      const auto place = [&](PanelId panel) {
        const auto at = workspace().place(panel).value_or(ImRect());
        return fmt::format("{},{} {} x {}", at.Min.x, at.Min.y, at.GetWidth(), at.GetHeight());
      };
      std::vector<std::string> before;
      for (const PanelId panel : kOfTranspose) before.push_back(place(panel));
      for (const lesson::Kernel& kernel : kernels) {
        session_->post(session::SetToggle{"kernel", kernel.name});
        settle(context);
        const std::string where = fmt::format("{} at {}", kernel.name, screen.height);
        for (size_t n = 0; n < before.size(); ++n)
          EXPECT_EQ(place(kOfTranspose[n]), before[n]) << where << ": " << view::name_of(kOfTranspose[n]);
        const std::set<std::string> names = labels(PanelId::Bandwidth);
        for (const lesson::Kernel& other : kernels) {
          // A long name is cut.
          const std::string start = other.label.in(Language::English).substr(0, 6);
          EXPECT_TRUE(
              std::ranges::any_of(names, [&](const std::string& name) { return name.starts_with(start); }))
              << where << ": no name of " << other.name;
        }
        const std::set<std::string> partitions = labels(PanelId::Partitions);
        EXPECT_GE(std::ranges::count_if(
                      partitions, [](const std::string& name) { return name.size() == 2 && name[0] == 'P'; }),
                  2)
            << where;
        picture(context, fmt::format("stage_{}_{}", kernel.name, screen.height).c_str());
      }
    }
  });
}

TEST_F(Stage, the_bar_says_for_a_moment_what_was_pressed) {
  drive([&](ImGuiTestContext& context) {
    present(context, 1280, 720);
    EXPECT_EQ(workspace().announcement().text(), "");
    EXPECT_TRUE(std::isinf(workspace().seconds_until_motion()));
    press(context, ImGuiKey_P);
    EXPECT_EQ(workspace().announcement().text(), "Padding 1  ·  Kernel Padded");
    picture(context, "stage_announced");
    press(context, ImGuiKey_D);
    EXPECT_EQ(workspace().announcement().text(), "Block order diagonal  ·  Kernel Diagonal");
    // It goes without an event: the window is told when.
    const double wait = workspace().seconds_until_motion();
    EXPECT_GT(wait, 0);
    EXPECT_LT(wait, 3);
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    context.Yield(2);
    EXPECT_EQ(workspace().announcement().text(), "");
    session_->post(session::SetDevice{"h200"});
    settle(context);
    EXPECT_EQ(workspace().announcement().text(), "Device H200");
  });
}

TEST_F(Stage, another_panel_fills_the_place_of_all_until_escape) {
  drive([&](ImGuiTestContext& context) {
    present(context, 1280, 720);
    click(context, "Lanescope/toolbar", "view");
    context.ItemClick("//$FOCUSED/###source");
    context.Yield(3);
    EXPECT_TRUE(workspace().place(PanelId::Source));
    EXPECT_FALSE(workspace().place(PanelId::Banks));
    press(context, ImGuiKey_Escape);
    press(context, ImGuiKey_Escape);
    EXPECT_TRUE(workspace().place(PanelId::Banks));
  });
}

TEST_F(Stage, the_panels_are_where_they_were_when_it_is_over) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto banks = workspace().place(PanelId::Banks), source = workspace().place(PanelId::Source);
    ASSERT_TRUE(banks && source);
    present(context, 1600, 900);
    EXPECT_FALSE(workspace().place(PanelId::Source));
    frames_->present(view::Audience::Reader);
    context.Yield(8);
    ASSERT_TRUE(workspace().place(PanelId::Source));
    EXPECT_EQ(workspace().place(PanelId::Source)->Min, source->Min);
    EXPECT_EQ(workspace().place(PanelId::Banks)->Max, banks->Max);
  });
}

}  // namespace
}  // namespace lanescope
