// The figure of the models that was asked for, on its way: begun, advanced run by run, given up. Tests:
// tests/unit/session/study_test.cpp

#pragma once

#include "session/options.h"
#include "session/snapshot.h"
#include "session/study.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace lanescope::session {

class StudyPlace {
 public:
  explicit StudyPlace(const Options& options) : options_(options) {}

  /// Whether advance() has something to do.
  bool is_under_way() const { return work_.has_value(); }
  /// Another figure; what was under way is given up. Snapshot::study says why it cannot be made.
  void begin(Snapshot& snapshot, const StudyRequest& request);
  void cancel(Snapshot& snapshot);
  /// The next runs, and the figure behind the last. Errors: those of a run; it can be tried again.
  Result<void> advance(Snapshot& snapshot, Execution& execution, const std::stop_token& stop);
  void fail(Snapshot& snapshot, Error error);

 private:
  void show(Snapshot& snapshot, StudyState state);

  const Options& options_;
  std::optional<StudyWork> work_;
  StudyCache cache_;
  uint64_t version_ = 0;
};

}  // namespace lanescope::session
