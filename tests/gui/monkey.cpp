// Presses keys, clicks, drags, types, resizes and drops files at random, quickly, for some seconds, and
// prints its seed: the program must not crash, hang or come to no rest. Where nothing plays, it presses Play
// between its other actions. Meant for a build with sanitizers: tests/gui/monkey.sh [SECONDS [SEED]].

#include "shell/window/window.h"
#include "support/project_options.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

namespace lanescope {
namespace {

using tests::kProject;

class Monkey {
 public:
  Monkey(shell::Frames& frames, session::Session& session, unsigned seed)
      : frames_(frames), session_(session), random_(seed) {}

  void act() {
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return press();
      case 4:
      case 5:
      case 6:
        return click();
      case 7:
        return drag();
      case 8:
        return ImGui::GetIO().AddMouseWheelEvent(0, static_cast<float>(below(7)) - 3);
      case 9:
        return type();
      case 10:
        return move();
      case 11:
        return post();
      case 12:
        return frames_.window().resize(320 + below(1900), 240 + below(1100));
      default:
        return pause();
    }
  }

  /// Whether something moves by itself; if not, Play is pressed now and then.
  bool plays() {
    if (std::isfinite(frames_.workspace().seconds_until_motion())) return true;
    if (below(4) == 0 && !ImGui::GetIO().WantTextInput) {
      ImGui::GetIO().AddKeyEvent(ImGuiKey_Space, true);
      ImGui::GetIO().AddKeyEvent(ImGuiKey_Space, false);
    }
    return false;
  }

 private:
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  void move() {
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(below(frames_.window().width())),
                                    static_cast<float>(below(frames_.window().height())));
  }
  void click() {
    move();
    const int button = below(5) == 0 ? 1 : 0;
    for (int n = below(4) == 0 ? 2 : 1; n > 0; --n) {
      ImGui::GetIO().AddMouseButtonEvent(button, true);
      ImGui::GetIO().AddMouseButtonEvent(button, false);
    }
  }
  void drag() {
    move();
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    for (int n = 0; n < 4; ++n) {
      frames_.draw();
      move();
    }
    ImGui::GetIO().AddMouseButtonEvent(0, false);
  }
  void press() {
    ImGuiIO& io = ImGui::GetIO();
    const auto key = static_cast<ImGuiKey>(ImGuiKey_Tab + below(ImGuiKey_KeypadEqual - ImGuiKey_Tab));
    const bool ctrl = below(8) == 0, shift = below(8) == 0, alt = below(12) == 0;
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
    io.AddKeyEvent(ImGuiMod_Alt, alt);
    io.AddKeyEvent(key, true);
    io.AddKeyEvent(key, false);
    for (const ImGuiKey mod : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt}) io.AddKeyEvent(mod, false);
  }
  void type() {
    for (int n = below(12); n > 0; --n)
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(32 + below(400)));
  }
  void post() {
    const auto now = session_.latest();
    if (now->available.lessons.empty()) return;
    const auto& lessons = now->available.lessons;
    const auto& lectures = now->available.lectures;
    if (below(6) == 0)
      session_.post(
          session::OpenLecture{lectures[static_cast<size_t>(below(static_cast<int>(lectures.size())))]});
    else if (below(3) == 0)
      session_.post(
          session::OpenLesson{lessons[static_cast<size_t>(below(static_cast<int>(lessons.size())))]});
    else if (below(2) == 0)
      session_.post(
          session::OpenFile{kProject / "kernels" / (below(2) == 0 ? "transpose_tiled.cu" : "none.cu")});
    else
      session_.post(session::SetLanguage{below(2) == 0 ? Language::English : Language::French});
  }
  void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(below(300))); }

  shell::Frames& frames_;
  session::Session& session_;
  std::mt19937 random_;
};

int run(int seconds, unsigned seed) {
  std::printf("%d s with seed %u\n", seconds, seed);
  std::fflush(stdout);
  session::Session session(tests::project_options());
  session.post(session::OpenLesson{"transpose"});
  auto frames = shell::Frames::open(session, {kProject / "assets/fonts", kProject / "shaders", {}},
                                    {.width = 1600, .height = 900, .platform = shell::Platform::Offscreen});
  if (!frames) {
    std::fprintf(stderr, "%s\n", frames.error().message.c_str());
    return 1;
  }
  Monkey monkey(*frames, session, seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int actions = 0, playing = 0;
  for (; std::chrono::steady_clock::now() < end; ++actions) {
    monkey.act();
    playing += monkey.plays() ? 1 : 0;
    frames->draw();
  }
  session.post(session::CancelRun{});
  session.wait_until_modelled();
  // The readout changes with each frame, and playing and notices go on for some time.
  frames->workspace().preferences().shows_frame_rate = false;
  int drawn = 0;
  for (int frame = 0; frame < 400; ++frame) drawn = frames->draw().drawn > 0 ? 0 : drawn + 1;
  const double motion = frames->workspace().seconds_until_motion();
  const bool moves = std::isfinite(motion);
  std::printf("%d actions, %d while it played; %s\n", actions, playing,
              drawn > 0 ? "at rest"
              : moves   ? "it plays, or shows a notice"
                        : "it does not come to rest");
  return drawn > 0 || moves ? 0 : 1;
}

}  // namespace
}  // namespace lanescope

int main(int count, char** words) {
  const int seconds = count > 1 ? std::atoi(words[1]) : 60;
  const unsigned seed =
      count > 2 ? static_cast<unsigned>(std::strtoul(words[2], nullptr, 10)) : std::random_device{}();
  return lanescope::run(seconds, seed);
}
