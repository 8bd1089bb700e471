// The study that is under way: started, advanced run by run, cancelled. Tests:
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
  /// Starts another study in place of the one under way. Errors are in snapshot.study.
  void begin(Snapshot& snapshot, const study::StudyRequest& request);
  void cancel(Snapshot& snapshot);
  /// Carries out the next runs and, after the last, makes the figure. Errors: those of a run, which can be
  /// tried again.
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
