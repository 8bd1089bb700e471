// The module of a handout: its figures in the reader's browser, without a window. The page writes the files
// of its subject first (handout/files.h). Test: tests/page/handout_test.py

#include "handout/lab.h"
#include "handout/packed_launches.h"
#include "handout/packed_trace.h"

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

/// `name`: of a lesson's folder, of packed launches, or of a saved trace.
Result<handout::Subject> read_subject(const std::string& name, const model::Device& device,
                                      pipeline::Options& options) {
  if (name.ends_with(".lane")) return handout::read_packed_trace(name, device);
  if (name.ends_with(".json")) return handout::read_packed_launches(name, options);
  TRY(auto lesson, lesson::read_lesson(name));
  return std::make_shared<const lesson::Lesson>(std::move(lesson));
}

Result<void> open(const char* subject_name, const char* device_name) {
  pipeline::Options options;
  options.assets = "/assets";
  options.kernels = "/kernels";
  options.threads = 1;
  TRY(auto device, model::find_device(options.assets / "devices", device_name));
  TRY(auto subject, read_subject(subject_name, device, options));
  lab() = std::make_unique<handout::Lab>(options, std::move(subject), std::move(device));
  return {};
}

}  // namespace
}  // namespace lanescope::shell::page

/// "" or a sentence; valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* lanescope_open(const char* subject, const char* device) {
  static std::string problem;
  const auto opened = lanescope::shell::page::open(subject, device);
  problem = opened ? "" : describe(opened.error());
  return problem.c_str();
}

/// handout::answer(); valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* lanescope_answer(const char* request) {
  static std::string text;
  text = lanescope::handout::answer(*lanescope::shell::page::lab(), request);
  return text.c_str();
}
