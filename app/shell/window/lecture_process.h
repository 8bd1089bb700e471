// A lecture that is exported while the window goes on: `lanescope lecture FILE -o SLIDES` in a process of its
// own, since its steps run one after the other in a session of their own. Method: a thread waits for the
// process; what it had to say is taken by the window. Tests: tests/gui/lecture_bar_test.cpp

#pragma once

#include "base/error.h"
#include "view/context.h"

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lanescope::shell {

class LectureProcesses {
 public:
  /// `program`: this one. `on_end` is called from another thread.
  LectureProcesses(std::filesystem::path program, std::function<void()> on_end)
      : program_(std::move(program)), on_end_(std::move(on_end)) {}
  ~LectureProcesses();  // ends those that run
  LectureProcesses(const LectureProcesses&) = delete;
  LectureProcesses& operator=(const LectureProcesses&) = delete;

  void start(const view::LectureExport& wanted);

  /// An export that ended: the file, or why there is none.
  struct Ended {
    std::filesystem::path file;
    Result<void> done;
  };
  /// Those that ended since the last call.
  std::vector<Ended> take();
  bool has_ended() const;

 private:
  std::filesystem::path program_;
  std::function<void()> on_end_;
  mutable std::mutex mutex_;
  std::vector<Ended> ended_;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace lanescope::shell
