// What a snapshot shows of its run: the selected warp and access, the wave of blocks in flight.
// Tests: tests/unit/session/session_test.cpp

#pragma once

#include "session/pending_work.h"
#include "session/snapshot.h"

namespace lanescope::session {

void select(Snapshot& snapshot, const SelectionRequest& wanted);
/// The snapshot has a run.
void show_wave(Snapshot& snapshot, uint32_t number);

/// Whether the error of the snapshot is what the checks found in the run that it shows: part of what is to be
/// seen.
bool is_finding(const Snapshot& now);

}  // namespace lanescope::session
