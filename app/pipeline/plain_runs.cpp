#include "pipeline/plain_runs.h"

#include "emulator/run.h"
#include "model/cost.h"
#include "pipeline/hazards.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// True if two launches run alike: equal numbers, and identical initial contents.
bool is_same(const launch::Launch& one, const launch::Launch& other) {
  const auto same_buffer = [](const launch::Buffer& a, const launch::Buffer& b) {
    return a.type == b.type && a.shape == b.shape && a.has_contents == b.has_contents &&
           a.pattern_key == b.pattern_key && (a.initial == b.initial || !a.has_contents);
  };
  const auto same_argument = [](const launch::Argument& a, const launch::Argument& b) {
    const auto* const value = std::get_if<launch::Value>(&a);
    const auto* const number = std::get_if<launch::Value>(&b);
    if (value != nullptr && number != nullptr)
      return value->bytes == number->bytes && value->pointers == number->pointers;
    return a == b;
  };
  return one.grid == other.grid && one.block == other.block && one.cluster == other.cluster &&
         one.dynamic_shared_bytes == other.dynamic_shared_bytes &&
         std::ranges::equal(one.buffers, other.buffers, same_buffer) && one.images == other.images &&
         std::ranges::equal(one.arguments, other.arguments, same_argument);
}

}  // namespace

Result<std::vector<launch::Contents>> PlainRuns::buffers_after(
    const Job& job, const std::shared_ptr<const launch::Launch>& launch, const RunOptions& options) {
  const std::string key = JobCompiler::key_of(job);
  const auto known = std::ranges::find_if(
      kept_, [&](const Kept& run) { return run.key == key && is_same(*run.launch, *launch); });
  if (known != kept_.end()) return known->buffers;
  TRY(const auto compiled, compiler_.compile(job, {.stop = options.stop}));
  RunOptions plain;
  plain.stop = options.stop;
  plain.threads = options.threads;
  plain.limit_steps = options.limit_steps;
  plain.checks = emulator::Checks::None;
  plain.keep.blocks = trace::Keep::Blocks::None;
  TRY(emulator::Recording recording, emulator::record(compiled->program, *launch, model::cost_of, plain.keep,
                                                      emulator_options(plain, pool_)));
  TRY_VOID(require_whole(recording.trace, fmt::format("the output of '{}'", job.kernel)));
  if (kept_.size() >= kMostKept) kept_.erase(kept_.begin());
  kept_.push_back({key, launch, std::move(recording.buffers)});
  return kept_.back().buffers;
}

Result<std::shared_ptr<const launch::Launch>> PlainRuns::prepare(const Job& job, const RunOptions& options) {
  if (job.before.empty()) return job.launch;
  // What the launches so far left in the buffers of each name.
  std::map<std::string, launch::Contents, std::less<>> left;
  const auto with_left = [&](const launch::Launch& launch) {
    auto prepared = std::make_shared<launch::Launch>(launch);
    for (launch::Buffer& buffer : prepared->buffers)
      if (const auto found = left.find(buffer.name); found != left.end()) {
        buffer.initial = found->second;
        buffer.has_contents = true;
      }
    return std::shared_ptr<const launch::Launch>(std::move(prepared));
  };
  for (const Job& step : job.before) {
    const auto launch = with_left(*step.launch);
    TRY(const auto buffers, buffers_after(step, launch, options));
    for (size_t n = 0; n < buffers.size() && n < launch->buffers.size(); ++n)
      left[launch->buffers[n].name] = buffers[n];
  }
  return with_left(*job.launch);
}

Result<launch::Contents> PlainRuns::reference_output(const Job& job, const RunOptions& options) {
  if (!job.expected || job.expected->rule) return nullptr;
  TRY(const auto launch, prepare(*job.expected->reference, options));
  TRY(const auto buffers, buffers_after(*job.expected->reference, launch, options));
  return buffers[job.expected->reference_buffer];
}

}  // namespace lanescope::pipeline
