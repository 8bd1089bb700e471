// Two runs side by side: keeping a run, changing the other, swapping, ending; what the panels then show.

#include "export/trace_file.h"
#include "gui_test.h"
#include "session/exercise_state.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace lanescope {
namespace {

class Comparison : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.submissions = scratch("");
    options.read_trace = exporting::read_trace_part;
    return options;
  }
  std::string value(const session::Snapshot& of, const char* toggle) const {
    return of.choices.settings.values.at(toggle);
  }
  /// The part of a panel that shows this side.
  bool has_half(ImGuiTestContext& context, const char* panel, const char* side) const {
    const std::string name = std::string("//") + panel + "/" + side;
    const ImGuiTestItemInfo info = context.WindowInfo(name.c_str(), ImGuiTestOpFlags_NoError);
    return info.ID != 0 && info.Window != nullptr && info.Window->WasActive;
  }
  ImRect half(ImGuiTestContext& context, const char* panel, const char* side) {
    return context.WindowInfo((std::string("//") + panel + "/" + side).c_str()).Window->Rect();
  }
  void show_totals(ImGuiTestContext& context) {
    settle(context);
    ImGui::SetWindowFocus("###totals");
    context.Yield(4);
  }
  /// Labels of the figure that the panel's side B shows.
  static bool says(const plot::Figure* figure, std::string_view text) {
    return figure != nullptr && std::ranges::any_of(figure->marks, [&](const plot::Mark& mark) {
             const auto* label = std::get_if<plot::Label>(&mark);
             return label != nullptr && label->text == text;
           });
  }
};

TEST_F(Comparison, v_keeps_the_run_and_v_again_ends_the_comparison) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_FALSE(has_half(context, "###banks", "A"));
    press(context, ImGuiKey_V);
    ASSERT_NE(now()->pinned, nullptr);
    press(context, ImGuiKey_P);
    EXPECT_EQ(value(*now()->pinned, "padding"), "0");
    EXPECT_EQ(value(*now(), "padding"), "1");
    for (const char* panel : {"###banks", "###blocks", "###partitions", "###bandwidth"}) {
      EXPECT_TRUE(has_half(context, panel, "A")) << panel;
      EXPECT_TRUE(has_half(context, panel, "B")) << panel;
    }
    picture(context, "comparison");
    press(context, ImGuiKey_V);
    EXPECT_EQ(now()->pinned, nullptr);
    EXPECT_FALSE(has_half(context, "###banks", "A"));
  });
}

TEST_F(Comparison, the_toolbar_says_what_a_is_and_swaps_and_ends) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "compare");
    picture(context, "compare_menu");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###pin");
    settle(context);
    ASSERT_NE(now()->pinned, nullptr);
    press(context, ImGuiKey_P);
    click(context, "Lanescope/toolbar", "swap");
    EXPECT_EQ(value(*now()->pinned, "padding"), "1");
    EXPECT_EQ(value(*now(), "padding"), "0");
    press(context, ImGuiMod_Shift | ImGuiKey_V);
    EXPECT_EQ(value(*now(), "padding"), "1");
    click(context, "Lanescope/toolbar", "unpin");
    EXPECT_EQ(now()->pinned, nullptr);
  });
}

TEST_F(Comparison, the_menu_keeps_the_run_and_changes_a_setting_at_once) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "compare");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###change_order");
    settle(context);
    ASSERT_NE(now()->pinned, nullptr);
    EXPECT_EQ(value(*now()->pinned, "order"), "row-major");
    EXPECT_EQ(value(*now(), "order"), "diagonal");
    click(context, "Lanescope/toolbar", "compare");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###kernel_naive");
    settle(context);
    EXPECT_EQ(now()->choices.settings.kernel, "naive");
    EXPECT_EQ(value(*now()->pinned, "order"), "diagonal") << "what was shown last";
  });
}

