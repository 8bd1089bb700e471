// A register of the selected warp after one of its instructions. Tests:
// tests/unit/session/history_selection_test.cpp

#pragma once

#include "base/lane_mask.h"

#include <string>
#include <vector>

namespace lanescope::session {

struct RegisterRow {
  std::string name;
  LaneMask written;  // lanes in which it holds a value
  LaneMask changed;  // lanes in which the instruction wrote it
  // [lane] of the changed ones, empty where it held nothing; no element without a change
  std::vector<std::string> before;
  std::vector<std::string> after;  // [lane]
};

}  // namespace lanescope::session
