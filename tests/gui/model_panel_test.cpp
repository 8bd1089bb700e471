// The figures of the models in the window: choosing one, two maps, cancelling; and the waves of the blocks.

#include "gui_test.h"

namespace lanescope {
namespace {

class ModelPanel : public GuiTest {
 protected:
  void open(ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###models");
    context.Yield(3);
    settle(context);
  }
  const plot::Figure* shown() { return workspace().figure(view::PanelId::Models); }
  /// Chooses an entry of one of the panel's menus.
  void choose(ImGuiTestContext& context, const char* menu, const char* entry) {
    context.SetRef(window(context, "###models"));
    context.ItemClick(menu);
    context.SetRef("//$FOCUSED");
    context.ItemClick((std::string("###") + entry).c_str());
    settle(context);
    context.Yield(4);
    settle(context);
  }
};

TEST_F(ModelPanel, shows_queues_first_and_any_other_figure_on_request) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->name, "queues");
    choose(context, "study", "strides");
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(shown()->name, "strides");
    choose(context, "left_map", "g80");
    ASSERT_NE(shown(), nullptr);
    EXPECT_EQ(std::get<std::string>(shown()->table.rows.front()[0]), "g80");
    picture(context, "model_strides");
  });
}

TEST_F(ModelPanel, traffic_follows_the_toggles) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    choose(context, "study", "traffic");
    ASSERT_NE(shown(), nullptr);
    const std::string camped = shown()->headlines.at(2).value;
    ImGui::SetWindowFocus("Lanescope");
    press(context, ImGuiKey_D);
    ImGui::SetWindowFocus("###models");
    context.Yield(4);
    settle(context);
    ASSERT_NE(shown(), nullptr);
    EXPECT_LT(std::stod(camped), 3);
    EXPECT_GT(std::stod(shown()->headlines.at(2).value), 6);
  });
}

TEST_F(ModelPanel, the_waves_of_blocks_step_forwards_and_backwards) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    click(context, "###blocks", "next_wave");
    EXPECT_EQ(now()->wave, 1u);
    click(context, "###blocks", "next_wave");
    EXPECT_EQ(now()->wave, 2u);
    click(context, "###blocks", "previous_wave");
    EXPECT_EQ(now()->wave, 1u);
    click(context, "###blocks", "first_wave");
    EXPECT_EQ(now()->wave, 0u);
    picture(context, "waves");
  });
}

}  // namespace
}  // namespace lanescope