TEST_F(Comparison, figures_share_their_scale_and_totals_say_the_ratio) {
  drive([&](ImGuiTestContext& context) {
    show_totals(context);
    // Where all rows have room.
    context.MouseMoveToPos(context.WindowInfo("//###totals").Window->Rect().GetCenter());
    press(context, ImGuiKey_Enter);
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    settle(context);
    const plot::Figure* totals = workspace().figure(view::PanelId::Totals);
    ASSERT_NE(totals, nullptr);
    // Of a GTX 280: 32 and 2 passes for a read and a write of A, 2 and 2 of B.
    EXPECT_TRUE(totals->explanation.starts_with("8.5× fewer passes than A")) << totals->explanation;
    EXPECT_TRUE(says(totals, "16× fewer"));
    EXPECT_TRUE(says(totals, "as in A"));
    // The longest bar of B is a part of its track, since A's is the whole of it.
    float longest = 0, track = 0;
    for (const plot::Mark& mark : totals->marks)
      if (const auto* rect = std::get_if<plot::Rect>(&mark); rect != nullptr && rect->fill) {
        const bool is_track = *rect->fill == plot::Color::of(plot::Role::Sunken);
        (is_track ? track : longest) = std::max(is_track ? track : longest, rect->width);
      }
    EXPECT_GT(track, 0);
    EXPECT_LE(longest, track);
    EXPECT_EQ(totals->scale.ends[1], 2 * 32768) << "of B alone";
  });
}

TEST_F(Comparison, banks_have_rows_for_the_wavefronts_of_both) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::SetDevice{"h200"});
    settle(context);
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    press(context, ImGuiKey_End);
    press(context, ImGuiKey_LeftArrow);
    ASSERT_TRUE(now()->selection.current->banks && now()->pinned->selection.current->banks);
    const plot::Figure* banks = workspace().figure(view::PanelId::Banks);
    ASSERT_NE(banks, nullptr);
    EXPECT_EQ(banks->headlines.front().amount, 1.0);
    // A word of B is as high as one of A's 32 rows.
    float word = 1e9f;
    for (const plot::Mark& mark : banks->marks)
      if (const auto* rect = std::get_if<plot::Rect>(&mark); rect != nullptr && rect->pick && rect->fill)
        word = std::min(word, rect->height);
    EXPECT_LT(word, banks->size.height / 16);
    picture(context, "comparison_banks");
  });
}

/// Heights of the filled rectangles with this role, without repetition.
std::set<float> heights_of(const plot::Figure& figure, plot::Role role) {
  std::set<float> heights;
  for (const plot::Mark& mark : figure.marks)
    if (const auto* rect = std::get_if<plot::Rect>(&mark); rect != nullptr && rect->fill)
      if (rect->fill->role == role) heights.insert(rect->height);
  return heights;
}

/// B had the hints below its figure and A had not, so A's 32 rows were half as high, and their sectors were
/// drawn another way.
TEST_F(Comparison, a_and_b_are_drawn_alike_and_on_one_scale) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_EQ(now()->choices.device.name, "gt200");
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    for (const bool at_shared : {true, false}) {
      press(context, at_shared ? ImGuiKey_End : ImGuiKey_Home);
      if (at_shared) press(context, ImGuiKey_LeftArrow);
      for (const view::PanelId id : {view::PanelId::Banks, view::PanelId::Sectors, view::PanelId::Partitions,
                                     view::PanelId::Totals, view::PanelId::Bandwidth}) {
        const plot::Figure *a = workspace().figure_of_a(id), *b = workspace().figure(id);
        if (a == nullptr || b == nullptr) continue;
        SCOPED_TRACE(b->name);
        EXPECT_EQ(a->size, b->size);
        EXPECT_EQ(heights_of(*a, plot::Role::Sunken), heights_of(*b, plot::Role::Sunken))
            << "of a count's room";
        const auto has_lines = [](const plot::Figure& figure) {
          return std::ranges::any_of(
              figure.marks, [](const plot::Mark& mark) { return std::holds_alternative<plot::Line>(mark); });
        };
        EXPECT_EQ(has_lines(*a), has_lines(*b)) << "one kind of drawing";
      }
      picture(context, at_shared ? "comparison_alike_banks" : "comparison_alike_sectors");
    }
  });
}

