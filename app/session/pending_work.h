// What was asked for and is still to be done: before a command that looks at it, at the latest when no
// command waits. What gave way to a command is owed until it is done, has failed or was taken back. Tests:
// tests/unit/session/session_test.cpp, measurement_test.cpp

#pragma once

#include "pipeline/selection.h"

#include <optional>

namespace lanescope::session {

using pipeline::SelectionRequest;

struct PendingWork {
  std::optional<SelectionRequest> run;  // of the settings, and what to select in it
  bool history = false;                 // of the selected warp
  bool measuring = false;

  bool anything() const { return keeps_waiting() || measuring; }
  /// What a command that looks at a run waits for.
  bool keeps_waiting() const { return run.has_value() || history; }
};

}  // namespace lanescope::session
