// The active lanes over the steps of the warp.

#include "gui_test.h"
#include "trace/history.h"

namespace lanescope {
namespace {

class Lanes : public GuiTest {
 protected:
  void open(ImGuiTestContext& context) {
    context.WindowFocus("//###lanes");
    context.Yield(3);
    settle(context);
  }
  const plot::Figure& figure() { return *workspace().figure(view::PanelId::Lanes); }
};

TEST_F(Lanes, a_click_on_a_column_selects_its_access_and_a_lane_is_pinned) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    ASSERT_NE(workspace().figure(view::PanelId::Lanes), nullptr);
    EXPECT_EQ(figure().table.rows.size(), now()->selection.timeline.size());
    const auto column = place_of(context, view::PanelId::Lanes,
                                 [](const plot::Pick& pick) { return pick.access == std::optional(9u); });
    ASSERT_TRUE(column);
    context.MouseMoveToPos(*column);
    context.MouseClick();
    settle(context);
    EXPECT_EQ(now()->selection.access, 9u);
    EXPECT_EQ(figure().subtitle, "access 10 of 16");
  });
}

TEST_F(Lanes, by_instruction_its_columns_are_the_instructions_of_the_history) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    click(context, "Lanescope/stepper", "step_by/instruction");
    settle(context);
    ASSERT_NE(now()->history.recorded, nullptr);
    EXPECT_EQ(figure().table.rows.size(), now()->history.recorded->entries.size());
    picture(context, "lanes");
  });
}

}  // namespace
}  // namespace lanescope