/// The second kernel reads beyond the end of its input and is stopped in its first warp: that is no victory.
TEST_F(Comparison, a_run_that_was_stopped_is_compared_with_nothing) {
  const auto kernel = [&](const char* name, const char* index) {
    std::ofstream(scratch(name))
        << "__global__ void sum(const float* in, float* out, int n) {\n"
        << "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        << "  out[i] = in[" << index << "];\n}\n"
        << "int main() { const int n = 65536; float *in, *out;\n"
        << "  cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, n * sizeof(float));\n"
        << "  sum<<<n / 256, 256>>>(in, out, n); }\n";
    return scratch(name);
  };
  drive([&](ImGuiTestContext& context) {
    session_->post(session::OpenFile{kernel("whole.cu", "i")});
    settle(context);
    ASSERT_TRUE(now()->run && now()->run->trace->is_complete)
        << (now()->error ? describe(*now()->error) : "");
    press(context, ImGuiKey_V);
    session_->post(session::OpenFile{kernel("stopped.cu", "i + n")});
    show_totals(context);
    ASSERT_FALSE(now()->run->trace->is_complete);
    const plot::Figure* totals = workspace().figure(view::PanelId::Totals);
    ASSERT_NE(totals, nullptr);
    EXPECT_EQ(totals->warning, "incomplete: the run was stopped");
    EXPECT_EQ(totals->explanation, "The run was stopped: only what ran before is counted.");
    EXPECT_TRUE(std::ranges::none_of(totals->marks, [](const plot::Mark& mark) {
      const auto* label = std::get_if<plot::Label>(&mark);
      return label != nullptr && label->text.find("fewer") != std::string::npos;
    }));
    ASSERT_NE(workspace().figure_of_a(view::PanelId::Totals), nullptr);
    EXPECT_EQ(workspace().figure_of_a(view::PanelId::Totals)->warning, "") << "A ran to its end";
    picture(context, "comparison_stopped");
  });
}

TEST_F(Comparison, an_access_of_a_selects_what_corresponds_to_it_in_both) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    context.SetRef(context.WindowInfo("//Lanescope/stepper/timeline_a").ID);
    context.MouseMove("timeline");
    const ImRect row = context.ItemInfo("timeline").RectFull;
    context.MouseMoveToPos({row.Min.x + 3 + row.GetWidth() * 0.02f, row.GetCenter().y});
    context.MouseClick();
    settle(context);
    const uint32_t first = now()->selection.access;
    EXPECT_EQ(now()->pinned->selection.access, first);
    press(context, ImGuiKey_RightArrow);
    EXPECT_EQ(now()->pinned->selection.access, first + 1);
  });
}

TEST_F(Comparison, a_source_that_differs_is_shown_beside) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    EXPECT_FALSE(has_half(context, "###source", "A")) << "padding is a macro of the same text";
    press(context, ImGuiKey_K);
    EXPECT_EQ(has_half(context, "###source", "A"),
              now()->run->source_text != now()->pinned->run->source_text);
    session_->post(session::SetToggle{"kernel", "naive"});
    settle(context);
    EXPECT_TRUE(has_half(context, "###source", "A"));
  });
}

TEST_F(Comparison, an_enlarged_panel_shows_both_side_by_side) {
  drive([&](ImGuiTestContext& context) {
    show_totals(context);
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    context.SetRef(window(context, "###totals"));
    context.MouseMoveToPos(context.WindowInfo("//###totals").Window->Rect().GetCenter());
    press(context, ImGuiKey_Enter);
    ASSERT_EQ(workspace().enlarged(), view::PanelId::Totals);
    const ImRect a = half(context, "Lanescope/enlarged", "A"), b = half(context, "Lanescope/enlarged", "B");
    EXPECT_LT(a.Max.x, b.Min.x + 1);
    EXPECT_EQ(a.GetHeight(), b.GetHeight());
    picture(context, "comparison_enlarged");
  });
}

TEST_F(Comparison, a_saved_trace_is_opened_and_compared) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    ASSERT_TRUE(exporting::save_trace(*now()->run->trace, scratch("tiled.lane")));
    session_->post(session::OpenFile{scratch("tiled.lane")});
    settle(context);
    ASSERT_FALSE(now()->error) << describe(*now()->error);
    EXPECT_EQ(now()->run->kernel, "transpose_tiled");
    EXPECT_EQ(workspace().preferences().recent.front(), scratch("tiled.lane").string());
    picture(context, "saved_trace");
    session_->post(session::SetDevice{"gt200"});  // both count as the lesson's device
    settle(context);
    press(context, ImGuiKey_V);
    session_->post(session::OpenLesson{"transpose"});
    show_totals(context);
    EXPECT_TRUE(has_half(context, "###totals", "A"));
    press(context, ImGuiKey_P);
    EXPECT_TRUE(says(workspace().figure(view::PanelId::Totals), "16× fewer"));
  });
}

