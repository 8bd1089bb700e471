// Figures of models that need several runs of a lesson, or none: which runs, and how the figure is made
// of them. Method: a plan is a list of runs and a function from their outcomes to the figure. Its runs are
// carried out a few at a time, so that the window stays responsive and can cancel. Outcomes are cached by
// content. Tests: tests/unit/study/study_test.cpp, tests/cli/model_plot_test.cpp

#pragma once

#include "model/bound.h"
#include "model/device.h"
#include "model/timing.h"
#include "pipeline/execution.h"
#include "plot/figure.h"
#include "plot/figures.h"
#include "study/study_request.h"
#include "study/study_run.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::study {

using StudyOutcomes = std::vector<std::shared_ptr<const StudyOutcome>>;  // [run of the plan]

struct StudyPlan {
  std::vector<StudyRun> runs;
  std::function<plot::Figure(const StudyOutcomes&, const plot::Frame&)> draw;
  std::shared_ptr<const lesson::Lesson> lesson =
      {};                 // whose kernels run; null: the first with a table `studies`
  size_t grows_from = 0;  // so many outcomes make a first figure; 0: only all of them do
};

/// What a plan is made from. For a device without a timing model the GTX 280 is used instead; `current` is
/// the run that the window shows, for figures of that run.
struct StudyContext {
  const pipeline::Options& options;
  const model::Device& device;
  std::shared_ptr<const pipeline::Run> current;
};
/// The runs are those that the first lesson with a table `studies` names. Errors: Usage for a map or a number
/// that does not exist, Unsupported where the device has no timing model and the figure is of this very run.
Result<StudyPlan> plan_study(const StudyRequest& request, const StudyContext& context);

/// A plan that is being carried out: the next runs are executed one after the other, then modelled on all
/// threads of the execution. Used by one thread at a time.
class StudyWork {
 public:
  StudyWork(StudyPlan plan, const pipeline::Options& options) : plan_(std::move(plan)), options_(&options) {}

  bool finished() const { return outcomes_.size() == plan_.runs.size(); }
  size_t runs_done() const { return outcomes_.size(); }
  size_t runs() const { return plan_.runs.size(); }
  /// [run of the plan], as far as they are carried out.
  const StudyOutcomes& outcomes() const { return outcomes_; }
  /// Carries out the next run, or the next few. Errors: those of a run; after Cancelled the same runs are
  /// next.
  Result<void> advance(pipeline::Execution& execution, class StudyCache& cache, const std::stop_token& stop);
  /// Whether figure() is one of the runs so far.
  bool has_figure() const {
    return finished() || (plan_.grows_from > 0 && outcomes_.size() >= plan_.grows_from);
  }
  /// Meaningful where has_figure().
  std::function<plot::Figure(const plot::Frame&)> figure() const;

 private:
  struct Executed;
  Result<Executed> execute(const StudyRun& run, pipeline::Execution& execution, const std::stop_token& stop);

  StudyPlan plan_;
  const pipeline::Options* options_;
  StudyOutcomes outcomes_;
  launch::Launch launch_;  // of the last run: one of the same size takes its buffers over
};

/// Outcomes by content: the same kernel, toggles and device are modelled once.
class StudyCache {
 public:
  std::shared_ptr<const StudyOutcome> find(const StudyRun& run) const;
  void keep(const StudyRun& run, std::shared_ptr<const StudyOutcome> outcome);

 private:
  static constexpr size_t kMost = 1024;
  std::vector<std::pair<StudyRun, std::shared_ptr<const StudyOutcome>>> kept_;
};

}  // namespace lanescope::study
