// The instructions that the selected warp executed, and its registers behind one of them. The instruction and
// the access that are shown go together: stepping to an instruction that accesses memory shows its access,
// and the other way round. Tests: tests/unit/session/history_selection_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"
#include "trace/history.h"

#include <memory>
#include <optional>

namespace lanescope::session {

class HistorySelection {
 public:
  /// Shows the history at the access that is shown, and what follows from it.
  void open(Snapshot& snapshot, std::shared_ptr<const trace::History> history);
  void close(Snapshot& snapshot);
  /// Goes to an instruction, and to its access if it makes one.
  void select(Snapshot& snapshot, uint32_t instruction);
  void step(Snapshot& snapshot, Step::To to);
  /// Goes to the instruction that makes the access that is shown.
  void follow_access(Snapshot& snapshot);

 private:
  void show(Snapshot& snapshot, uint32_t instruction);

  std::shared_ptr<const trace::History> history_;
  std::optional<trace::HistoryCursor> cursor_;
};

}  // namespace lanescope::session