TEST_F(Comparison, control_z_and_y_undo_and_redo_and_the_menu_names_it) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_P);
    EXPECT_EQ(value(*now(), "padding"), "1");
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    EXPECT_EQ(std::string(context.ItemInfo("###undo").DebugLabel).find("Undo kernel: Tiled → Padded"), 0u)
        << context.ItemInfo("###undo").DebugLabel;
    picture(context, "undo_menu");
    context.ItemClick("###undo");
    settle(context);
    EXPECT_EQ(value(*now(), "padding"), "0");
    press(context, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    EXPECT_EQ(value(*now(), "padding"), "1");
    press(context, ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(value(*now(), "padding"), "0");
    press(context, ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(value(*now(), "padding"), "1");
  });
}

TEST_F(Comparison, a_session_is_saved_and_opens_at_the_same_step) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_V);
    press(context, ImGuiKey_P);
    press(context, ImGuiKey_End);
    workspace().preferences().shown[static_cast<size_t>(view::PanelId::Warp)] = false;
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###save_session");
    context.Yield(2);
    picture(context, "save_session");
    context.SetRef("//session_dialog");
    // Enter saves.
    context.ItemInputValue("##path", scratch("it.lanescope").c_str());
    settle(context);
    ASSERT_TRUE(std::filesystem::exists(scratch("it.lanescope")));
    EXPECT_NE(workspace().notices().said().back().find("it.lanescope"), std::string::npos);

    press(context, ImGuiKey_V);
    press(context, ImGuiKey_Home);
    workspace().preferences().shown.fill(true);
    session_->post(session::OpenFile{scratch("it.lanescope")});
    settle(context);
    ASSERT_FALSE(now()->error) << describe(*now()->error);
    EXPECT_EQ(value(*now(), "padding"), "1");
    ASSERT_NE(now()->pinned, nullptr);
    EXPECT_EQ(value(*now()->pinned, "padding"), "0");
    EXPECT_EQ(now()->selection.access, 15u);
    EXPECT_FALSE(workspace().preferences().shows(view::PanelId::Warp));
    EXPECT_EQ(workspace().preferences().recent.front(), scratch("it.lanescope").string());
  });
}

/// The lesson begins with 1024 blocks of 8 warps that make 16 accesses each.
TEST_F(Comparison, a_trace_is_saved_and_has_what_the_window_shows) {
  drive([&](ImGuiTestContext& context) {
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###save_trace");
    context.Yield(2);
    picture(context, "save_trace");
    context.SetRef("//trace_dialog");
    context.ItemInputValue("##path", scratch("it.lane").c_str());
    settle(context);
    const auto trace = exporting::read_trace(scratch("it.lane"));
    ASSERT_TRUE(trace) << describe(trace.error());
    EXPECT_EQ(trace->kernel, now()->run->kernel);
    EXPECT_EQ(trace->blocks.size(), now()->run->trace->blocks.size());
    EXPECT_EQ(trace->totals, now()->run->trace->totals);
    EXPECT_NE(workspace().notices().said().back().find("it.lane"), std::string::npos);
  });
}

TEST_F(Comparison, a_session_is_not_overwritten_unasked) {
  drive([&](ImGuiTestContext& context) {
    std::ofstream(scratch("it.lanescope")) << "mine";
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###save_session");
    context.Yield(2);
    context.SetRef("//session_dialog");
    context.ItemInputValue("##path", scratch("it.lanescope").c_str());
    settle(context);
    EXPECT_EQ(std::filesystem::file_size(scratch("it.lanescope")), 4u);
    context.SetRef("//session_dialog");
    context.ItemClick("save");
    settle(context);
    EXPECT_GT(std::filesystem::file_size(scratch("it.lanescope")), 100u);
  });
}

TEST_F(Comparison, an_exercise_s_file_is_shown_beside_the_solution) {
  drive([&](ImGuiTestContext& context) {
    session_->post(session::StartExercise{});
    settle(context);
    ImGui::SetWindowFocus("###exercise");
    context.Yield(3);
    click(context, "###exercise/text", "beside");
    ASSERT_NE(now()->pinned, nullptr) << (now()->error ? describe(*now()->error) : "");
    EXPECT_EQ(now()->pinned->run->source_name, "solution.cu");
    EXPECT_EQ(now()->run->source_name, now()->exercise->file.path.string());
    picture(context, "beside_solution");
  });
}

}  // namespace
}  // namespace lanescope
