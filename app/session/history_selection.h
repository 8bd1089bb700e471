// The instructions that the selected warp executed, and its registers after the selected one. The selected
// instruction and the selected access follow each other: selecting an instruction that accesses memory
// selects its access, and the reverse. Tests: tests/unit/session/history_selection_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "session/command.h"
#include "session/snapshot.h"
#include "trace/history.h"

#include <memory>
#include <optional>

namespace lanescope::session {

class HistorySelection {
 public:
  /// Records and shows the history of the selected warp, at the instruction of the selected access. Errors:
  /// those of Execution::history().
  Result<void> record(Snapshot& snapshot, pipeline::Execution& execution, const pipeline::Job& job,
                      const pipeline::RunOptions& options);
  void close(Snapshot& snapshot);
  /// Selects an instruction, and its access if it makes one.
  void select(Snapshot& snapshot, uint32_t instruction);
  void step(Snapshot& snapshot, Step::To to);
  /// Selects the instruction that made the selected access.
  void follow_access(Snapshot& snapshot);

 private:
  void show(Snapshot& snapshot, uint32_t instruction);

  std::shared_ptr<const trace::History> history_;
  std::optional<trace::HistoryCursor> cursor_;
};

}  // namespace lanescope::session
