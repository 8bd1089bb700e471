#include "study/study.h"

#include "pipeline/access_gaps.h"
#include "pipeline/hazards.h"
#include "pipeline/job.h"
#include "recordings/kernel_key.h"
#include "study/study_store.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::study {
namespace {

/// Of the cache folder, for outcomes.
constexpr const char* kFolder = "studies";

Result<lesson::Settings> settings_of_run(const StudyRun& run, const lesson::Lesson& lesson) {
  lesson::Settings settings = lesson::initial_settings(lesson);
  TRY(settings, lesson::with_toggle(lesson, settings, "kernel", run.kernel));
  for (const auto& [name, value] : run.toggles) {
    TRY(settings, lesson::with_toggle(lesson, settings, name, value));
  }
  return settings;
}

}  // namespace

/// An executed run that is not modelled yet.
struct StudyWork::Executed {
  std::shared_ptr<const pipeline::Run> run;  // null: the outcome was cached
  std::shared_ptr<const StudyOutcome> kept;
  StudyOutcome outcome;
  model::AccessGaps gaps = {};
  std::string kept_as = {};  // the name of its file; empty: it is not kept between starts
};

Result<StudyWork::Executed> StudyWork::execute(const StudyRun& run, pipeline::Execution& execution,
                                               const std::stop_token& stop) {
  Executed executed;
  executed.run = run.done;
  if (!executed.run) {
    if (!plan_.lesson) {
      TRY(lesson::Lesson found, lesson::find_studied_lesson(options_->assets / "lessons"));
      plan_.lesson = std::make_shared<const lesson::Lesson>(std::move(found));
    }
    TRY(const lesson::Settings settings, settings_of_run(run, *plan_.lesson));
    TRY(const std::string shapes, recordings::launch_shapes(*plan_.lesson, settings));
    if (is_kept(run) && !options_->cache.empty()) {
      TRY(const pipeline::Job text, text_job_of(*plan_.lesson, settings, *options_));
      executed.kept_as = name_of_outcome(run, text, shapes);
      executed.kept = read_outcome(options_->cache / kFolder, executed.kept_as);
      if (executed.kept) return executed;
    }
    // Where the kernels read and write does not depend on what they read.
    TRY(const pipeline::Job job,
        job_of(*plan_.lesson, settings, *options_, &launch_, lesson::Filling::Zeros));
    launch_ = *job.launch;
    pipeline::RunOptions run_options;
    run_options.stop = stop;
    run_options.checks = emulator::Checks::None;
    if (run.most_blocks != 0) {
      run_options.keep.blocks = trace::Keep::Blocks::Listed;
      const uint64_t blocks = std::min<uint64_t>(run.most_blocks, volume(job.launch->grid));
      for (uint32_t n = 0; n < blocks; ++n) run_options.keep.listed.push_back(CtaId{n});
      // The timing model does not need the other blocks; a bound needs the totals of all.
      if (run.device.timing) run_options.first_blocks = blocks;
    }
    TRY(executed.run, execution.run(job, run.device, run_options));
    executed.outcome.key = recordings::kernel_key(executed.run->ptx_text, job.kernel, shapes);
  }
  TRY_VOID(pipeline::require_whole(*executed.run->trace, "a figure"));
  executed.outcome.work = model::work_of(*executed.run->trace, run.device);
  executed.outcome.variants.resize(run.device.timing ? run.variants.size() : 0);
  executed.gaps =
      pipeline::find_access_gaps(executed.run->ptx_text, executed.run->kernel, executed.run->trace->sites);
  return executed;
}

Result<void> StudyWork::advance(pipeline::Execution& execution, StudyCache& cache,
                                const std::stop_token& stop) {
  const size_t first = outcomes_.size();
  const size_t end = std::min<size_t>(first + execution.pool().size(), plan_.runs.size());
  std::vector<Executed> batch;
  struct Task {
    size_t run = 0;
    std::optional<size_t> variant;  // none: the plain model
    Result<void> done = {};
  };
  std::vector<Task> tasks;
  for (size_t n = first; n < end; ++n) {
    const StudyRun& run = plan_.runs[n];
    auto kept = cache.find(run);
    if (kept) {
      batch.push_back({.run = nullptr, .kept = std::move(kept), .outcome = {}});
      continue;
    }
    TRY(Executed executed, execute(run, execution, stop));
    batch.push_back(std::move(executed));
    if (!run.device.timing || batch.back().kept) continue;
    tasks.push_back({.run = n, .variant = std::nullopt});
    for (size_t v = 0; v < run.variants.size(); ++v) tasks.push_back({.run = n, .variant = v});
  }
  execution.pool().for_each(tasks.size(), [&](size_t n) {
    Task& task = tasks[n];
    const StudyRun& run = plan_.runs[task.run];
    Executed& executed = batch[task.run - first];
    model::TimingOptions options = task.variant ? run.variants[*task.variant] : model::TimingOptions{};
    options.gaps = executed.gaps;
    if (run.most_blocks != 0) options.counted_blocks = executed.run->trace->blocks.size();
    auto timing = model::time_memory(*executed.run->trace, run.device, options, stop);
    if (!timing) {
      task.done = std::unexpected(timing.error());
      return;
    }
    // A sweep of many runs shows totals only, and the windows of all its runs would fill the memory.
    if (run.most_blocks != 0 || task.variant) timing->windows = {};
    (task.variant ? executed.outcome.variants[*task.variant] : executed.outcome.timing) = *std::move(timing);
  });
  for (Task& task : tasks) TRY_VOID(std::move(task.done));
  for (size_t n = first; n < end; ++n) {
    Executed& executed = batch[n - first];
    if (!executed.kept) {
      executed.kept = std::make_shared<const StudyOutcome>(std::move(executed.outcome));
      if (!executed.kept_as.empty())
        write_outcome(options_->cache / kFolder, executed.kept_as, *executed.kept);
    }
    cache.keep(plan_.runs[n], executed.kept);
    outcomes_.push_back(std::move(executed.kept));
  }
  return {};
}

std::function<plot::Figure(const plot::Frame&)> StudyWork::figure() const {
  return
      [draw = plan_.draw, outcomes = outcomes_](const plot::Frame& frame) { return draw(outcomes, frame); };
}

std::shared_ptr<const StudyOutcome> StudyCache::find(const StudyRun& run) const {
  const auto found =
      std::ranges::find(kept_, run, &std::pair<StudyRun, std::shared_ptr<const StudyOutcome>>::first);
  return found == kept_.end() ? nullptr : found->second;
}

void StudyCache::keep(const StudyRun& run, std::shared_ptr<const StudyOutcome> outcome) {
  // Caching a run of the window would keep its whole trace alive.
  if (run.done || find(run)) return;
  if (kept_.size() >= kMost) kept_.erase(kept_.begin());
  kept_.emplace_back(run, std::move(outcome));
}

}  // namespace lanescope::study
