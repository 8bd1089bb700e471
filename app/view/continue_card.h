// Offers at the start to show again what the window was doing when it ended: texts that were not saved, the
// place in the warp, both runs that were compared. The menu "File" offers it too. Test:
// tests/gui/continue_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

class ContinueCard {
 public:
  void open() { opens_ = true; }
  void draw(const Context& context);

 private:
  bool opens_ = false;
};

}  // namespace lanescope::view
