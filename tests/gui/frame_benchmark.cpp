// How long a frame takes while one steps: the program's own part, and the whole with the driver's; and how
// long it takes from a toggle to the frame that shows its run. With a screen frames are counted at the swap
// of a real window, else without one. Run by hand: ninja frame_benchmark && build/tests/gui/frame_benchmark,
// with `xvfb-run -a -s '-screen 0 1920x1200x24'` before it for the real window.

#include "shell/window/window.h"
#include "support/project_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace lanescope {
namespace {

using tests::kProject;

void print(const char* what, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  double sum = 0;
  for (const double each : seconds) sum += each;
  const double mean = sum / static_cast<double>(seconds.size());
  std::printf("%-28s %6.1f /s  mean %6.3f ms  median %6.3f ms  95 %% %6.3f ms  worst %6.3f ms\n", what,
              1 / mean, mean * 1e3, seconds[seconds.size() / 2] * 1e3,
              seconds[seconds.size() * 95 / 100] * 1e3, seconds.back() * 1e3);
}

/// From the toggle to the frame that shows what it does, with everything cached that a class has cached after
/// its first time.
void measure_toggles(session::Session& session, shell::Frames& frames, const char* size) {
  using Clock = std::chrono::steady_clock;
  session.post(session::SetToggle{"size", size});
  std::vector<double> seconds, until_run, own;
  double drawn = 0;  // share of the pixels, added up
  constexpr int kToggles = 24, kWarm = 4;
  for (int n = 0; n < kToggles; ++n) {
    session.wait_until_modelled();
    frames.draw();
    const uint64_t before = session.latest()->run_generation;
    const Clock::time_point start = Clock::now();
    session.post(session::SetToggle{"padding", n % 2 == 0 ? "1" : "0"});
    while (session.latest()->run_generation == before || session.latest()->busy)
      frames.window().wait_for_events(0.001);
    const Clock::time_point run = Clock::now();
    const shell::FrameTime time = frames.draw();
    frames.window().finish();
    if (n < kWarm) continue;
    drawn += time.drawn;
    const auto between = [](Clock::time_point from, Clock::time_point to) {
      return std::chrono::duration<double>(to - from).count();
    };
    seconds.push_back(between(start, Clock::now()));
    until_run.push_back(between(start, run));
    own.push_back(time.own);
  }
  print((std::string("toggle to picture, ") + size).c_str(), seconds);
  print("  of it the run", until_run);
  print("  of it the frame's own part", own);
  std::printf("%.0f %% of the pixels drawn for a toggle\n", 100 * drawn / (kToggles - kWarm));
}

int measure(int width, int height) {
  const bool has_screen = std::getenv("DISPLAY") != nullptr;
  session::Session session(tests::project_options());
  session.post(session::OpenLesson{"transpose"});
  session.wait_until_idle();
  auto frames =
      shell::Frames::open(session, {kProject / "assets/fonts", kProject / "shaders", {}},
                          {.width = width,
                           .height = height,
                           .platform = has_screen ? shell::Platform::Desktop : shell::Platform::Offscreen});
  if (!frames) {
    std::fprintf(stderr, "%s\n", frames.error().message.c_str());
    return 1;
  }
  for (int frame = 0; frame < 10; ++frame) frames->draw();
  constexpr int kFrames = 320;
  std::vector<double> own, whole, still_own, still_whole;
  using Clock = std::chrono::steady_clock;
  double drawn = 0;
  const auto draw = [&](std::vector<double>& own_part, std::vector<double>& all) {
    const Clock::time_point start = Clock::now();
    const shell::FrameTime time = frames->draw();
    own_part.push_back(time.own);
    drawn += time.drawn;
    frames->window().finish();
    all.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  };
  for (int frame = 0; frame < kFrames; ++frame) {
    // A step with every frame: twice what a key held down does.
    session.post(session::Step{frame / 15 % 2 == 0 ? session::Step::To::Next : session::Step::To::Previous});
    session.wait_until_idle();
    draw(own, whole);
  }
  std::printf("%.0f %% of the pixels drawn while one steps\n", 100 * std::exchange(drawn, 0) / kFrames);
  for (int frame = 0; frame < kFrames; ++frame) draw(still_own, still_whole);
  print("stepping, own part", own);
  print("stepping, whole frame", whole);
  print("standing still, own part", still_own);
  print("standing still, whole frame", still_whole);
  for (const char* size : {"1024", "2048"}) measure_toggles(session, *frames, size);
  return 0;
}

}  // namespace
}  // namespace lanescope

int main() {
  std::printf("1600 x 900\n");
  const int status = lanescope::measure(1600, 900);
  std::printf("1920 x 1080\n");
  return status != 0 ? status : lanescope::measure(1920, 1080);
}
