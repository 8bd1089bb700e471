// Where Banks and Sectors share a place, they take turns: the one that the selected access is about comes to
// the front in place of the other one. Other panels stay until the person chooses. Test:
// tests/gui/layout_test.cpp

#pragma once

#include "session/snapshot.h"

namespace lanescope::view {

class Turns {
 public:
  void follow(const session::Snapshot& now);

 private:
  uint64_t run_ = 0;
  uint32_t access_ = 0;
};

}  // namespace lanescope::view
