#include "session/study.h"

#include "compile/content_key.h"
#include "session/division_count.h"
#include "session/job.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

constexpr const char* kLesson = "transpose";

Result<Job> job_of_run(const StudyRun& run, const Options& options) {
  TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", kLesson));
  lesson::Settings settings = lesson::initial_settings(lesson);
  TRY(settings, lesson::with_toggle(lesson, settings, "kernel", run.kernel));
  for (const auto& [name, value] : run.toggles) {
    TRY(settings, lesson::with_toggle(lesson, settings, name, value));
  }
  TRY(Job job, job_of(lesson, settings, options));
  job.expected.reset();  // nobody looks at the output here
  return job;
}

Result<std::shared_ptr<const Run>> run_for_study(const StudyRun& run, Execution& execution,
                                                 const Options& options, const std::stop_token& stop,
                                                 std::string& content_key) {
  if (run.done) return run.done;
  TRY(const Job job, job_of_run(run, options));
  content_key = compile::content_key(job.source, job.options, "");
  RunOptions run_options;
  run_options.stop = stop;
  run_options.checks = emulator::Checks::None;
  if (run.most_blocks != 0) {
    run_options.keep.blocks = trace::Keep::Blocks::Listed;
    const uint64_t blocks = std::min<uint64_t>(run.most_blocks, volume(job.launch->grid));
    for (uint32_t n = 0; n < blocks; ++n) run_options.keep.listed.push_back(CtaId{n});
    // The timing model asks for nothing of the others; a bound asks for the totals of all.
    if (run.device.timing) run_options.first_blocks = blocks;
  }
  return execution.run(job, run.device, run_options);
}

}  // namespace

Result<void> StudyWork::advance(Execution& execution, StudyCache& cache, const std::stop_token& stop) {
  const StudyRun& run = plan_.runs[outcomes_.size()];
  if (auto known = cache.find(run)) {
    outcomes_.push_back(std::move(known));
    return {};
  }
  StudyOutcome outcome;
  TRY(const auto executed, run_for_study(run, execution, *options_, stop, outcome.content_key));
  outcome.work = model::work_of(*executed->trace, run.device);
  if (run.device.timing) {
    model::TimingOptions timing;
    timing.divisions_per_warp = count_divisions(executed->ptx_text, executed->kernel);
    if (run.most_blocks != 0) timing.counted_blocks = executed->trace->blocks.size();
    TRY(outcome.timing, model::time_memory(*executed->trace, run.device, timing));
    // A sweep of many runs shows totals alone, and its windows would fill the memory.
    if (run.most_blocks != 0) outcome.timing.windows = {};
  }
  outcomes_.push_back(std::make_shared<const StudyOutcome>(std::move(outcome)));
  cache.keep(run, outcomes_.back());
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
  // A run of the window would keep its whole trace alive.
  if (run.done) return;
  if (kept_.size() >= kMost) kept_.erase(kept_.begin());
  kept_.emplace_back(run, std::move(outcome));
}

}  // namespace lanescope::session
