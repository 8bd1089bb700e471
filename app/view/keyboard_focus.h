// Reaching every control with the keyboard: Tab starts a focus that arrows and Tab move and Enter presses;
// Escape or the mouse ends it. Past the last control of a panel or bar Tab goes on to the next one, also to a
// panel behind its tab; F6 goes there at once, with Shift both go back. In an open menu arrows and Enter work
// as well. Meanwhile these keys do not step. Method: Dear ImGui's own keyboard navigation, switched on only
// then, since it would take the arrows. Test: tests/gui/keyboard_test.cpp

#pragma once

#include "view/control_name.h"

namespace lanescope::view {

class KeyboardFocus {
 public:
  /// Once in each frame, before controls are drawn.
  void advance();
  /// Once in each frame, after all controls were drawn.
  void go_on();
  /// Whether keys move the focus now.
  bool has_keys() const { return roams_ || has_menu(); }
  /// Also in the frame in which Escape closed it.
  bool has_menu() const { return has_menu_ || had_menu_; }
  /// The control that has the focus, as of the last frame.
  const ControlName& control() const { return control_; }
  /// The focus starts in the current window.
  bool starts() const { return starts_; }

 private:
  bool roams_ = false, starts_ = false, has_menu_ = false, had_menu_ = false;
  ControlName named_, control_;  // in this frame so far, in the last one
  unsigned next_ = 0;            // Dear ImGui's number of the window that the focus goes to; 0: none
};

}  // namespace lanescope::view
