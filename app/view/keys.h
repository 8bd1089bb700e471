// The keys of the window: stepping, the lesson's toggles, look. Tests: tests/gui/stepping_test.cpp,
// tests/gui/toggles_test.cpp

#pragma once

#include "view/context.h"
#include "view/preferences.h"

namespace lanescope::view {

/// What the keys ask of the window itself.
struct KeyRequests {
  enum class Copy : uint8_t { Nothing, Panel, Window };
  bool help = false;
  bool play = false;
  bool open = false;
  bool full_screen = false;
  bool frame_rate = false;
  bool enlarge = false;
  bool leave = false;                             // Escape
  bool next_step = false, previous_step = false;  // of a lecture
  Copy copy = Copy::Nothing;
};

/// Posts what the keys pressed in this frame mean, unless a text is being edited. `has_focus`: keys move the
/// focus over the controls, and only Escape and those of the function row count.
KeyRequests post_keys(const Context& context, Preferences& preferences, bool has_focus);

}  // namespace lanescope::view
