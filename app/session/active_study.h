// The figure of the models that was asked for, on its way: begun, advanced run by run, given up. Tests:
// tests/unit/session/active_study_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/snapshot.h"
#include "study/study.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace lanescope::session {

class ActiveStudy {
 public:
  explicit ActiveStudy(const pipeline::Options& options) : options_(options) {}

  /// Whether advance() has something to do.
  bool is_under_way() const { return work_.has_value(); }
  /// Another figure; what was under way is given up. Snapshot::study says why it cannot be made.
  void begin(Snapshot& snapshot, const study::StudyRequest& request);
  void cancel(Snapshot& snapshot);
  /// The next runs, and the figure behind the last. Errors: those of a run; it can be tried again.
  Result<void> advance(Snapshot& snapshot, pipeline::Execution& execution, const std::stop_token& stop);
  void fail(Snapshot& snapshot, Error error);

 private:
  void show(Snapshot& snapshot, StudyState state);

  const pipeline::Options& options_;
  std::optional<study::StudyWork> work_;
  study::StudyCache cache_;
  uint64_t version_ = 0;
};

}  // namespace lanescope::session
