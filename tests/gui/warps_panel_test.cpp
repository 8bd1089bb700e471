// All warps of a block, and the grid by cost: what is pointed at is selected, the wheel zooms, dragging
// moves.

#include "gui_test.h"
#include "model/block_costs.h"
#include "model/block_timeline.h"

namespace lanescope {
namespace {

using view::PanelId;

class Warps : public GuiTest {
 protected:
  void show(ImGuiTestContext& context, const char* panel) {
    settle(context);
    context.WindowFocus(panel);
    context.Yield(4);
    settle(context);
  }
  const plot::Figure& figure(PanelId panel) { return *workspace().figure(panel); }
};

TEST_F(Warps, the_tiled_transpose_meets_at_its_barrier) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###warps");
    ASSERT_NE(now()->warps, nullptr);
    EXPECT_TRUE(now()->warps->knows_waits);
    EXPECT_EQ(now()->warps->meetings, 1u);
    // 8 loads and stores of the tile, the barrier, 8 of its columns.
    EXPECT_EQ(now()->warps->columns, 17u);
    picture(context, "warps");
  });
}

TEST_F(Warps, a_click_goes_to_the_access_of_the_warp) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###warps");
    const auto place = place_of(context, PanelId::Warps, [](const plot::Pick& pick) {
      return pick.warp == WarpId{3} && pick.access == 9u;
    });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseClick();
    settle(context);
    EXPECT_EQ(now()->selection.warp, WarpId{3});
    EXPECT_EQ(now()->selection.access, 9u);
  });
}

TEST_F(Warps, another_block_has_its_own_warps) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###warps");
    session_->post(session::SelectBlock{{5}});
    settle(context);
    ASSERT_NE(now()->warps, nullptr);
    EXPECT_EQ(now()->warps->cta, CtaId{5});
    EXPECT_TRUE(now()->warps->knows_waits);
  });
}

TEST_F(Warps, the_wheel_zooms_and_a_double_click_shows_all_again) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###warps");
    const auto place =
        place_of(context, PanelId::Warps, [](const plot::Pick& pick) { return pick.access.has_value(); });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseWheelY(4);
    context.Yield(4);
    EXPECT_NE(figure(PanelId::Warps).subtitle.find("of 17"), std::string::npos)
        << figure(PanelId::Warps).subtitle;
    picture(context, "warps_zoomed");
    context.MouseDoubleClick();
    context.Yield(4);
    settle(context);
    EXPECT_EQ(figure(PanelId::Warps).subtitle.find("of 17"), std::string::npos);
  });
}

TEST_F(Warps, dragging_moves_a_map_and_selects_nothing) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###blocks");
    const auto place =
        place_of(context, PanelId::Blocks, [](const plot::Pick& pick) { return pick.block.has_value(); });
    ASSERT_TRUE(place);
    const CtaId before = now()->selection.cta;
    context.MouseMoveToPos(*place + ImVec2(40, 40));
    context.MouseWheelY(6);
    context.Yield(4);
    const size_t shown = figure(PanelId::Blocks).picks.size();
    const std::string tip = figure(PanelId::Blocks).picks.front().tip;
    context.MouseDown();
    context.MouseMoveToPos(*place + ImVec2(-120, -90));
    context.MouseUp();
    settle(context);
    EXPECT_EQ(now()->selection.cta, before);
    EXPECT_NE(figure(PanelId::Blocks).picks.front().tip, tip);
    EXPECT_LE(figure(PanelId::Blocks).picks.size(), shown + 64);
    picture(context, "blocks_zoomed");
  });
}

TEST_F(Warps, the_grid_shows_what_each_block_costs) {
  drive([&](ImGuiTestContext& context) {
    show(context, "//###grid");
    ASSERT_NE(now()->block_costs, nullptr);
    EXPECT_EQ(now()->block_costs->blocks.size(), volume(now()->run->trace->grid));
    picture(context, "grid");
    const auto place =
        place_of(context, PanelId::Grid, [](const plot::Pick& pick) { return pick.block == CtaId{3}; });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseClick();
    settle(context);
    EXPECT_EQ(now()->selection.cta, CtaId{3});
  });
}

}  // namespace
}  // namespace lanescope
