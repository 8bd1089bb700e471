// Which wave of blocks the snapshot shows in flight. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "session/snapshot.h"

#include <cstdint>

namespace lanescope::session {

/// Shows wave `number`, or the last one where there are fewer. Needs a run.
void show_wave(Snapshot& snapshot, uint32_t number);

}  // namespace lanescope::session
