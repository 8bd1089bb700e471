// How long a frame takes while one steps, 1600 x 900 without a screen: the program's own part, and the whole
// with the driver's. Run by hand: ninja frame_benchmark && tests/gui/frame_benchmark

#include "shell/window.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace lanescope {
namespace {

const std::filesystem::path kProject = LANESCOPE_SOURCE_DIR;

void print(const char* what, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  double sum = 0;
  for (const double each : seconds) sum += each;
  const double mean = sum / static_cast<double>(seconds.size());
  std::printf("%-28s mean %6.3f ms  median %6.3f ms  95 %% %6.3f ms  worst %6.3f ms\n", what, mean * 1e3,
              seconds[seconds.size() / 2] * 1e3, seconds[seconds.size() * 95 / 100] * 1e3, seconds.back() * 1e3);
}

int measure() {
  session::Options options;
  options.assets = kProject / "assets";
  options.kernels = kProject / "kernels";
  session::Session session(options);
  session.post(session::OpenLesson{"transpose"});
  session.wait_until_idle();
  auto frames = shell::Frames::open(session, {kProject / "assets/fonts", kProject / "shaders", {}},
                                    {.width = 1600, .height = 900, .platform = shell::Platform::Offscreen});
  if (!frames) {
    std::fprintf(stderr, "%s\n", frames.error().message.c_str());
    return 1;
  }
  for (int frame = 0; frame < 10; ++frame) frames->draw();
  constexpr int kFrames = 320;
  std::vector<double> own, whole, still_own, still_whole;
  for (int frame = 0; frame < kFrames; ++frame) {
    // A step with every frame: twice what a key held down does.
    session.post(session::Step{frame / 15 % 2 == 0 ? session::Step::To::Next : session::Step::To::Previous});
    session.wait_until_idle();
    const shell::FrameTime time = frames->draw();
    (void)frames->window().read_back();
    own.push_back(time.own);
    whole.push_back(time.whole);
  }
  for (int frame = 0; frame < kFrames; ++frame) {
    const shell::FrameTime time = frames->draw();
    still_own.push_back(time.own);
    still_whole.push_back(time.whole);
  }
  print("stepping, own part", own);
  print("stepping, whole frame", whole);
  print("standing still, own part", still_own);
  print("standing still, whole frame", still_whole);
  return 0;
}

}  // namespace
}  // namespace lanescope

int main() { return lanescope::measure(); }
