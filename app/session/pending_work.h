// Pending work: requests that are not carried out yet. Preempted work stays pending until it is done, has
// failed or was cancelled. It is done before a command that reads its result, at the latest when the
// queue is empty. Tests: tests/unit/session/session_test.cpp, tests/unit/session/measurement_test.cpp

#pragma once

#include "pipeline/selection.h"

#include <optional>

namespace lanescope::session {

using pipeline::SelectionRequest;

struct PendingWork {
  bool program = false;                 // the opened one, to be compiled and run
  std::optional<SelectionRequest> run;  // of the settings, and what to select in it
  bool history = false;                 // of the selected warp
  bool measuring = false;

  bool any() const { return blocks_run_commands() || measuring; }
  /// Whether commands that read a run must wait.
  bool blocks_run_commands() const { return program || run.has_value() || history; }
};

}  // namespace lanescope::session
