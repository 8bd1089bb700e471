// Where panels are: the lesson's own have the places of figures, all of them in sight at each size of window,
// and no kernel, toggle, device or step moves or hides one. The text of a high window.

#include "gui_test.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope {
namespace {

class Arranged : public GuiTest {
 protected:
  void open(ImGuiTestContext& context, const std::string& lesson) {
    session_->post(session::OpenLesson{lesson});
    settle(context);
    context.Yield(8);
  }
  void resize(ImGuiTestContext& context, int width, int height) {
    frames_->window().resize(width, height);
    context.Yield(8);
  }
  /// What was posted is on the screen, but for models that go on in the background.
  void show(ImGuiTestContext& context) {
    session_->wait_until_idle();
    context.Yield(3);
  }
  bool is_in_sight(const char* panel) { return workspace().place(*view::panel_named(panel)).has_value(); }

  /// "banks at 486,94 534 x 367", of each panel that is in sight. Banks and Sectors are one where they take
  /// turns.
  std::set<std::string> places() {
    const bool take_turns = view::stands_before(view::PanelId::Banks, view::PanelId::Sectors) ||
                            view::stands_before(view::PanelId::Sectors, view::PanelId::Banks);
    std::set<std::string> places;
    for (const view::PanelRow& row : view::panel_rows()) {
      const auto at = workspace().place(row.id);
      if (!at || row.dock == view::Dock::Bar) continue;
      const bool is_turn = take_turns && (row.id == view::PanelId::Banks || row.id == view::PanelId::Sectors);
      places.insert(fmt::format("{} at {},{} {} x {}", is_turn ? "banks or sectors" : row.name, at->Min.x,
                                at->Min.y, at->GetWidth(), at->GetHeight()));
    }
    return places;
  }
};

TEST_F(Arranged, the_panels_of_a_lesson_take_the_places_of_figures) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    for (const char* panel : {"banks", "sectors", "blocks", "partitions", "bandwidth"})
      EXPECT_TRUE(is_in_sight(panel)) << panel;
    // On an H200, whose partitions have no map, and without a matrix.
    open(context, "warp");
    for (const char* panel : {"sectors", "totals", "bandwidth", "warp", "lanes"})
      EXPECT_TRUE(is_in_sight(panel)) << panel;
    for (const char* panel : {"partitions", "blocks", "launch", "program"})
      EXPECT_FALSE(is_in_sight(panel)) << panel;
    picture(context, "no_matrix");
    open(context, "transpose");
    EXPECT_TRUE(is_in_sight("partitions"));
    EXPECT_TRUE(is_in_sight("blocks"));
  });
}

TEST_F(Arranged, the_four_views_are_side_by_side_at_every_size_for_every_kernel) {
  struct Screen {
    int width, height;
    bool is_projected;
  };
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const std::vector<lesson::Kernel> kernels = now()->choices.lesson->kernels;
    for (const Screen& screen : {Screen{1280, 720, true}, Screen{1600, 900, false}, Screen{1600, 900, true},
                                 Screen{1920, 1080, false}, Screen{1920, 1080, true},
                                 Screen{3840, 2160, false}, Screen{3840, 2160, true}}) {
      workspace().preferences().is_projected = screen.is_projected;
      resize(context, screen.width, screen.height);
      for (const lesson::Kernel& kernel : kernels) {
        session_->post(session::SetToggle{"kernel", kernel.name});
        show(context);
        for (const char* panel : {"banks", "partitions", "blocks", "bandwidth"}) {
          const auto at = workspace().place(*view::panel_named(panel));
          ASSERT_TRUE(at) << panel << " is hidden for " << kernel.name << " at " << screen.width << " x "
                          << screen.height << (screen.is_projected ? ", projected" : "");
          EXPECT_GT(at->GetWidth(), 0.18f * static_cast<float>(screen.width)) << panel;
          EXPECT_GT(at->GetHeight(), 0.25f * static_cast<float>(screen.height)) << panel;
        }
        if (kernel.name == "naive" || kernel.name == "diagonal")
          picture(context, fmt::format("four_views_{}_{}{}", kernel.name, screen.height,
                                       screen.is_projected ? "_projected" : "")
                               .c_str());
      }
    }
  });
}

