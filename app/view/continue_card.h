// Offers at the start to show again what the window was doing when it ended: texts that were not saved, the
// place in the warp, both runs that were compared. The menu "File" offers it too. Test:
// tests/gui/continue_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

class ContinueCard {
 public:
  void open() { is_asked_ = true; }
  void draw(const Context& context);

 private:
  bool is_quiet(const session::Snapshot& now);

  bool is_asked_ = false;  // and not answered
  int quiet_frames_ = 0;
};

}  // namespace lanescope::view
