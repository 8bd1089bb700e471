// What was asked for and is still to be done: before a command that looks at it, at the latest when no
// command waits. What gave way to a command is owed until it is done, has failed or was taken back. Tests:
// tests/unit/session/session_test.cpp, measurement_test.cpp

#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>

namespace lanescope::session {

/// Where a run is to be looked at once it is there. Until then the run before is shown, at its own place.
struct Place {
  CtaId cta;
  WarpId warp;
  uint32_t access = 0;
};

struct PendingWork {
  std::optional<Place> run;  // of the settings
  bool history = false;      // of the selected warp
  bool measuring = false;

  bool anything() const { return keeps_waiting() || measuring; }
  /// What a command that looks at a run waits for.
  bool keeps_waiting() const { return run.has_value() || history; }
};

}  // namespace lanescope::session
