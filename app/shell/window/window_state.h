// What the window is doing, kept in the person's state folder while it runs, so that nothing typed is lost
// when it ends, however it ends. Method: each window has a folder that it locks; what it keeps
// (session/kept_state.h) is written to new files that are renamed over the old ones, soon after a change.
// What a window before left there becomes the folder "before", which is offered at the start. Tests:
// tests/gui/continue_test.cpp

#pragma once

#include "session/kept_state.h"
#include "session/snapshot.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace lanescope::shell {

class WindowState {
 public:
  /// `state`: the folder of all windows; empty: nothing is kept.
  explicit WindowState(const std::filesystem::path& state);
  ~WindowState();
  WindowState(const WindowState&) = delete;
  WindowState& operator=(const WindowState&) = delete;

  /// What a window before left; empty: nothing.
  const std::filesystem::path& before() const { return before_; }
  /// Whether that was not saved: it has texts, or was not closed by the person.
  enum class Left { Saved, Unsaved };
  Left left() const { return left_; }
  /// Moves what was left aside, where no later start offers it; a file manager still finds it.
  void put_by();

  /// Writes what changed, at most every quarter of a second.
  void keep(const session::Snapshot& now, const session::OpenedSession& window,
            const std::vector<session::EditedText>& typed);
  /// The same at once; the person closed the window.
  void close(const session::Snapshot& now, const session::OpenedSession& window,
             const std::vector<session::EditedText>& typed);

 private:
  void take_lock(const std::filesystem::path& state);
  void move_before();
  void put_by_what_is_shown_again(const session::KeptTexts& now);
  void write(const session::Snapshot& now, const session::OpenedSession& window,
             const std::vector<session::EditedText>& typed);

  std::filesystem::path folder_;  // of this window; empty: nothing is kept
  std::filesystem::path before_;
  Left left_ = Left::Saved;
  session::KeptTexts texts_before_;  // in `before`, until they are shown again
  int lock_ = -1;                    // a descriptor
  std::string texts_, session_;      // as written last
  uint64_t generation_ = 0;          // of the snapshot that was written last
  std::vector<session::EditedText> typed_;
  std::chrono::steady_clock::time_point written_at_{};
};

}  // namespace lanescope::shell
