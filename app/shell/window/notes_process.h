// The teacher's notes in a process with a window of its own: Dear ImGui and GLFW serve one window in a
// process (gl_window.h). Method: a pair of sockets is the process's standard input and output; the lecture's
// window sends a line of JSON with each page, the notes send "next" and "back" for the keys that are pressed
// there. Tests: tests/gui/lecture_bar_test.cpp

#pragma once

#include "base/error.h"
#include "view/lecture_notes.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::shell {

/// A page as a line, and back. Error (Syntax): the line is none.
std::string line_of(const view::NotesPage& page);
Result<view::NotesPage> page_of(std::string_view line);

enum class NotesKey : uint8_t { Next, Back };

/// Keys on their way from the thread of a NotesProcess to the window.
class NotesKeys {
 public:
  void push(NotesKey key) {
    const std::lock_guard lock(mutex_);
    keys_.push_back(key);
  }
  std::vector<NotesKey> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(keys_, {});
  }
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return keys_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<NotesKey> keys_;
};

class NotesProcess {
 public:
  /// Starts `program lecture --notes-window`. `on_key` is called from another thread. Error (File): it cannot
  /// be started.
  static Result<NotesProcess> start(const std::filesystem::path& program,
                                    std::function<void(NotesKey)> on_key);
  NotesProcess(NotesProcess&&) noexcept;
  NotesProcess& operator=(NotesProcess&&) noexcept;
  ~NotesProcess();  // ends the process

  /// Whether its window is still open.
  bool is_open() const;
  /// Sends the page, unless it is the one that was sent last.
  void show(const view::NotesPage& page);

 private:
  struct Process;
  explicit NotesProcess(std::unique_ptr<Process> process);
  std::unique_ptr<Process> process_;
};

}  // namespace lanescope::shell
