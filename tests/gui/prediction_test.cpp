// Predict, then reveal: covers over the panels, and what lifts them.

#include "gui_test.h"

namespace lanescope {
namespace {

using view::PanelId;

class PredictFirst : public GuiTest {
 protected:
  bool covers(PanelId panel) { return workspace().prediction().covers(panel); }
  bool timeline_has_costs() {
    for (const plot::Mark& mark : workspace().figure(PanelId::Timeline)->marks)
      if (const auto* label = std::get_if<plot::Label>(&mark))
        if (label->text.find("passes") != std::string::npos) return true;
    return false;
  }
};

TEST_F(PredictFirst, f3_covers_the_panels_and_a_click_reveals_one) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_TRUE(timeline_has_costs());
    press(context, ImGuiKey_F3);
    EXPECT_TRUE(covers(PanelId::Banks));
    EXPECT_TRUE(covers(PanelId::Sectors));
    EXPECT_FALSE(timeline_has_costs());
    picture(context, "covered");
    click(context, "###sectors", "cover");
    EXPECT_FALSE(covers(PanelId::Sectors));
    EXPECT_TRUE(covers(PanelId::Banks));
    context.SetRef(window(context, "###sectors"));
    EXPECT_TRUE(context.ItemExists("sectors"));
    EXPECT_FALSE(context.ItemExists("cover"));
  });
}

TEST_F(PredictFirst, the_next_step_and_a_toggle_cover_again) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_F3);
    press(context, ImGuiKey_F4);
    EXPECT_FALSE(covers(PanelId::Banks));
    EXPECT_TRUE(timeline_has_costs());
    press(context, ImGuiKey_RightArrow);
    EXPECT_TRUE(covers(PanelId::Banks));
    EXPECT_FALSE(timeline_has_costs());
    press(context, ImGuiKey_F4);
    press(context, ImGuiKey_P);
    EXPECT_TRUE(covers(PanelId::Totals));
  });
}

TEST_F(PredictFirst, the_button_next_to_play_turns_it_on_and_off) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/stepper", "predict");
    EXPECT_TRUE(workspace().prediction().is_on());
    click(context, "Lanescope/stepper", "predict");
    EXPECT_FALSE(workspace().prediction().is_on());
    EXPECT_FALSE(covers(PanelId::Banks));
  });
}

TEST_F(PredictFirst, the_text_of_the_lesson_has_no_numbers_until_it_is_revealed) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_F3);
    ASSERT_NE(now()->blank_prose, nullptr);
    EXPECT_NE(now()->blank_prose, now()->prose);
    EXPECT_TRUE(covers(PanelId::Lesson));
    click(context, "###lesson/text", "cover");
    EXPECT_FALSE(covers(PanelId::Lesson));
  });
}

}  // namespace
}  // namespace lanescope
