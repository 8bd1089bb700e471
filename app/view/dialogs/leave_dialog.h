// Asks before edited texts are lost with the window. Test: tests/gui/editor_test.cpp

#pragma once

#include "view/dialogs/dialog_window.h"

#include <cstdint>

namespace lanescope::view {

class LeaveDialog {
 public:
  enum class Typing : uint8_t { None, UnderWay };  // keys that the session does not have yet
  /// Whether the window may close: nothing edited is unsaved, or the person said so; else asks from the next
  /// frame on.
  bool may_leave(const session::Snapshot& now, Typing typing);
  /// Whether the person wants to leave, with all saved or without.
  bool leaves() const { return leaves_; }
  void draw(const Context& context, Typing typing);

 private:
  void save(const Context& context);

  bool opens_ = false;
  bool leaves_ = false;
  enum class Saving : uint8_t { No, Wanted, Posted } saving_ = Saving::No;
};

}  // namespace lanescope::view
