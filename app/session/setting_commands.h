// The commands that change what runs and how: which lesson or file is open, its kernel, toggles and launches,
// the producer, the checks. Each leaves other choices, and a run that is requested. Tests:
// tests/unit/session/session_test.cpp, tests/unit/session/undo_history_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/active_exercise.h"
#include "session/command.h"
#include "session/errors.h"
#include "session/gpu_handle.h"
#include "session/pending_work.h"
#include "session/precompilation.h"
#include "session/snapshot.h"
#include "session/undo_history.h"

namespace lanescope::session {

class SettingCommands {
 public:
  /// What the commands affect.
  struct Parts {
    const pipeline::Options& options;
    PendingWork& pending;
    const Errors& errors;
    ActiveExercise& exercise;
    Precompilation& precompilation;
    GpuHandle& gpu;
  };
  explicit SettingCommands(const Parts& parts) : parts_(parts) {}

  Result<void> apply(Snapshot& snapshot, const OpenLesson& command);
  Result<void> apply(Snapshot& snapshot, const SetLaunches& command);
  Result<void> apply(Snapshot& snapshot, const TakeHostLaunches& command);
  Result<void> apply(Snapshot& snapshot, const SetToggle& command);
  Result<void> apply(Snapshot& snapshot, const SetToggles& command);
  Result<void> apply(Snapshot& snapshot, const SetChecks& command);
  Result<void> apply(Snapshot& snapshot, const SetScheduling& command);
  Result<void> apply(Snapshot& snapshot, const SetLevel& command);
  Result<void> apply(Snapshot& snapshot, const ShowCaches&);
  Result<void> apply(Snapshot& snapshot, const SetProducer& command);
  Result<void> apply(Snapshot& snapshot, const Undo& command);
  Result<void> apply(Snapshot& snapshot, const Redo& command);
  Result<void> apply(Snapshot& snapshot, const Restore& command);
  /// A file of the user's that holds kernels or a trace.
  Result<void> open(Snapshot& snapshot, const OpenFile& command);
  void open(Snapshot& snapshot, OpenedFile file);
  /// The same; where another file than that one was open, Snapshot::openings rises.
  Result<void> open_other(Snapshot& snapshot, const OpenFile& command);

  /// Requests a run of the present choices, with the present selection.
  void request_run(const Snapshot& snapshot);
  /// Notes what a command made of the choices, to be undone.
  void note(const Choices& before, const Command& command, Snapshot& snapshot);
  /// Notes the present choices, before commands that belong together change them.
  void note_opening(Snapshot& snapshot) { history_.begin(snapshot.choices, snapshot); }

 private:
  Result<void> choose(Snapshot& snapshot, Result<lesson::Settings> changed);
  void take(Snapshot& snapshot, const Choices& choices, const SelectionRequest& place);
  void begin(Snapshot& snapshot, const SelectionRequest& place);

  Parts parts_;
  UndoHistory history_;
};

}  // namespace lanescope::session