TEST_F(Arranged, sectors_give_way_to_banks_where_both_share_a_place) {
  drive([&](ImGuiTestContext& context) {
    // Too small for places side by side.
    resize(context, 800, 600);
    settle(context);
    const auto is_shared = [](const model::TimelineEntry& entry) {
      return entry.operation.space == trace::Space::Shared;
    };
    const auto go_to = [&](bool shared) {
      const auto shown = now();
      const auto& timeline = shown->selection.timeline;
      const auto access = std::ranges::find(timeline, shared, is_shared);
      session_->post(session::SelectAccess{static_cast<uint32_t>(access - timeline.begin())});
      settle(context);
    };
    go_to(true);
    ASSERT_TRUE(is_in_sight("banks"));
    const ImVec2 corner = workspace().place(view::PanelId::Banks)->Min;
    go_to(false);
    EXPECT_FALSE(is_in_sight("banks"));
    ASSERT_TRUE(is_in_sight("sectors"));
    EXPECT_EQ(workspace().place(view::PanelId::Sectors)->Min, corner);
    go_to(true);
    EXPECT_TRUE(is_in_sight("banks"));
  });
}

/// The lesson's name.
class KeepsPlaces : public Arranged, public testing::WithParamInterface<const char*> {};

TEST_P(KeepsPlaces, whatever_is_pressed) {
  drive([&](ImGuiTestContext& context) {
    open(context, GetParam());
    const std::set<std::string> before = places();
    ASSERT_GE(before.size(), 6u) << "source and five figures";
    const auto expect_kept = [&](const std::string& pressed) { EXPECT_EQ(places(), before) << pressed; };
    const auto lesson = now()->choices.lesson;
    const std::string first = now()->choices.settings.kernel;
    std::set<std::string> turned;
    for (size_t n = 0; n < lesson->kernels.size(); ++n) {
      const std::string kernel = now()->choices.settings.kernel;
      expect_kept(kernel);
      for (const ImGuiKey key : {ImGuiKey_End, ImGuiKey_LeftArrow, ImGuiKey_Home, ImGuiKey_RightArrow}) {
        context.KeyPress(key);
        show(context);
        expect_kept(fmt::format("{}: {}", kernel, ImGui::GetKeyName(key)));
      }
      for (const lesson::Toggle& toggle : lesson->toggles) {
        if (toggle.key == 0 || !lesson::applies(*lesson, now()->choices.settings, toggle)) continue;
        if (!turned.insert(toggle.name).second) continue;
        context.KeyPress(static_cast<ImGuiKey>(ImGuiKey_A + (toggle.key - 'A')));
        show(context);
        expect_kept(
            fmt::format("{}: {} = {}", kernel, toggle.name, now()->choices.settings.values.at(toggle.name)));
        session_->post(session::Undo{});
        show(context);
      }
      context.KeyPress(ImGuiKey_K);
      show(context);
    }
    EXPECT_EQ(now()->choices.settings.kernel, first) << "all kernels were shown";
    const auto shown = now();
    for (const session::Available::DeviceName& device : shown->available.devices) {
      session_->post(session::SetDevice{device.name});
      show(context);
      expect_kept(device.name);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Lessons, KeepsPlaces,
                         testing::Values("warp", "rows_columns", "banks", "transpose", "partitions", "mover",
                                         "races", "atomics", "radix", "sobel", "reduction", "matrix_product",
                                         "fast_as_copy", "layouts", "caches"),
                         [](const testing::TestParamInfo<const char*>& lesson) { return lesson.param; });

TEST(TextSize, text_grows_in_a_window_that_is_very_high) {
  view::Preferences preferences;
  preferences.text = 15;
  EXPECT_EQ(view::text_size(preferences, 720), 15);
  EXPECT_EQ(view::text_size(preferences, 1080), 15);
  EXPECT_EQ(view::text_size(preferences, 2400), 30);
}

}  // namespace
}  // namespace lanescope
