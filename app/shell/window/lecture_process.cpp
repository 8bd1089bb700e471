#include "shell/window/lecture_process.h"

#include "base/limited_process.h"

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

/// A lecture of some steps takes seconds, a film of many steps of large kernels minutes.
constexpr uint32_t kMostSeconds = 3600;

Result<void> export_lecture(const std::filesystem::path& program, const view::LectureExport& wanted,
                            const std::stop_token& stop) {
  std::vector<std::string> words{program.string(),
                                 "lecture",
                                 wanted.lecture.string(),
                                 "-o",
                                 wanted.file.string(),
                                 "--theme",
                                 wanted.mode == plot::Theme::Dark ? "dark" : "light",
                                 "--language",
                                 wanted.language == Language::French ? "fr" : "en"};
  if (!wanted.steps.empty()) words.insert(words.end(), {"--steps", wanted.steps});
  TRY(const Ended ended, run_limited(words, {.seconds = kMostSeconds, .memory_mib = 0, .stop = stop}));
  if (ended.how == Ended::How::Exited && ended.number == 0) return {};
  if (ended.how == Ended::How::Exited)
    return fail(ErrorKind::File, ended.error.substr(0, ended.error.find_last_not_of('\n') + 1));
  return fail(ErrorKind::File,
              fmt::format("the lecture was not written to the end: its process was ended by "
                          "{}; 'lanescope lecture' on the command line shows more",
                          ended.how == Ended::How::TimedOut ? "its limit of an hour"
                                                            : fmt::format("signal {}", ended.number)),
              Location{wanted.file.string(), 0});
}

}  // namespace

LectureProcesses::~LectureProcesses() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void LectureProcesses::start(const view::LectureExport& wanted) {
  threads_.emplace_back([this, wanted](const std::stop_token& stop) {
    auto done = export_lecture(program_, wanted, stop);
    if (stop.stop_requested()) return;
    {
      const std::lock_guard lock(mutex_);
      ended_.push_back({wanted.file, std::move(done)});
    }
    on_end_();
  });
}

std::vector<LectureProcesses::Ended> LectureProcesses::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ended_, {});
}

bool LectureProcesses::has_ended() const {
  const std::lock_guard lock(mutex_);
  return !ended_.empty();
}

}  // namespace lanescope::shell
