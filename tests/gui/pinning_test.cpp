// Pinned lanes: by a click in a figure or a list, by keys; they stay highlighted until they are let go of.

#include "gui_test.h"

namespace lanescope {
namespace {

class Pinning : public GuiTest {
 protected:
  static LaneMask lane(int number) { return {1u << number}; }
  LaneMask pinned() { return workspace().highlight().pinned; }
  /// Clicks the mark of one lane in a panel.
  void click_lane(ImGuiTestContext& context, view::PanelId panel, int number) {
    const auto place =
        place_of(context, panel, [&](const plot::Pick& pick) { return pick.lanes == lane(number); });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseClick();
    context.Yield(2);
  }
};

TEST_F(Pinning, a_clicked_lane_stays_highlighted_until_it_is_clicked_again) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    click_lane(context, view::PanelId::Sectors, 7);
    context.MouseMoveToPos({2, 2});
    context.Yield(2);
    EXPECT_EQ(pinned(), lane(7));
    EXPECT_EQ(workspace().highlight().shown(), lane(7));
    picture(context, "pinned");
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(pinned(), lane(7)) << "also at the next step";
    press(context, ImGuiKey_LeftArrow);
    click_lane(context, view::PanelId::Sectors, 7);
    EXPECT_EQ(pinned(), LaneMask{});
  });
}

TEST_F(Pinning, another_lane_takes_its_place_and_hovering_adds_to_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    click_lane(context, view::PanelId::Sectors, 7);
    click_lane(context, view::PanelId::Sectors, 20);
    EXPECT_EQ(pinned(), lane(20));
    const auto place = place_of(context, view::PanelId::Sectors,
                                [](const plot::Pick& pick) { return pick.lanes == lane(3); });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.Yield(2);
    EXPECT_EQ(workspace().highlight().shown(), (LaneMask{1u << 3 | 1u << 20}));
  });
}

TEST_F(Pinning, escape_lets_go) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    click_lane(context, view::PanelId::Sectors, 7);
    press(context, ImGuiKey_Escape);
    EXPECT_EQ(pinned(), LaneMask{});
  });
}

TEST_F(Pinning, shift_and_arrows_move_the_pin_and_do_not_step) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    press(context, ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(pinned(), lane(0));
    press(context, ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(pinned(), lane(1));
    press(context, ImGuiMod_Shift | ImGuiKey_LeftArrow);
    press(context, ImGuiMod_Shift | ImGuiKey_LeftArrow);
    EXPECT_EQ(pinned(), lane(31));
    EXPECT_EQ(now()->selection.access, 0u);
  });
}

TEST_F(Pinning, a_row_of_the_warp_pins_its_lane) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###warp");
    context.Yield(3);
    context.SetRef(window(context, "###warp/lanes"));
    context.ItemClick("$$5/lane");
    context.Yield(2);
    EXPECT_EQ(pinned(), lane(5));
  });
}

}  // namespace
}  // namespace lanescope
