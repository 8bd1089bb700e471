// The settings before and after each change, to go back and forth. Tests:
// tests/unit/session/undo_history_test.cpp

#pragma once

#include "session/snapshot.h"

#include <memory>
#include <vector>

namespace lanescope::session {

/// Whether the same would run, and be shown by the same device. The language and the launch that is shown are
/// no settings.
bool same_settings(const Choices& one, const Choices& other);

class UndoHistory {
 public:
  /// Notes that `before` became the choices of the snapshot; nothing where they are the same settings.
  void note(const Choices& before, Snapshot& snapshot);
  /// The same before several commands that belong together.
  void begin(const Choices& before, Snapshot& snapshot);
  /// The last change was cancelled before it ran.
  void forget_last(Snapshot& snapshot);
  /// The choices to go back to, or null; the present ones are then what redo() gives.
  std::shared_ptr<const Choices> undo(const Choices& present);
  std::shared_ptr<const Choices> redo(const Choices& present);
  /// Shows in the snapshot what undo() and redo() would give.
  void show(Snapshot& snapshot) const;

 private:
  using Stack = std::vector<std::shared_ptr<const Choices>>;
  static std::shared_ptr<const Choices> move(Stack& from, Stack& to, const Choices& present);
  static constexpr size_t kMost = 200;

  Stack undo_, redo_;  // the next one last
};

}  // namespace lanescope::session
