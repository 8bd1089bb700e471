// The recordings to choose from, and what the chosen one has. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::session {

struct RecordingList {
  std::vector<std::string> names;
  std::string chosen;           // empty: there is none
  std::string gpu;              // of the chosen one
  std::vector<uint32_t> sizes;  // at which it has times of the chosen kernel, where this size has none
  std::vector<Error> errors;    // files that are no recordings
  std::string folder;           // of the user's own recordings
};

}  // namespace lanescope::session
