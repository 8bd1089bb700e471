// A program's request to launch a kernel: which launches are checked and kept, which need not be run again,
// and what the program is told.

#include "base/escape.h"
#include "driver/server/child_launches.h"
#include "driver/server/driver_process.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

/// The launch was checked for its order alone (RepeatedLaunches): nothing was asked to be checked.
void drop_checks(LaunchRecord& record) {
  record.was_checked = false;
  record.findings.clear();
  record.hazards.clear();
  record.notes.clear();
  record.barrier_notes.clear();
}

}  // namespace

/// True if this launch is checked and its accesses are kept. With KeptLaunches::First, these are the first
/// launches of each kernel and shape whose parameters differ.
bool DriverProcess::takes(const KernelLaunch& launch, uint64_t module) {
  if (run_.keeps != KeptLaunches::First) return run_.keeps == KeptLaunches::All;
  constexpr size_t kMostOfAShape = 4;
  const Dim3 grid = launch.grid, block = launch.block;
  auto& kept = kept_[fmt::format("{} {} {},{},{} {},{},{} {}", module, launch.program.kernel, grid.x, grid.y,
                                 grid.z, block.x, block.y, block.z, launch.dynamic_shared_bytes)];
  if (kept.size() >= kMostOfAShape) return false;
  return kept.emplace(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size())
      .second;
}

/// Counts the machine code if that is asked for and can be made.
void DriverProcess::choose_level(const KernelLaunch& launch, Treatment& treatment) {
  if (run_.machine_codes == nullptr) return;
  auto level = run_.machine_codes->of(launch.module.contents(), launch.program);
  if (level)
    treatment.machine = *std::move(level);
  else
    run_.log.add_note("the counts are those of the PTX: " + describe(level.error()));
}

Answer DriverProcess::launch(const LanescopeRequest& request, std::string_view payload) {
  const auto found = kernels_.find(request.a[0]);
  if (found == kernels_.end()) return failed(Status::InvalidValue, "there is no such kernel to launch");
  const ptx::Program& program = *found->second.program;
  LanescopeLaunch shape;
  if (payload.size() != sizeof shape + program.parameter_bytes)
    return failed(
        Status::InvalidValue,
        fmt::format("the kernel takes {} bytes of parameters, {} bytes came", program.parameter_bytes,
                    static_cast<int64_t>(payload.size()) - static_cast<int64_t>(sizeof shape)));
  std::memcpy(&shape, payload.data(), sizeof shape);
  LoadedModule& module = *modules_.at(found->second.module);
  Answer answer = run(launch_of(shape, module, program, payload.substr(sizeof shape)), found->second.module,
                      shape.writes);
  run_children(module, found->second.module, shape.writes, answer);
  return answer;
}

void DriverProcess::fail_children(const Error& error, Answer& answer) {
  run_.log.add_note(describe(error));
  append(answer, failed(Status::LaunchFailed, describe(error)));
}

/// Runs what the kernels of a module have launched, and what that launches, and adds it to the answer: each
/// launch after the one that asked for it, and a tail launch after all others of its kernel.
void DriverProcess::run_children(LoadedModule& module, uint64_t handle, uint64_t writes, Answer& answer) {
  std::vector<ChildLaunch> waiting;  // the last runs next
  for (;;) {
    auto children = take_child_launches(module, memory_);
    if (answer.reply.result != 0) return;
    if (!children) return fail_children(children.error(), answer);
    if (!children->empty()) repeats_.note_change();  // they were taken out of the list in memory
    std::ranges::stable_partition(*children, [](const ChildLaunch& child) { return !child.is_tail; });
    waiting.insert(waiting.end(), std::make_move_iterator(children->rbegin()),
                   std::make_move_iterator(children->rend()));
    if (waiting.empty()) return;
    const ChildLaunch child = std::move(waiting.back());
    waiting.pop_back();
    const auto program = module.program(child.kernel, sources_);
    if (!program) return fail_children(program.error(), answer);
    append(answer, run({.module = module,
                        .program = **program,
                        .grid = child.grid,
                        .block = child.block,
                        .dynamic_shared_bytes = child.dynamic_shared_bytes,
                        .cluster = std::nullopt,
                        .parameters = child.parameters},
                       handle, writes));
  }
}

