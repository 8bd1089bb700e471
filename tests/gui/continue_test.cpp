// What was typed is never lost: a window that is killed while keys are typed has kept all but the last moment
// of them, whole, and the next one offers it. Method: the built program on the screen of the tests; keys are
// sent to it through the X server.

#include "base/file.h"
#include "gui_test.h"
#include "session/kept_state.h"
#include "session/opened_file.h"
#include "session/session_file.h"
#include "session/source_texts.h"
#include "shell/window/window_state.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "support/window_process.h"
#include "x_keyboard.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kSource =
    "__global__ void add(float* x) {\n  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;\n}\n";

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

class Killed : public testing::Test {
 protected:
  void SetUp() override {
    if (!tests::has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
    std::ofstream(source()) << kSource;
  }
  std::filesystem::path source() const { return folder_ / "mine.cu"; }
  std::filesystem::path home(int number) const { return folder_ / std::to_string(number); }

  /// What was kept of the source; its own text where nothing was.
  static std::string kept_text(const std::filesystem::path& folder, const std::filesystem::path& file) {
    const auto texts = session::read_kept_texts(folder / session::kKeptTexts);
    EXPECT_TRUE(texts) << texts.error().message;
    if (texts)
      for (const session::EditedText& text : texts->present)
        if (text.file == file) return text.text;
    return kSource;
  }

  /// Types letters into the editor, kills the window after `seconds`, and looks at what was kept.
  void type_and_kill(int number, double seconds) {
    tests::WindowProcess window(home(number), {source().string()});
    Keyboard keyboard(window.id());
    ASSERT_TRUE(window.wait_until([&] { return window.kept("file").size() > 2 && keyboard.finds_window(); }))
        << window.log();
    const std::filesystem::path state = home(number) / "lanescope/window-1";
    // The first letter says that the editor has the keys.
    keyboard.press(XK_e, true);
    const auto takes_keys = [&] {
      keyboard.press(XK_a);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      return std::filesystem::exists(state / session::kKeptTexts) && kept_text(state, source()) != kSource;
    };
    ASSERT_TRUE(window.wait_until(takes_keys)) << window.log();
    const std::string before = kept_text(state, source());
    std::vector<Clock::time_point> sent;
    const auto start = Clock::now();
    while (seconds_between(start, Clock::now()) < seconds) {
      keyboard.press(XK_b);
      sent.push_back(Clock::now());
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
    window.end(SIGKILL);
    const auto killed = Clock::now();
    const std::string after = kept_text(state, source());
    const auto typed = static_cast<size_t>(std::ranges::count(after, 'b') - std::ranges::count(before, 'b'));
    const auto due = static_cast<size_t>(std::ranges::count_if(
        sent, [&](Clock::time_point when) { return seconds_between(when, killed) > kMostLostSeconds; }));
    EXPECT_GE(typed, due) << "of " << sent.size() << " keys, killed after " << seconds << " s";
    EXPECT_LE(typed, sent.size());
    // Nothing else of the text is other than it was.
    std::string rest = after;
    std::erase(rest, 'a');
    std::erase(rest, 'b');
    std::string original = kSource;
    std::erase(original, 'a');
    std::erase(original, 'b');
    EXPECT_EQ(rest, original);
    EXPECT_TRUE(session::read_session_file(state / session::kKeptSession, tests::project_options(1)));
  }

  void kill_often(int times) {
    constexpr unsigned kSeed = 40;
    std::mt19937 random(kSeed);
    for (int n = 0; n < times && !HasFatalFailure(); ++n)
      type_and_kill(n, std::uniform_real_distribution(0.1, 3.0)(random));
  }

  static constexpr double kMostLostSeconds = 1;
  tests::TemporaryFolder folder_{"killed"};
};

TEST_F(Killed, a_window_that_is_killed_has_kept_all_but_the_last_second_of_keys) { kill_often(3); }

class SlowKilled : public Killed {};
TEST_F(SlowKilled, a_window_that_is_killed_at_thirty_moments_has_kept_all_but_the_last_second_of_keys) {
  kill_often(30);
}

TEST_F(Killed, what_it_left_is_moved_aside_and_two_windows_keep_their_own) {
  const auto shown = [](tests::WindowProcess& window) {
    return window.wait_until([&] { return window.kept("file").size() > 2; });
  };
  const auto state = home(0) / "lanescope";
  {
    tests::WindowProcess window(home(0), {source().string()});
    ASSERT_TRUE(shown(window));
    ASSERT_TRUE(window.wait_until(
        [&] { return std::filesystem::exists(state / "window-1" / session::kKeptSession); }));
    tests::WindowProcess other(home(0), {source().string()});
    EXPECT_TRUE(other.wait_until(
        [&] { return std::filesystem::exists(state / "window-2" / session::kKeptSession); }));
    window.end(SIGKILL);
  }
  tests::WindowProcess again(home(0), {source().string()});
  EXPECT_TRUE(again.wait_until(
      [&] { return std::filesystem::exists(state / "window-1-before" / session::kKeptSession); }));
}

/// Processor time of a process, in seconds. Source: proc(5), fields utime and stime of /proc/PID/stat.
double processor_seconds(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  constexpr int kSkipped = 11;
  std::string skipped;
  for (int n = 0; n < kSkipped; ++n) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Kernels whose launch is guessed in different ways.
class Endless : public Killed, public testing::WithParamInterface<const char*> {};

TEST_P(Endless, one_escape_ends_a_kernel_that_the_command_line_gave) {
  std::ofstream(folder_ / "loop.cu") << GetParam();
  tests::WindowProcess window(home(0), {(folder_ / "loop.cu").string()});
  Keyboard keyboard(window.id());
  ASSERT_TRUE(window.wait_until([&] { return keyboard.finds_window(); })) << window.log();
  const auto works = [&](double share) {
    constexpr double kSeconds = 1;
    const double before = processor_seconds(window.id());
    std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
    return processor_seconds(window.id()) - before > share * kSeconds;
  };
  // The first picture takes the processor too; after it the kernel alone does.
  std::this_thread::sleep_for(std::chrono::seconds(3));
  ASSERT_TRUE(works(0.3));
  keyboard.press(XK_Escape);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_FALSE(works(0.3)) << "it runs again";
  EXPECT_TRUE(window.runs());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Endless,
    testing::Values("__global__ void wait(volatile int* flag, float* out) {\n"
                    "  while (flag[0] == 0) out[threadIdx.x] += 1;\n}\n",
                    "__global__ void wait(const int* flag, float* out, int n) {\n"
                    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  while (flag[0] == 0) out[i] += 1;\n}\n",
                    "__global__ void wait(volatile int* flag, float* out) {\n"
                    "  while (flag[0] == 0) out[blockIdx.x * blockDim.x + threadIdx.x] += 1;\n}\n"
                    "int main() {\n  int* flag;\n  float* out;\n  wait<<<4, 256>>>(flag, out);\n}\n"));

class Continue : public GuiTest {
 protected:
  std::filesystem::path keep(const std::string& text) {
    std::ofstream(scratch("mine.cu")) << kSource;
    EXPECT_TRUE(write_file(scratch("texts"),
                           session::text_of({.present = {{scratch("mine.cu"), text}}, .pinned = {}})));
    EXPECT_TRUE(write_file(scratch("session.lanescope"),
                           "lanescope_session = 1\n[present]\nfile = \"mine.cu\"\ndevice = \"h200\"\n"));
    return scratch("texts").parent_path();
  }
};

TEST_F(Continue, the_card_shows_again_what_was_typed) {
  const std::string typed = "// typed\n" + std::string(kSource);
  frames_->offer_to_continue(keep(typed), [] {}, shell::Frames::Asking::Card);
  drive([&](ImGuiTestContext& context) {
    settle(context);
    EXPECT_EQ(now()->choices.lesson->name, "transpose");
    picture(context, "continue_card");
    context.SetRef("//continue_card");
    context.ItemClick("continue");
    settle(context);
    settle(context);
    ASSERT_TRUE(now()->choices.file);
    EXPECT_EQ(*now()->sources->files.front().text, typed);
    EXPECT_FALSE(now()->sources->files.front().is_saved);
  });
}

TEST_F(Continue, the_card_stays_while_the_file_of_the_command_line_opens) {
  const std::string typed = "// typed\n" + std::string(kSource);
  frames_->offer_to_continue(keep(typed), [] {}, shell::Frames::Asking::Card);
  drive([&](ImGuiTestContext& context) {
    context.Yield(2);
    session_->post(session::OpenFile{scratch("mine.cu")});
    settle(context);
    context.Yield(10);
    context.SetRef("//continue_card");
    context.ItemClick("continue");
    settle(context);
    settle(context);
    EXPECT_EQ(*now()->sources->files.front().text, typed);
  });
}

TEST_F(Continue, what_is_put_off_is_still_in_the_menu) {
  const std::string typed = "// typed\n" + std::string(kSource);
  frames_->offer_to_continue(keep(typed), [] {}, shell::Frames::Asking::Card);
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.SetRef("//continue_card");
    context.ItemClick("later");
    settle(context);
    EXPECT_TRUE(now()->choices.lesson);
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###continue");
    settle(context);
    settle(context);
    ASSERT_TRUE(now()->choices.file);
    EXPECT_EQ(*now()->sources->files.front().text, typed);
  });
}

