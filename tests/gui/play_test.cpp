// Playing in real time: on a real screen, with no event after the key that starts it, the main loop makes
// each step when it is due, at each speed.

#include "gui_test.h"
#include "trace/history.h"

#include <chrono>
#include <cstdlib>

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Steps of play, at the speed of this index in kSpeeds.
struct Case {
  view::StepUnit unit;
  size_t speed;
};

class Play : public GuiTest {
 protected:
  Play() { platform_ = shell::Platform::Desktop; }
  void SetUp() override {
    if (std::getenv("DISPLAY") == nullptr) GTEST_SKIP() << "no display: DISPLAY is not set";
    GuiTest::SetUp();
    session_->on_change(&shell::GlWindow::wake);
  }
  void TearDown() override {
    if (session_) session_->on_change({});
  }

  static void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
  }
  /// Turns the loop for some seconds, or until it is so. Returns how long that took.
  double turn(double most, const std::function<bool()>& is_so = [] { return false; }) {
    const auto start = Clock::now();
    while (seconds_since(start) < most && !is_so()) loop_->turn();
    return seconds_since(start);
  }
  /// Until no frame is due.
  void rest() {
    loop_.emplace(*frames_);
    session_->wait_until_modelled();
    turn(0.7);
  }
  uint32_t position() const {
    return workspace_unit() == view::StepUnit::Instruction ? now()->history.instruction
                                                           : now()->selection.access;
  }
  view::StepUnit workspace_unit() const { return frames_->workspace().preferences().step_unit; }

  std::optional<shell::MainLoop> loop_;
};

constexpr uint32_t kSteps = 2;
/// How much later than due the steps may be on a machine with other work.
constexpr double kSlack = 3;

TEST_F(Play, steps_of_each_unit_and_speed_come_in_time_without_any_event) {
  for (const auto& [unit, speed] :
       {Case{view::StepUnit::Access, 0}, Case{view::StepUnit::Access, 1}, Case{view::StepUnit::Access, 2},
        Case{view::StepUnit::Access, 3}, Case{view::StepUnit::Line, 2}, Case{view::StepUnit::Line, 3},
        Case{view::StepUnit::Instruction, 2}, Case{view::StepUnit::Instruction, 3}}) {
    view::Preferences& preferences = workspace().preferences();
    preferences.step_unit = unit;
    preferences.speed = speed;
    const std::string what = fmt::format("{} at {} a second", view::name_of(unit), view::kSpeeds[speed]);
    session_->post(session::SelectAccess{0});
    rest();
    session_->post(session::StepInstruction{session::Step::To::First});
    rest();
    ASSERT_EQ(position(), 0u) << what;
    press(ImGuiKey_Space);
    const double due = kSteps / static_cast<double>(view::kSpeeds[speed]);
    uint32_t steps = 0, at = 0;
    const double took = turn(due + kSlack, [&] {
      if (position() != at) {
        ++steps;
        at = position();
      }
      return steps == kSteps;
    });
    EXPECT_EQ(steps, kSteps) << what << ", after " << took << " s";
    EXPECT_GT(took, 0.8 * due) << what;
    press(ImGuiKey_Space);
    rest();
    const uint32_t paused = position();
    turn(0.5);
    EXPECT_EQ(position(), paused) << what;
  }
}

TEST_F(Play, waves_come_in_time_without_any_event) {
  constexpr double kSecondsPerWave = 0.6;
  session_->post(session::SetDevice{"gt200"});
  session_->post(session::SetToggle{"size", "1024"});
  rest();
  ASSERT_GT(now()->waves, kSteps + 1);
  ASSERT_EQ(now()->wave, 0u);
  drive([&](ImGuiTestContext& context) { click(context, "###blocks", "play_waves"); });
  const double took = turn(kSteps * kSecondsPerWave + kSlack, [&] { return now()->wave == kSteps; });
  EXPECT_EQ(now()->wave, kSteps) << "after " << took << " s";
}

TEST_F(Play, nothing_is_drawn_between_two_steps) {
  workspace().preferences().speed = 0;  // a step in two seconds
  rest();
  press(ImGuiKey_Space);
  // On a busy machine the first seconds still have frames of what the session made ready while it was idle.
  constexpr int kMostSeconds = 30;
  int frames = 0;
  for (int second = 0; second < kMostSeconds; ++second) {
    turn(0.5);
    frames = 0;
    const auto start = Clock::now();
    while (seconds_since(start) < 1) frames += loop_->turn() ? 1 : 0;
    if (frames <= 2) break;
  }
  EXPECT_LE(frames, 2);
}

}  // namespace
}  // namespace lanescope
