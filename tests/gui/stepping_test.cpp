// Stepping through the accesses of a warp, with keys, buttons, lines, blocks and the timeline.

#include "view/stepping.h"

#include "gui_test.h"
#include "trace/history.h"

#include <algorithm>

namespace lanescope {
namespace {

class Stepping : public GuiTest {
 protected:
  int line() const { return now()->selection.timeline[now()->selection.access].line; }
  bool was_said(const std::string& part) {
    const auto& said = workspace().notices().said();
    return std::ranges::any_of(said,
                               [&](const std::string& text) { return text.find(part) != std::string::npos; });
  }
};

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

TEST_F(Stepping, by_line_the_keys_go_to_the_next_line_with_an_access) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/stepper", "step_by/line");
    int before = line();
    for (int step = 0; step < 4; ++step) {
      press(context, ImGuiKey_RightArrow);
      EXPECT_NE(line(), before);
      before = line();
    }
    press(context, ImGuiKey_LeftArrow);
    EXPECT_NE(line(), before);
    picture(context, "by_line");
  });
}

TEST_F(Stepping, by_instruction_the_history_is_recorded_and_the_keys_step_through_it) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    press(context, ImGuiKey_U);
    press(context, ImGuiKey_U);
    EXPECT_EQ(workspace().preferences().step_unit, view::StepUnit::Instruction);
    settle(context);
    ASSERT_NE(now()->history.recorded, nullptr);
    press(context, ImGuiKey_Home);
    EXPECT_EQ(now()->history.instruction, 0u);
    press(context, ImGuiKey_RightArrow);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->history.instruction, 2u);
    click(context, "Lanescope/stepper", "previous");
    EXPECT_EQ(now()->history.instruction, 1u);
    press(context, ImGuiKey_End);
    EXPECT_EQ(now()->history.instruction, now()->history.recorded->entries.size() - 1);
    picture(context, "by_instruction");
  });
}

TEST_F(Stepping, another_warp_has_its_history_too) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/stepper", "step_by/instruction");
    press(context, ImGuiKey_RightBracket);
    settle(context);
    ASSERT_NE(now()->history.recorded, nullptr);
    EXPECT_EQ(now()->history.recorded->warp, WarpId{1});
  });
}

TEST_F(Stepping, the_slider_is_dragged_through_the_accesses) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.SetRef(window(context, "Lanescope/stepper"));
    const ImRect slider = context.ItemInfo("##position").RectFull;
    context.MouseMoveToPos({slider.Min.x + 4, slider.GetCenter().y});
    context.MouseDown();
    context.MouseMoveToPos(slider.GetCenter());
    settle(context);
    EXPECT_NEAR(now()->selection.access, 7.5, 2);
    context.MouseMoveToPos({slider.Max.x - 2, slider.GetCenter().y});
    context.MouseUp();
    settle(context);
    EXPECT_EQ(now()->selection.access, now()->selection.timeline.size() - 1);
  });
}

TEST_F(Stepping, the_speed_of_play_is_chosen) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/stepper", "speed");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###3");
    settle(context);
    EXPECT_EQ(view::kSpeeds[workspace().preferences().speed], 5.0f);
    press(context, ImGuiMod_Shift | ImGuiKey_Comma);
    EXPECT_EQ(view::kSpeeds[workspace().preferences().speed], 2.0f);
    EXPECT_EQ(now()->selection.access, 0u);
  });
}

TEST_F(Stepping, a_typed_place_is_gone_to) {
  drive([&](ImGuiTestContext& context) {
    context.SetRef(window(context, "Lanescope/stepper"));
    context.ItemInputValue("##step", "block 3,1 warp 2 access 11");
    settle(context);
    EXPECT_EQ(now()->selection.cta.value, 3u + now()->run->trace->grid.x);
    EXPECT_EQ(now()->selection.warp.value, 2u);
    EXPECT_EQ(now()->selection.access, 10u);
    context.SetRef(window(context, "Lanescope/stepper"));
    context.ItemInputValue("##step", "4");
    context.ItemInputValue("##warp", "5");
    settle(context);
    EXPECT_EQ(now()->selection.warp.value, 5u);
    EXPECT_EQ(now()->selection.access, 3u);
  });
}

TEST_F(Stepping, a_typed_place_that_is_none_is_refused_with_the_ranges) {
  drive([&](ImGuiTestContext& context) {
    context.SetRef(window(context, "Lanescope/stepper"));
    context.ItemInputValue("##step", "warp 99");
    settle(context);
    EXPECT_EQ(now()->selection.warp.value, 0u);
    EXPECT_TRUE(was_said("warps 0 to 7"));
  });
}

TEST_F(Stepping, a_line_without_an_access_says_so) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    int bare = 0;  // a line next to the current one
    for (int candidate = line() - 3; bare == 0; ++candidate)
      if (std::ranges::none_of(now()->run->trace->sites,
                               [&](const trace::Site& site) { return site.source.line == candidate; }))
        bare = candidate;
    context.SetRef(window(context, "###source/source"));
    context.ItemClick(("$$" + std::to_string(bare) + "/line").c_str());
    settle(context);
    EXPECT_EQ(now()->selection.access, 0u);
    EXPECT_TRUE(was_said("Line " + std::to_string(bare) + " makes no memory access."));
  });
}

TEST_F(Stepping, the_key_of_a_toggle_without_effect_says_so) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetToggle{"kernel", "naive"});
    settle(context);
    const uint64_t run = now()->run_generation;
    press(context, ImGuiKey_P);
    EXPECT_EQ(now()->run_generation, run);
    EXPECT_TRUE(was_said("Padding (P) has no effect on the kernel Naive."));
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

TEST(ParsePlace, names_may_be_short_or_french_and_some_may_be_missing) {
  const Dim3 grid{8, 4, 1};
  const auto whole = view::parse_place("block 3,1 warp 2 access 11", grid, 8);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->block, CtaId{11});
  EXPECT_EQ(whole->warp, WarpId{2});
  EXPECT_EQ(whole->step, 10u);
  const auto french = view::parse_place("Bloc 5, accès 2", grid, 8);
  ASSERT_TRUE(french);
  EXPECT_EQ(french->block, CtaId{5});
  EXPECT_FALSE(french->warp);
  EXPECT_EQ(french->step, 1u);
  EXPECT_EQ(view::parse_place("b3,1w2", grid, 8)->warp, WarpId{2});
  EXPECT_EQ(view::parse_place("7", grid, 8)->step, 6u);
}

TEST(ParsePlace, what_is_no_place_is_rejected) {
  const Dim3 grid{8, 4, 1};
  for (const char* text :
       {"", "block", "block 9,9", "warp 8", "access 0", "lane 3", "3;4 -1", "99999999999", "1.5"})
    EXPECT_FALSE(view::parse_place(text, grid, 8)) << text;
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
