// Flipping the lesson's toggles in the bar, by key and below a figure; language, look, size of text.

#include "gui_test.h"
#include "trace/traffic.h"

namespace lanescope {
namespace {

class Toggles : public GuiTest {
 protected:
  std::string value(const char* toggle) const { return now()->choices.settings.values.at(toggle); }
  uint64_t column_wavefronts() const {
    return trace::total_of(*now()->run->trace, trace::Space::Shared, trace::Traffic::Load).wavefronts;
  }
};

TEST_F(Toggles, the_lesson_opens_with_a_run_and_a_right_output) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_NE(now()->run, nullptr);
    EXPECT_EQ(now()->run->output_correct, true);
    for (const char* panel :
         {"source", "lesson", "banks", "sectors", "warp", "blocks", "elements", "partitions", "totals"})
      EXPECT_NE(window(context, (std::string("###") + panel).c_str()), 0u) << panel;
  });
}

TEST_F(Toggles, p_flips_padding_and_removes_the_conflict) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_EQ(column_wavefronts(), 1048576u);
    press(context, ImGuiKey_P);
    EXPECT_EQ(value("padding"), "1");
    EXPECT_EQ(column_wavefronts(), 32768u);
    press(context, ImGuiMod_Shift | ImGuiKey_P);
    EXPECT_EQ(value("padding"), "0");
    EXPECT_EQ(column_wavefronts(), 1048576u);
  });
}

TEST_F(Toggles, a_choice_in_the_toolbar_sets_its_value) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "padding/2");
    EXPECT_EQ(value("padding"), "2");
    click(context, "Lanescope/toolbar", "size");  // a menu
    context.SetRef("//$FOCUSED");
    context.ItemClick("###2048");
    settle(context);
    EXPECT_EQ(value("size"), "2048");
  });
}

TEST_F(Toggles, d_spreads_the_writes_over_the_partitions) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_LT(now()->run->partitions->written_effective, 2);
    press(context, ImGuiKey_D);
    EXPECT_EQ(value("order"), "diagonal");
    EXPECT_GT(now()->run->partitions->written_effective, 7);
    EXPECT_EQ(now()->run->output_correct, true);
  });
}

TEST_F(Toggles, a_hint_below_a_figure_flips_its_toggle) {
  drive([&](ImGuiTestContext& context) {
    click(context, "###banks", "swizzle");
    EXPECT_EQ(value("swizzle"), "xor");
    EXPECT_EQ(column_wavefronts(), 32768u);
  });
}

TEST_F(Toggles, a_kernel_is_chosen_in_the_lesson_and_in_the_bar) {
  drive([&](ImGuiTestContext& context) {
    click(context, "###lesson/text", "kernel/naive");
    EXPECT_EQ(now()->choices.settings.kernel, "naive");
    EXPECT_EQ(now()->run->kernel, "transpose_naive");
    click(context, "Lanescope/toolbar", "kernel");
    picture(context, "kernel_menu");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###diagonal");
    settle(context);
    EXPECT_EQ(now()->choices.settings.kernel, "diagonal");
    press(context, ImGuiMod_Shift | ImGuiKey_K);
    EXPECT_EQ(now()->choices.settings.kernel, "swizzled");
  });
}

TEST_F(Toggles, an_invalid_matrix_size_is_an_error_and_the_run_stays) {
  drive([&](ImGuiTestContext& context) {
    const uint64_t run = now()->run_generation;
    click(context, "Lanescope/toolbar", "size");
    context.SetRef("//$FOCUSED");
    context.ItemInputValue("##value", "banana");
    settle(context);
    ASSERT_TRUE(now()->error);
    EXPECT_NE(now()->error->message.find("banana"), std::string::npos) << now()->error->message;
    EXPECT_EQ(now()->run_generation, run);
    context.SetRef("//Lanescope");
    EXPECT_TRUE(context.ItemExists("error"));
    picture(context, "error");
    press(context, ImGuiKey_P);
    EXPECT_FALSE(now()->error);
    EXPECT_FALSE(context.ItemExists("error"));
  });
}

TEST_F(Toggles, a_free_size_is_taken) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "size");
    context.SetRef("//$FOCUSED");
    context.ItemInputValue("##value", "96x160");
    settle(context);
    EXPECT_EQ(value("size"), "96x160");
    EXPECT_FALSE(now()->error);
    EXPECT_EQ(now()->run->output_correct, true);
  });
}

