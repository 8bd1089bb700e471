// The lesson's text in the snapshot: with the numbers of the run, or without any.
// Tests: tests/unit/session/session_test.cpp

#pragma once

#include "pipeline/live_numbers.h"
#include "session/errors.h"
#include "session/snapshot.h"

namespace lanescope::session {

/// What a text on the snapshot's run speaks of. The snapshot has a lesson and a run.
pipeline::Told told_of(const Snapshot& snapshot);

/// The text for the run and the settings. A number that the run does not have is a mistake in the lesson: it
/// becomes the error of the run, if that has none, and the text is shown without numbers.
void show_prose(Snapshot& snapshot, Errors& errors);

/// The text for the settings with an ellipsis for each number.
void show_prose_without_run(Snapshot& snapshot);

}  // namespace lanescope::session
