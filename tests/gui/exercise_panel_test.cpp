// The panel of exercises: the starter is written, the file is edited and saved, the checks turn green; hints
// come one by one, the solution after a second press.

#include "gui_test.h"
#include "session/exercise_state.h"
#include "view/run_card.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace lanescope {
namespace {

using session::ExerciseState;
using Use = session::SubmissionFile::Use;

class ExercisePanel : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.submissions = scratch("mine");
    std::filesystem::create_directories(options.submissions);
    return options;
  }

  ExerciseState state() const { return *now()->exercise; }
  static bool is_solved(const ExerciseState& state) {
    return !state.checking && !state.checks.empty() && pipeline::has_passed(state.checks);
  }
  void show(ImGuiTestContext& context, const char* panel) {
    context.WindowFocus((std::string("//###") + panel).c_str());
    context.Yield(4);
    settle(context);
  }
  void press_button(ImGuiTestContext& context, const char* button) {
    click(context, "###exercise/text", button);
  }
  bool has_item(ImGuiTestContext& context, const char* item) {
    context.SetRef(window(context, "###exercise/text"));
    return context.ItemExists(item);
  }
  static bool shows_code(ImGuiTestContext& context) {
    return context.WindowInfo("//###exercise/text/code", ImGuiTestOpFlags_NoError).ID != 0;
  }
  void save_solution() const { std::ofstream(state().file.path) << state().chosen->solution; }
};

TEST_F(ExercisePanel, the_starter_is_written_and_the_checks_of_each_save_turn_green) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    picture(context, "exercise-task");
    press_button(context, "start");
    EXPECT_EQ(state().file.use, Use::Checked);
    EXPECT_TRUE(std::filesystem::exists(scratch("mine/transpose-tiled.cu")));
    EXPECT_FALSE(is_solved(state()));
    // The choice of exercises has made room for the checks.
    context.SetRef(window(context, "###exercise/text"));
    const float top = context.WindowInfo("//###exercise/text").Window->InnerRect.Min.y;
    const float choice = context.ItemInfo("exercise/diagonal").RectFull.Max.y;
    EXPECT_LE(choice, top);
    EXPECT_GT(choice, top - 20);
    picture(context, "exercise-failed");
    save_solution();
    draw_until(context, [](const auto& shown) { return is_solved(*shown.exercise); });
    EXPECT_TRUE(is_solved(state()));
    EXPECT_EQ(state().checks.size(), 4u);
    picture(context, "exercise-solved");
  });
}

TEST_F(ExercisePanel, another_exercise_has_its_own_file) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "exercise/diagonal");
    EXPECT_EQ(state().chosen->name, "diagonal");
    press_button(context, "start");
    EXPECT_TRUE(std::filesystem::exists(scratch("mine/transpose-diagonal.cu")));
    picture(context, "exercise-diagonal");
  });
}

TEST_F(ExercisePanel, hints_come_one_by_one) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    const size_t hints = state().chosen->english.hints.size();
    for (size_t n = 0; n < hints; ++n) {
      ASSERT_TRUE(has_item(context, "hint")) << n;
      press_button(context, "hint");
    }
    EXPECT_FALSE(has_item(context, "hint"));
    picture(context, "exercise-hints");
  });
}

TEST_F(ExercisePanel, the_solution_comes_after_a_second_press) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "solution");
    EXPECT_FALSE(shows_code(context));
    press_button(context, "solution");
    EXPECT_TRUE(shows_code(context));
    picture(context, "exercise-solution");
    // Another exercise keeps its own.
    press_button(context, "exercise/conflict_free");
    context.Yield(2);
    press_button(context, "exercise/tiled");
    EXPECT_TRUE(has_item(context, "solution"));
    EXPECT_TRUE(shows_code(context));
  });
}

TEST_F(ExercisePanel, a_save_behind_another_tab_is_checked_once_the_panel_is_in_front_again) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "start");
    show(context, "lesson");
    save_solution();
    for (int n = 0; n < 20; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      context.Yield();
    }
    EXPECT_FALSE(is_solved(state()));
    show(context, "exercise");
    draw_until(context, [](const auto& shown) { return is_solved(*shown.exercise); });
    EXPECT_TRUE(is_solved(state()));
  });
}

TEST_F(ExercisePanel, the_submission_opens_in_the_window_and_the_exercise_stays) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "start");
    press_button(context, "open");
    ASSERT_NE(now()->choices.file, nullptr);
    EXPECT_EQ(state().chosen->name, "tiled");
    show(context, "exercise");
    save_solution();
    draw_until(context, [](const auto& shown) { return is_solved(*shown.exercise); });
    EXPECT_TRUE(is_solved(state()));
  });
}

TEST(Refusal, one_escape_ends_the_check_of_an_exercise) {
  session::Snapshot now;
  EXPECT_TRUE(view::refusal(now).empty());
  session::ExerciseState state;
  state.checking.emplace();
  now.exercise = std::make_shared<const session::ExerciseState>(state);
  const auto commands = view::refusal(now);
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<session::StopChecking>(commands.front()));
}

TEST_F(ExercisePanel, the_window_rests_while_it_watches_the_file) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "start");
  });
  shell::MainLoop loop(*frames_);
  for (int drawn = 0; loop.turn(); ++drawn) ASSERT_LT(drawn, 500) << "it does not come to rest";
  // It looked at the file five times meanwhile, and drew nothing.
  const auto turn = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return loop.turn();
  };
  for (int n = 0; n < 50; ++n) EXPECT_FALSE(turn());
  save_solution();
  for (int n = 0; n < 1000 && !is_solved(state()); ++n) turn();
  EXPECT_TRUE(is_solved(state()));
}

/// Pictures for inspection, as a student in the last row sees them.
TEST_F(ExercisePanel, is_drawn_in_every_look) {
  drive([&](ImGuiTestContext& context) {
    show(context, "exercise");
    press_button(context, "start");
    press_button(context, "hint");
    view::Preferences& preferences = workspace().preferences();
    preferences.mode = plot::Theme::Dark;
    picture(context, "exercise-dark");
    session_->post(session::SetLanguage{Language::French});
    settle(context);
    picture(context, "exercise-french");
    preferences.mode = plot::Theme::Light;
    preferences.is_projected = true;
    context.Yield(4);
    picture(context, "exercise-projector");
    EXPECT_TRUE(has_item(context, "solution"));
  });
}

}  // namespace
}  // namespace lanescope