TEST_F(Toggles, figures_are_translated_to_french) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "language/fr");
    EXPECT_EQ(now()->choices.language, Language::French);
    ASSERT_NE(workspace().figure(view::PanelId::Banks), nullptr);
    EXPECT_EQ(workspace().figure(view::PanelId::Banks)->title, "Bancs");
    click(context, "Lanescope/toolbar", "language/en");
    EXPECT_EQ(workspace().figure(view::PanelId::Banks)->title, "Banks");
  });
}

TEST_F(Toggles, l_changes_the_look_and_control_plus_the_text) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_L);
    EXPECT_EQ(workspace().preferences().mode, plot::Theme::Dark);
    click(context, "Lanescope/toolbar", "theme");
    EXPECT_EQ(workspace().preferences().mode, plot::Theme::Light);
    press(context, ImGuiMod_Ctrl | ImGuiKey_Equal);
    EXPECT_EQ(workspace().preferences().text, view::kOrdinaryText + 1);
    EXPECT_EQ(workspace().figure(view::PanelId::Banks)->text, view::kOrdinaryText + 1);
    press(context, ImGuiKey_F2);
    EXPECT_TRUE(workspace().preferences().is_projected);
    context.Yield(2);
    EXPECT_EQ(workspace().figure(view::PanelId::Timeline)->text, 900.0f / 45) << "of the window's height";
    press(context, ImGuiMod_Ctrl | ImGuiKey_0);
    EXPECT_EQ(workspace().preferences().text, view::kOrdinaryText);
  });
}

TEST_F(Toggles, totals_of_a_gpu_before_2014_count_by_its_rules) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###totals");
    context.Yield(4);
    const auto unit = [&] { return workspace().figure(view::PanelId::Totals)->table.columns[9].name; };
    EXPECT_EQ(unit(), "transactions");
    EXPECT_EQ(workspace().figure(view::PanelId::Totals)->subtitle.find("not as"), std::string::npos);
    session_->post(session::SetDevice{"h200"});
    settle(context);
    EXPECT_EQ(unit(), "sectors");
  });
}

TEST_F(Toggles, a_device_without_a_known_map_says_so_in_the_panel) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_NE(workspace().figure(view::PanelId::Partitions), nullptr);
    session_->post(session::SetDevice{"h200"});
    settle(context);
    EXPECT_EQ(now()->choices.device.name, "h200");
    EXPECT_EQ(now()->run->partitions, nullptr);
    EXPECT_FALSE(now()->run->partitions_reason.empty());
    // Its place went to a panel that has something to show.
    context.Yield(8);
    ImGui::SetWindowFocus("###partitions");
    context.Yield(4);
    EXPECT_EQ(workspace().figure(view::PanelId::Partitions), nullptr);
    picture(context, "no_partitions");
    // The button goes to a GPU whose map is known.
    context.SetRef(window(context, "###partitions/##empty"));
    context.ItemClick("##what_to_do");
    settle(context);
    context.Yield(8);
    EXPECT_EQ(now()->choices.device.name, "gt200");
    EXPECT_NE(workspace().figure(view::PanelId::Partitions), nullptr);
  });
}

TEST_F(Toggles, f1_shows_the_keys_and_escape_hides_them) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_F1);
    EXPECT_NE(context.WindowInfo("//help", ImGuiTestOpFlags_NoError).ID, 0u);
    EXPECT_TRUE(ImGui::FindWindowByName("help")->Active);
    picture(context, "help");
    press(context, ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::FindWindowByName("help")->Active);
  });
}

TEST_F(Toggles, all_keys_can_be_read_in_a_small_window_with_large_text) {
  drive([&](ImGuiTestContext& context) {
    frames_->window().resize(1280, 720);
    workspace().preferences().is_projected = true;
    context.Yield(3);
    press(context, ImGuiKey_F1);
    context.Yield(3);
    const ImGuiWindow* const help = ImGui::FindWindowByName("help");
    ASSERT_NE(help, nullptr);
    EXPECT_LE(help->Pos.y + help->Size.y, 720);
    const ImGuiWindow* const keys = ImGui::FindWindowByID(context.WindowInfo("//help/scrolled").ID);
    ASSERT_NE(keys, nullptr);
    EXPECT_GT(keys->ScrollMax.y, 0) << "there is more than fits";
    EXPECT_LE(keys->Pos.y + keys->Size.y, help->Pos.y + help->Size.y);
    picture(context, "help_projected");
    for (int n = 0; n < 20; ++n) press(context, ImGuiKey_PageDown);
    EXPECT_EQ(keys->Scroll.y, keys->ScrollMax.y);
  });
}

}  // namespace
}  // namespace lanescope
