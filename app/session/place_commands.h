// The commands that select a place in the run that is shown: block, wave, warp, access, line. Tests:
// tests/unit/session/session_test.cpp

#pragma once

#include "session/command.h"
#include "session/current_runs.h"
#include "session/history_selection.h"
#include "session/pending_work.h"
#include "session/pinned_run.h"
#include "session/snapshot.h"

#include <concepts>

namespace lanescope::session {

template <class Type>
concept OfPlace =
    std::same_as<Type, SelectBlock> || std::same_as<Type, SelectWave> || std::same_as<Type, SelectWarp> ||
    std::same_as<Type, SelectAccess> || std::same_as<Type, Step> || std::same_as<Type, SelectLine> ||
    std::same_as<Type, StepInstruction> || std::same_as<Type, SelectInstruction>;

class PlaceCommands {
 public:
  /// What the commands affect.
  struct Parts {
    PendingWork& pending;
    const CurrentRuns& runs;
    PinnedRun& pinned;
    HistorySelection& history;
  };
  explicit PlaceCommands(const Parts& parts) : parts_(parts) {}

  /// A block whose values were not kept is run again.
  void apply(Snapshot& snapshot, const SelectBlock& command);
  void apply(Snapshot& snapshot, const SelectWave& command);
  void apply(Snapshot& snapshot, const SelectWarp& command);
  void apply(Snapshot& snapshot, const SelectAccess& command);
  void apply(Snapshot& snapshot, const Step& command);
  void apply(Snapshot& snapshot, const SelectLine& command);
  void apply(Snapshot& snapshot, const StepInstruction& command);
  void apply(Snapshot& snapshot, const SelectInstruction& command);

 private:
  void show_access(Snapshot& snapshot, uint32_t access);

  Parts parts_;
};

}  // namespace lanescope::session
