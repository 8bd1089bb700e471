// Whole matrices in the snapshot: which block touched each element, and the values of the buffers. Made only
// once a panel asks for them. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"

#include <optional>

namespace lanescope::session {

class MatrixSelection {
 public:
  /// From now on the snapshot has this map of elements.
  void show_elements(Snapshot& snapshot, const ShowElements& wanted);
  /// From now on the snapshot has the values of the buffers.
  void show_values(Snapshot& snapshot);
  /// Makes what is shown anew from the run of the snapshot.
  void follow_run(Snapshot& snapshot) const;

 private:
  void make_elements(Snapshot& snapshot) const;
  void make_values(Snapshot& snapshot) const;

  std::optional<ShowElements> elements_;
  bool values_ = false;
};

}  // namespace lanescope::session
