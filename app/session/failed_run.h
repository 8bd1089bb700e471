// What did not run, or not yet: its text, and where its errors are. Made while the run before it stays in the
// snapshot.

#pragma once

#include "compile/log.h"

#include <string>
#include <vector>

namespace lanescope::session {

struct FailedRun {
  std::string source_name;  // empty where there was no text yet
  std::string source_text;
  std::vector<compile::LogError> errors;  // of the compiler, in this text or in its headers
};

}  // namespace lanescope::session
