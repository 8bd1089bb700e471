// The keys of the window: stepping, the lesson's toggles, look. Tests: tests/gui/stepping_test.cpp,
// tests/gui/toggles_test.cpp

#pragma once

#include "view/context.h"
#include "view/preferences.h"

namespace lanescope::view {

/// What the keys ask of the window itself.
struct KeyRequests {
  bool help = false;
  bool play = false;
  bool open = false;
  bool full_screen = false;
  bool frame_rate = false;
  bool enlarge = false;
  bool leave = false;  // Escape
};

/// Posts what the keys pressed in this frame mean, unless a text is being edited.
KeyRequests post_keys(const Context& context, Preferences& preferences);

}  // namespace lanescope::view
