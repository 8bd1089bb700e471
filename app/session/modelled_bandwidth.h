// Bandwidth of a lesson's kernels by the timing model, on a device that has one: planned when the settings or
// the device change, carried out while the session is idle. Tests:
// tests/unit/session/modelled_bandwidth_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "session/snapshot.h"
#include "study/study.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace lanescope::session {

class ModelledBandwidth {
 public:
  explicit ModelledBandwidth(const pipeline::Options& options) : options_(options) {}

  /// Whether advance() has something to do.
  bool is_under_way() const { return work_.has_value(); }
  std::optional<MeasureProgress> progress() const;
  /// Plans the kernels next to the chosen one. What was modelled before is kept.
  void begin(const Choices& choices);
  void cancel() { work_.reset(); }
  /// The lesson's files were changed.
  void forget() { cache_ = {}; }
  /// Models the next kernels. Errors: those of a run, which can be tried again.
  Result<void> advance(pipeline::Execution& execution, const std::stop_token& stop);
  /// The bars, once all are modelled for these choices; absent before.
  std::optional<plot::Bandwidth> made() const { return made_; }

 private:
  void finish(const Choices& choices);

  static constexpr uint32_t kMostBlocks = 4096;  // of each kernel

  const pipeline::Options& options_;
  std::optional<study::StudyWork> work_;
  pipeline::Options work_options_;  // with what is edited
  Choices choices_;                 // that work_ is of
  std::vector<size_t> kernels_;     // [run of work_]: index in the lesson's kernels
  study::StudyCache cache_;
  std::optional<plot::Bandwidth> made_;
};

}  // namespace lanescope::session
