#include "session/worker.h"

namespace lanescope::session {

namespace {

/// Warp instructions after which a run ends that nobody can stop, since there is no thread that could: a
/// browser executes as many in some ten seconds.
constexpr uint64_t kMostUnwatchedSteps = 1'000'000'000;

}  // namespace

void Worker::run(Snapshot& snapshot) {
  const SelectionRequest wanted = *pending_.run;
  RunWatch watch(stop_token(), progress_, is_confirmed_ ? std::nullopt : options_.asks_above);
  auto options = watch.watched(run_options(snapshot.choices, wanted.cta, {}));
  if (engine_ == Engine::Pumped) options.limit_steps = kMostUnwatchedSteps;
  const auto gpu_error = runs_.run(snapshot, options, watch, [&] {
    errors_.run.reset();  // of another text
    Snapshot attempt = with_attempt(state_, snapshot);
    if (!state_.run || state_.failed) return publish(state_ = std::move(attempt));
    watch.when_late([this, attempt, error = errors_.shown()] { publication_.publish(attempt, error); });
  });
  if (!gpu_error && watch.question()) {
    snapshot = snapshot.failed ? with_attempt(state_, snapshot) : state_;
    snapshot.question = watch.question();
    return pending_.run.reset();
  }
  if (!gpu_error && was_preempted(gpu_error.error())) return void(snapshot = state_);
  pending_.run.reset();
  is_confirmed_ = false;
  snapshot.question.reset();
  if (!gpu_error) return show_prose_without_run(snapshot), void(errors_.run = gpu_error.error());
  pending_.history = false;
  // Of a program no launch can be shown yet.
  if (snapshot.runs.empty()) return errors_.run.reset();
  // A has lane values of one block as well.
  if (pinned_.needs_run(snapshot, wanted.cta))
    if (const auto done = pinned_.run(snapshot, wanted.cta, stop_token());
        !done && done.error().kind != ErrorKind::Cancelled)
      errors_.command = done.error();
  errors_.run = *gpu_error ? *gpu_error : pipeline::error_of(*snapshot.runs.back()->trace);
  show_run(snapshot, wanted);
  precompilation_.plan(snapshot.choices);
}

Result<void> Worker::apply(Snapshot& snapshot, const SelectBlock& command) {
  TRY(const bool is_other, runs_.read_block(snapshot, command.cta));
  if (is_other) snapshot.run_generation = ++run_generation_;
  TRY_VOID(pinned_.read_block(snapshot, command.cta, runs_));
  places_.apply(snapshot, command);
  return {};
}

void Worker::read_part(Snapshot& snapshot) {
  const auto read = blocks_.advance(snapshot);
  if (!read) errors_.command = read.error();
  if (read && *read) snapshot.run_generation = ++run_generation_;
}

void Worker::measure(Snapshot& snapshot) {
  const auto measured = bandwidth_.measure(snapshot, execution_, stop_token(),
                                           [this](const Snapshot& meanwhile) { publish(meanwhile); });
  if (!measured && was_preempted(measured.error())) return;
  end_measuring(snapshot);
  if (!measured) errors_.command = measured.error();
}

void Worker::run_program(Snapshot& snapshot) {
  const auto launch = program_.run(snapshot, stop_token());
  if (!launch && !was_preempted(launch.error())) program_.cancel(snapshot);
  if (!launch || !*launch) return;
  settings_.note_opening(snapshot);
  if (const auto opened = open_launch(snapshot, **launch); !opened) errors_.program = opened.error();
}

}  // namespace lanescope::session
