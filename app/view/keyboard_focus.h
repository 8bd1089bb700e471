// Reaching every control with the keyboard: Tab starts a focus that arrows and Tab move and Enter presses;
// Escape or the mouse ends it. In an open menu arrows and Enter work as well. Meanwhile these keys do not
// step. Method: Dear ImGui's own keyboard navigation, switched on only then, since it would take the arrows.
// Test: tests/gui/keyboard_test.cpp

#pragma once

namespace lanescope::view {

class KeyboardFocus {
 public:
  /// Once in each frame, before controls are drawn.
  void advance();
  /// Whether keys move the focus now.
  bool has_keys() const { return roams_ || has_menu(); }
  /// Also in the frame in which Escape closed it.
  bool has_menu() const { return has_menu_ || had_menu_; }
  /// The focus starts in the current window.
  bool starts() const { return starts_; }

 private:
  bool roams_ = false, starts_ = false, has_menu_ = false, had_menu_ = false;
};

}  // namespace lanescope::view
