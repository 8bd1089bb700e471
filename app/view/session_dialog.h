// Saves the session to a file: what is open, its settings, the place and what it is compared with.
// Test: tests/gui/comparison_test.cpp

#pragma once

#include "session/session_file.h"
#include "view/context.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::view {

class SessionDialog {
 public:
  /// `window` says how the window is; its path is chosen in the dialog.
  void open(const Context& context, session::OpenedSession window);
  /// Returns what saving had to say, if it was done.
  std::optional<session::Notice> draw(const Context& context);

 private:
  std::optional<session::Notice> save(const Context& context);

  bool opening_ = false;
  session::OpenedSession window_;
  std::string path_;                // as typed
  std::filesystem::path replaces_;  // the existing file that a second press replaces
};

}  // namespace lanescope::view