Answer DriverProcess::run(const KernelLaunch& launch, uint64_t module, uint64_t writes) {
  const ptx::Program& program = launch.program;
  const uint32_t number = run_.log.take_number();
  const bool is_asked_for = run_.also_keeps == number;
  Treatment treatment{.is_checked = takes(launch, module) || is_asked_for,
                      .file = {},
                      .accesses = run_.accesses,
                      .most_input_bytes = run_.most_input_bytes - input_bytes_,
                      .limit_steps = run_.limit_steps,
                      .out_of_bounds = run_.out_of_bounds,
                      .sample_blocks = run_.sample_blocks,
                      .control = {}};
  if (const auto origin = sampled_.incomplete_input(launch, memory_)) {
    if (!run_.samples_all) return refuse(launch, *origin, number);
    treatment.has_incomplete_inputs = true;
    treatment.out_of_bounds = emulator::OutOfBounds::IsPassedOver;
  }
  if (treatment.is_checked && !run_.log.folder().empty())
    treatment.file = run_.log.folder() / file_name_of(number, program.kernel);
  if (run_.models_caches) {
    treatment.cached = &run_.device;
    treatment.l2 = run_.flushes_l2 ? nullptr : &l2();
  }
  RepeatedLaunches::Known& known = repeats_.plan(launch, writes);
  const bool is_kept = treatment.is_checked;
  if (!run_.runs_repeats && !is_kept) {
    if (known.plan == RepeatedLaunches::Plan::Repeat) return repeat(*known.before, number);
    treatment.is_checked = known.plan == RepeatedLaunches::Plan::Check;
    treatment.finds_changes = known.plan != RepeatedLaunches::Plan::Run;
  }
  choose_level(launch, treatment);
  return run_.turn.take(program.kernel, volume(launch.grid), [&](LaunchControl control) {
    treatment.control = std::move(control);
    LaunchOutcome outcome = carry_out(launch, memory_, sources_, run_.pool, treatment);
    outcome.record.number = number;
    repeats_.note(known, outcome);
    note_treatment(launch, outcome, number);
    if (!is_kept && run_.keeps == KeptLaunches::None) drop_checks(outcome.record);
    return note(std::move(outcome), number);
  });
}

/// Notes what options made of a launch, and tells the log once.
void DriverProcess::note_treatment(const KernelLaunch& launch, const LaunchOutcome& outcome,
                                   uint32_t number) {
  const LaunchRecord& record = outcome.record;
  if (record.sampled_blocks != 0 || record.has_incomplete_inputs) {
    sampled_.note(launch, memory_, outcome.changed, number);
    run_.log.add_note(
        fmt::format("of a launch with more than {} blocks only these ran (--sample-blocks): what the program "
                    "makes of the "
                    "results, and prints, is not what it would be",
                    run_.sample_blocks));
  }
  const bool was_passed_over =
      !outcome.error && std::ranges::any_of(record.hazards, [](const trace::Hazard& hazard) {
        return hazard.kind == trace::HazardKind::OutOfBounds;
      });
  if (was_passed_over)
    run_.log.add_note(
        "reads out of bounds gave 0, and writes there were dropped (--keep-going); on a GPU the program may "
        "go on with other values, or end");
}

/// Answers a launch that would read incomplete memory: it is not run.
Answer DriverProcess::refuse(const KernelLaunch& launch, const SampledLaunches::Origin& origin,
                             uint32_t number) {
  LaunchOutcome outcome;
  outcome.record = record_of(launch);
  outcome.error = Error{ErrorKind::Unsupported, refusal_of(origin)};
  outcome.record.error = describe(*outcome.error);
  return note(std::move(outcome), number);
}

/// Answers a launch that need not be run: it would change nothing.
Answer DriverProcess::repeat(const RepeatedLaunches::Known::Before& before, uint32_t number) {
  LaunchOutcome outcome;
  outcome.record = before.record;
  drop_checks(outcome.record);
  outcome.record.seconds = 0;
  outcome.record.file.clear();
  outcome.record.inputs.clear();
  outcome.record.without_inputs.clear();
  outcome.record.repeats = before.record.number;
  return note(std::move(outcome), number);
}

Answer DriverProcess::note(LaunchOutcome outcome, uint32_t number) {
  outcome.record.number = number;
  outcome.record.process = process_;
  outcome.record.program = program_;
  input_bytes_ += outcome.input_bytes;
  const auto microseconds = static_cast<uint64_t>(1e6 * outcome.record.seconds);
  Answer answer = done(microseconds, outcome.printed.size(), outcome.printed);
  if (outcome.error) {
    const Status status = outcome.stopped_by ? status_of(*outcome.stopped_by) : status_of(*outcome.error);
    answer.reply.result = static_cast<int32_t>(status);
    answer.payload +=
        without_control_characters(fmt::format("kernel {}: {}", outcome.record.kernel, outcome.record.error));
  } else {
    answer.payload.append(reinterpret_cast<const char*>(outcome.written.data()),
                          outcome.written.size() * sizeof(LanescopeWritten));
  }
  for (const std::string& name : outcome.sources) run_.log.add_source(name, sources_.text(name));
  if (unread_.size() < kMostUnread) unread_.push_back(number);
  run_.log.add(std::move(outcome.record));
  return answer;
}

}  // namespace lanescope::driver
