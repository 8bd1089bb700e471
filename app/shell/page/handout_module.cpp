// The module of a handout: its figures in the reader's browser, without a window. The page writes the files
// of the lesson first (handout/files.h). Test: tests/page/handout_test.py

#include "handout/lab.h"

#include <exception>
#include <memory>
#include <string>

#include <emscripten.h>

namespace lanescope::shell::page {
namespace {

std::unique_ptr<handout::Lab>& lab() {
  static std::unique_ptr<handout::Lab> one;
  return one;
}

Result<void> open(const char* lesson_name, const char* device_name) {
  pipeline::Options options;
  options.assets = "/assets";
  options.kernels = "/kernels";
  options.threads = 1;
  TRY(auto lesson, lesson::read_lesson(options.assets / "lessons" / lesson_name));
  TRY(auto device, model::find_device(options.assets / "devices", device_name));
  lab() = std::make_unique<handout::Lab>(options, std::make_shared<const lesson::Lesson>(std::move(lesson)),
                                         std::move(device));
  return {};
}

}  // namespace
}  // namespace lanescope::shell::page

/// "" or a sentence; valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* lanescope_open(const char* lesson, const char* device) {
  static std::string problem;
  const auto opened = lanescope::shell::page::open(lesson, device);
  problem = opened ? "" : describe(opened.error());
  return problem.c_str();
}

/// handout::answer(); valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* lanescope_answer(const char* request) {
  static std::string text;
  text = lanescope::handout::answer(*lanescope::shell::page::lab(), request);
  return text.c_str();
}
