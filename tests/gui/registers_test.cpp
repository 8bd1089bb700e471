// Walking through the instructions of a warp in the panel of the registers.

#include "gui_test.h"
#include "trace/history.h"

namespace lanescope {
namespace {

class Registers : public GuiTest {
 protected:
  /// Brings the panel to the front and waits for its history.
  void open(ImGuiTestContext& context) {
    context.WindowFocus("//###registers");
    context.Yield(2);
    settle(context);
  }
  const trace::History::Instruction& shown() const {
    const auto& history = *now()->history.recorded;
    return history.instructions[history.entries[now()->history.instruction].instruction];
  }
};

TEST_F(Registers, a_history_is_recorded_only_while_the_panel_is_visible) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_EQ(now()->history.recorded, nullptr);
    open(context);
    EXPECT_NE(now()->history.recorded, nullptr);
    picture(context, "registers");
  });
}

TEST_F(Registers, the_buttons_step_forwards_and_backwards) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    click(context, "###registers", "instruction_first");
    EXPECT_EQ(now()->history.instruction, 0u);
    click(context, "###registers", "instruction_next");
    click(context, "###registers", "instruction_next");
    EXPECT_EQ(now()->history.instruction, 2u);
    click(context, "###registers", "instruction_previous");
    EXPECT_EQ(now()->history.instruction, 1u);
    click(context, "###registers", "instruction_last");
    EXPECT_EQ(now()->history.instruction, now()->history.recorded->entries.size() - 1);
  });
}

TEST_F(Registers, comma_and_period_step_backwards_and_forwards) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    const uint32_t start = now()->history.instruction;
    press(context, ImGuiKey_Period);
    EXPECT_EQ(now()->history.instruction, start + 1);
    press(context, ImGuiKey_Comma);
    EXPECT_EQ(now()->history.instruction, start);
  });
}

TEST_F(Registers, the_next_access_selects_its_instruction) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    press(context, ImGuiKey_End);
    EXPECT_TRUE(shown().ptx_text.starts_with("st.global")) << shown().ptx_text;
    press(context, ImGuiKey_Home);
    EXPECT_TRUE(shown().ptx_text.starts_with("ld.global")) << shown().ptx_text;
  });
}

TEST_F(Registers, another_warp_is_recorded_when_it_is_selected) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    press(context, ImGuiKey_RightBracket);
    settle(context);
    ASSERT_NE(now()->history.recorded, nullptr);
    EXPECT_EQ(now()->history.recorded->warp, WarpId{1});
  });
}

}  // namespace
}  // namespace lanescope