TEST_F(Continue, what_is_discarded_is_no_longer_in_the_menu) {
  int discarded = 0;
  frames_->offer_to_continue(keep("// typed\n"), [&] { ++discarded; }, shell::Frames::Asking::Card);
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.SetRef("//continue_card");
    context.ItemClick("discard");
    settle(context);
    EXPECT_EQ(discarded, 1);
    EXPECT_EQ(now()->choices.lesson->name, "transpose");
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    EXPECT_FALSE(context.ItemExists("###continue"));
  });
}

TEST_F(Continue, what_was_shown_again_is_not_offered_another_time) {
  using Left = shell::WindowState::Left;
  const auto state = scratch("state");
  std::ofstream(scratch("mine.cu")) << kSource;
  session_->post(session::OpenFile{scratch("mine.cu")});
  session_->post(session::SetText{scratch("mine.cu"), "// typed\n" + std::string(kSource), 1});
  session_->wait_until_idle();
  {
    shell::WindowState killed(state);
    EXPECT_TRUE(killed.before().empty());
    killed.keep(*now(), {}, {});
  }
  for (int n = 0; n < 2; ++n) {
    const shell::WindowState put_off(state);
    EXPECT_EQ(put_off.left(), Left::Unsaved) << "it is offered until it is taken";
    EXPECT_TRUE(session::read_kept_texts(put_off.before() / session::kKeptTexts));
  }
  {
    shell::WindowState continued(state);
    continued.keep(*now(), {}, {});
    session_->post(session::SaveText{scratch("mine.cu")});
    session_->wait_until_idle();
    continued.close(*now(), {}, {});
  }
  const shell::WindowState after(state);
  EXPECT_EQ(after.left(), Left::Saved);
}

}  // namespace
}  // namespace lanescope
