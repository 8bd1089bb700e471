// Which panels are in front where the run has nothing to show in some of them, and the text of a high window.

#include "gui_test.h"

#include <algorithm>

namespace lanescope {
namespace {

class Arranged : public GuiTest {
 protected:
  void open(ImGuiTestContext& context, const char* lesson) {
    session_->post(session::OpenLesson{lesson});
    settle(context);
    context.Yield(8);
  }
  static bool is_in_front(const char* panel) {
    const ImGuiWindow* window = ImGui::FindWindowByName(panel);
    return window != nullptr && window->DockTabIsVisible;
  }
};

TEST_F(Arranged, a_place_without_content_goes_to_a_panel_that_has_some) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_TRUE(is_in_front("###partitions"));
    EXPECT_TRUE(is_in_front("###blocks"));
    // On an H200, whose partitions have no map, and without a matrix.
    open(context, "warp");
    ASSERT_EQ(now()->run->partitions, nullptr);
    ASSERT_TRUE(now()->run->tiles->empty());
    EXPECT_FALSE(is_in_front("###partitions"));
    EXPECT_FALSE(is_in_front("###blocks"));
    for (const char* panel : {"###sectors", "###totals", "###bandwidth", "###warp", "###lanes"})
      EXPECT_TRUE(is_in_front(panel)) << panel;
    picture(context, "no_matrix");
    open(context, "transpose");
    EXPECT_TRUE(is_in_front("###partitions"));
    EXPECT_TRUE(is_in_front("###blocks"));
  });
}

TEST_F(Arranged, a_device_without_a_map_gives_the_room_of_partitions_away) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    session_->post(session::SetDevice{"h200"});
    settle(context);
    context.Yield(8);
    EXPECT_FALSE(is_in_front("###partitions"));
    EXPECT_TRUE(is_in_front("###blocks"));
    EXPECT_TRUE(is_in_front("###totals"));
    EXPECT_TRUE(is_in_front("###bandwidth"));
  });
}

TEST(TextSize, text_grows_in_a_window_that_is_very_high) {
  view::Preferences preferences;
  preferences.text = 15;
  EXPECT_EQ(view::text_size(preferences, 720), 15);
  EXPECT_EQ(view::text_size(preferences, 1080), 15);
  EXPECT_EQ(view::text_size(preferences, 2400), 30);
}

}  // namespace
}  // namespace lanescope
