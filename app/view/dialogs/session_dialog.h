// Saves the session to a file: what is open, its settings, the place and what it is compared with.
// Test: tests/gui/comparison_test.cpp

#pragma once

#include "session/session_file.h"
#include "view/dialogs/dialog_window.h"

#include <optional>

namespace lanescope::view {

class SessionDialog {
 public:
  /// `window` says how the window is; its path is chosen in the dialog.
  void open(const Context& context, session::OpenedSession window);
  /// Returns what saving had to say, if it was done.
  std::optional<session::Notice> draw(const Context& context);

 private:
  session::Notice save(const Context& context);

  bool opens_ = false;
  session::OpenedSession window_;
  SavePath path_;
};

}  // namespace lanescope::view
