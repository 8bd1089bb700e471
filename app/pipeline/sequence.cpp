#include "pipeline/sequence.h"

#include "base/lines.h"
#include "base/source_name.h"
#include "pipeline/guessed_run.h"
#include "pipeline/line_costs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

/// What the launches so far left.
class State {
 public:
  /// The launch of `job` on this state.
  std::shared_ptr<const launch::Launch> launch_of(const Job& job) const {
    if (!is_begun_) return job.launch;
    launch::Launch launch = *job.launch;
    for (size_t n = 0; n < launch.buffers.size(); ++n) {
      // A buffer that no launch has written yet is as uninitialized as before.
      launch.buffers[n].has_contents |= buffers_[n] != launch.buffers[n].initial;
      launch.buffers[n].initial = buffers_[n];
    }
    // The first of a name counts: what was left is newer than what was given.
    if (const auto left = variables_.find(job.source.file_name); left != variables_.end())
      launch.variables.insert(launch.variables.begin(), left->second.begin(), left->second.end());
    return std::make_shared<const launch::Launch>(std::move(launch));
  }

  void keep(const Job& job, const Run& run) {
    is_begun_ = true;
    buffers_ = run.buffers;
    std::vector<launch::Variable>& of_file = variables_[job.source.file_name];
    for (const launch::Variable& variable : run.variables) {
      const auto known = std::ranges::find(of_file, variable.name, &launch::Variable::name);
      if (known == of_file.end())
        of_file.push_back(variable);
      else
        known->contents = variable.contents;
    }
  }

 private:
  bool is_begun_ = false;
  std::vector<launch::Contents> buffers_;                           // [buffer]
  std::map<std::string, std::vector<launch::Variable>> variables_;  // [file]: two files may use one name
};

/// A launch that is made several times: the accesses of the first, the totals of all.
class RepeatedRun {
 public:
  explicit RepeatedRun(const Run& first)
      : trace_(std::make_shared<trace::Trace>(*first.trace)), seconds_(first.seconds) {}

  void add(std::shared_ptr<const Run> run) {
    const trace::Trace& more = *run->trace;
    for (size_t n = 0; n < trace_->totals.size(); ++n) trace_->totals[n] += more.totals[n];
    trace_->warp_instructions += more.warp_instructions;
    trace_->lane_instructions += more.lane_instructions;
    trace_->operations += more.operations;
    trace_->dropped += more.dropped;
    trace_->hazards = more.hazards;
    trace_->is_complete &= more.is_complete;
    trace_->output.text += more.output.text;
    seconds_.compile += run->seconds.compile;
    seconds_.run += run->seconds.run;
    seconds_.model += run->seconds.model;
    last_ = std::move(run);
  }

  /// To be called once, after the last.
  std::shared_ptr<const Run> finish() {
    auto sum = std::make_shared<Run>(*last_);
    sum->trace = std::move(trace_);
    // The accesses that are stored are those of the first launch alone.
    sum->device_totals.reset();
    sum->lines =
        cost_of_lines(*sum->trace, sum->trace->totals, sum->source_name, lines_of(sum->source_text).size());
    sum->seconds = seconds_;
    return sum;
  }

 private:
  std::shared_ptr<trace::Trace> trace_;
  Seconds seconds_;
  std::shared_ptr<const Run> last_;
};

Result<void> check_variables(Execution& execution, std::span<const Step> steps, const std::stop_token& stop) {
  std::set<std::string> known;
  for (const Step& step : steps) {
    TRY(const auto compiled, execution.compiler().compile(step.job, {.stop = stop}));
    for (const ptx::ProgramVariable& variable : compiled->program.variables)
      known.insert({variable.name, variable_name_of(variable.name)});
  }
  for (const launch::Variable& given : steps.front().job.launch->variables)
    if (!known.contains(given.name)) {
      std::vector<std::string> names;
      for (const std::string& name : known)
        if (variable_name_of(name) == name) names.push_back(name);
      return fail(
          ErrorKind::Usage,
          fmt::format("no kernel uses a __constant__ or __device__ variable '{}'; {}", given.name,
                      names.empty() ? "none is used" : fmt::format("used are: {}", fmt::join(names, ", "))));
    }
  return {};
}

Result<Runs> run_in_order(Execution& execution, std::span<const Step> steps, const model::Device& device,
                          const RunOptions& options, const std::function<void(const Job&)>& before_step) {
  Runs runs;
  State state;
  for (const Step& step : steps) {
    before_step(step.job);
    RunOptions first = options;
    if (first.keep.blocks == trace::Keep::Blocks::Listed)
      std::erase_if(first.keep.listed, [&](CtaId cta) { return cta.value >= volume(step.job.launch->grid); });
    std::unique_ptr<RepeatedRun> repeated;
    bool is_wrong = false;
    for (uint64_t time = 0; time < step.times && !is_wrong; ++time) {
      Job job = step.job;
      job.launch = state.launch_of(job);
      TRY(auto run, execution.run(job, device, first));
      state.keep(job, *run);
      first.keep.blocks = trace::Keep::Blocks::None;
      is_wrong = !run->trace->hazards.empty();
      if (time == 0) {
        runs.push_back(std::move(run));
        continue;
      }
      if (time == 1) repeated = std::make_unique<RepeatedRun>(*runs.back());
      repeated->add(std::move(run));
    }
    if (repeated) runs.back() = repeated->finish();
    if (is_wrong) return runs;
  }
  return runs;
}

}  // namespace

Result<Runs> run_steps(Execution& execution, std::span<const Step> steps, const model::Device& device,
                       const RunOptions& options, const std::function<void(const Job&)>& before_step) {
  TRY_VOID(check_variables(execution, steps, options.stop));
  const auto run_all = [&](std::span<const Step> all, Kept kept) {
    RunOptions each = options;
    if (kept == Kept::All) each.keep = {};
    return run_in_order(execution, all, device, each, before_step);
  };
  return has_guess(steps) ? run_guessed(steps, run_all) : run_all(steps, Kept::AsAsked);
}

}  // namespace lanescope::pipeline
