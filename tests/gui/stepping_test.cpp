// Stepping through the accesses of a warp, with keys, buttons, lines, blocks and the timeline.

#include "gui_test.h"
#include "view/stepper.h"

#include <algorithm>

namespace lanescope {
namespace {

class Stepping : public GuiTest {};

TEST_F(Stepping, right_and_left_step_forwards_and_backwards) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_EQ(now()->selection.access, 0u);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->selection.access, 1u);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->selection.access, 2u);
    press(context, ImGuiKey_LeftArrow);
    EXPECT_EQ(now()->selection.access, 1u);
  });
}

TEST_F(Stepping, end_and_home_go_to_the_last_and_the_first_access) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_End);
    EXPECT_EQ(now()->selection.access, now()->selection.timeline.size() - 1);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->selection.access, now()->selection.timeline.size() - 1);
    press(context, ImGuiKey_Home);
    EXPECT_EQ(now()->selection.access, 0u);
  });
}

TEST_F(Stepping, down_and_up_stay_on_the_line) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const int line = now()->selection.timeline[0].line;
    press(context, ImGuiKey_DownArrow);
    EXPECT_GT(now()->selection.access, 1u);
    EXPECT_EQ(now()->selection.timeline[now()->selection.access].line, line);
    press(context, ImGuiKey_UpArrow);
    EXPECT_EQ(now()->selection.access, 0u);
  });
}

TEST_F(Stepping, the_buttons_do_what_the_keys_do) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/stepper", "next");
    EXPECT_EQ(now()->selection.access, 1u);
    click(context, "Lanescope/stepper", "last");
    EXPECT_EQ(now()->selection.access, now()->selection.timeline.size() - 1);
    click(context, "Lanescope/stepper", "previous");
    EXPECT_EQ(now()->selection.access, now()->selection.timeline.size() - 2);
    click(context, "Lanescope/stepper", "first");
    EXPECT_EQ(now()->selection.access, 0u);
  });
}

TEST_F(Stepping, play_moves_on_until_it_is_paused) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_Space);
    EXPECT_LT(workspace().seconds_until_motion(), 10);
    for (int frame = 0; frame < 4000 && now()->selection.access < 2; ++frame) context.Yield();
    EXPECT_GE(now()->selection.access, 2u);
    press(context, ImGuiKey_Space);
    EXPECT_GT(workspace().seconds_until_motion(), 10);
  });
}

TEST_F(Stepping, play_continues_while_the_timeline_is_hidden) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    workspace().preferences().shown[static_cast<size_t>(view::PanelId::Timeline)] = false;
    context.Yield(2);
    press(context, ImGuiKey_Space);
    for (int frame = 0; frame < 4000 && now()->selection.access < 2; ++frame) context.Yield();
    EXPECT_GE(now()->selection.access, 2u);
    press(context, ImGuiKey_End);
    for (int frame = 0; frame < 4000 && workspace().seconds_until_motion() < 10; ++frame) context.Yield();
    EXPECT_GT(workspace().seconds_until_motion(), 10) << "after the last access";
  });
}

TEST_F(Stepping, a_click_on_a_source_line_goes_to_its_first_access) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const int line = now()->selection.timeline[1].line;  // one that is in sight
    context.SetRef(window(context, "###source/source"));
    context.ItemClick(("$$" + std::to_string(line) + "/line").c_str());
    settle(context);
    EXPECT_EQ(now()->selection.timeline[now()->selection.access].line, line);
    for (uint32_t before = 0; before < now()->selection.access; ++before)
      EXPECT_NE(now()->selection.timeline[before].line, line);
  });
}

TEST_F(Stepping, a_click_on_the_timeline_selects_that_access) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const auto place = place_of(context, view::PanelId::Timeline, [](const plot::Pick& pick) {
      return pick.access == std::optional<uint32_t>(5);
    });
    ASSERT_TRUE(place);
    context.MouseMoveToPos(*place);
    context.MouseClick();
    settle(context);
    EXPECT_EQ(now()->selection.access, 5u);
  });
}

TEST_F(Stepping, a_typed_block_and_the_warp_buttons_choose_the_warp) {
  drive([&](ImGuiTestContext& context) {
    context.SetRef(window(context, "Lanescope/stepper"));
    context.ItemInputValue("##block", "3, 1");
    settle(context);
    EXPECT_EQ(now()->selection.cta.value, 3u + now()->run->trace->grid.x);
    click(context, "Lanescope/stepper", "warp_up");
    EXPECT_EQ(now()->selection.warp.value, 1u);
    press(context, ImGuiKey_LeftBracket);
    EXPECT_EQ(now()->selection.warp.value, 0u);
  });
}

TEST_F(Stepping, a_block_outside_the_grid_changes_nothing) {
  drive([&](ImGuiTestContext& context) {
    context.SetRef(window(context, "Lanescope/stepper"));
    context.ItemInputValue("##block", "3, 99");
    settle(context);
    EXPECT_EQ(now()->selection.cta.value, 0u);
  });
}

TEST_F(Stepping, banks_and_sectors_are_shown_together) {
  drive([&](ImGuiTestContext& context) {
    for (int access = 0; access < 16; ++access) {
      settle(context);
      EXPECT_NE(workspace().figure(view::PanelId::Banks), nullptr) << access;
      EXPECT_NE(workspace().figure(view::PanelId::Sectors), nullptr) << access;
      press(context, ImGuiKey_RightArrow);
    }
  });
}

TEST(ParseBlock, a_pair_a_triple_and_a_number_are_blocks) {
  const Dim3 grid{8, 4, 2};
  EXPECT_EQ(view::parse_block("3, 1", grid), CtaId{11});
  EXPECT_EQ(view::parse_block("(3 1 1)", grid), CtaId{43});
  EXPECT_EQ(view::parse_block("63", grid), CtaId{63});
}

TEST(ParseBlock, blocks_outside_the_grid_and_text_without_numbers_are_rejected) {
  const Dim3 grid{8, 4, 2};
  EXPECT_FALSE(view::parse_block("8, 0", grid));
  EXPECT_FALSE(view::parse_block("64", grid));
  EXPECT_FALSE(view::parse_block("", grid));
  EXPECT_FALSE(view::parse_block("one", grid));
  EXPECT_FALSE(view::parse_block("1,2,1,0", grid));
}

TEST_F(Stepping, where_room_is_short_banks_and_sectors_take_turns) {
  drive([&](ImGuiTestContext& context) {
    workspace().preferences().text = 24;  // 1600 pixels are 67 ems
    settle(context);
    const auto step_to = [&](trace::Space space) {
      const auto& timeline = now()->selection.timeline;
      const auto found = std::ranges::find_if(
          timeline, [&](const model::TimelineEntry& entry) { return entry.operation.space == space; });
      ASSERT_NE(found, timeline.end());
      session_->post(session::SelectAccess{static_cast<uint32_t>(found - timeline.begin())});
      settle(context);
      context.Yield(6);
    };
    context.Yield(12);
    step_to(trace::Space::Shared);
    step_to(trace::Space::Global);
    EXPECT_NE(workspace().figure(view::PanelId::Sectors), nullptr);
    EXPECT_EQ(workspace().figure(view::PanelId::Banks), nullptr);
    picture(context, "turns");
    step_to(trace::Space::Shared);
    EXPECT_NE(workspace().figure(view::PanelId::Banks), nullptr);
    EXPECT_EQ(workspace().figure(view::PanelId::Sectors), nullptr);
  });
}

}  // namespace
}  // namespace lanescope
