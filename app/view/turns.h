// Where one panel at a time has the room, Banks and Sectors take turns: the one that the selected access is
// about comes to the front. Other panels stay until the person chooses. Test: tests/gui/screen_test.cpp

#pragma once

#include "session/snapshot.h"
#include "view/panel_table.h"

#include <array>

namespace lanescope::view {

class Turns {
 public:
  /// `drawn`: the panels in sight.
  void follow(const session::Snapshot& now, const std::array<bool, kPanels>& drawn);

 private:
  uint64_t run_ = 0;
  uint32_t access_ = 0;
};

}  // namespace lanescope::view
