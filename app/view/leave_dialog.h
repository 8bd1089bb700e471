// Asks before edited texts are lost with the window. Test: tests/gui/editor_test.cpp

#pragma once

#include "view/dialog_window.h"

namespace lanescope::view {

class LeaveDialog {
 public:
  /// Whether the window may close: nothing edited is unsaved, or the person said so; else asks from the next
  /// frame on.
  bool may_leave(const session::Snapshot& now);
  /// Whether the person wants to leave without saving.
  bool leaves() const { return leaves_; }
  void draw(const Context& context);

 private:
  bool opens_ = false;
  bool leaves_ = false;
};

}  // namespace lanescope::view
