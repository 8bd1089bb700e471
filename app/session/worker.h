// What a session does: its queue, its state, and the order of its work. Method: the next piece of work is
// chosen from the queue and from what is pending; a thread of the worker's does one after the other, or
// pump() does one. Tests: tests/unit/session/*

#pragma once

#include "lesson/lecture.h"
#include "pipeline/execution.h"
#include "pipeline/hazards.h"
#include "recordings/measurement.h"
#include "session/active_exercise.h"
#include "session/active_lecture.h"
#include "session/active_program.h"
#include "session/active_study.h"
#include "session/bandwidth_selection.h"
#include "session/block_reading.h"
#include "session/command_parts.h"
#include "session/command_queue.h"
#include "session/current_runs.h"
#include "session/engine.h"
#include "session/errors.h"
#include "session/file_choice.h"
#include "session/first_snapshot.h"
#include "session/gpu_handle.h"
#include "session/history_selection.h"
#include "session/long_run.h"
#include "session/opened_file.h"
#include "session/pinned_run.h"
#include "session/place_commands.h"
#include "session/precompilation.h"
#include "session/publication.h"
#include "session/requested_views.h"
#include "session/session_file.h"
#include "session/setting_commands.h"
#include "session/shown_prose.h"
#include "session/shown_run.h"
#include "session/student_progress.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <type_traits>
#include <variant>

namespace lanescope::session {

/// The thread, its queue and its state. Only the thread uses the state; the queue and the activity
/// are guarded by a mutex.
class Worker {
 public:
  Worker(pipeline::Options options, Engine engine)
      : options_(std::move(options)), execution_(options_), engine_(engine) {
    FirstSnapshot first = first_snapshot(options_, gpu_.exists());
    errors_.command = std::move(first.error);
    state_ = std::move(first.snapshot);
    state_.progress = progress_;
    publish(state_);
    if (engine == Engine::Thread)
      thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }

  ~Worker() {
    thread_.request_stop();
    {
      const std::lock_guard lock(mutex_);
      stop_.request_stop();
    }
    gpu_.end();
    wake_.notify_all();
  }

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Command command) {
    {
      const std::lock_guard lock(mutex_);
      if (is_preempted(activity_, command, queue_)) stop_.request_stop();
      if (abandons_gpu(activity_, command)) gpu_.interrupt();
      queue_.push(std::move(command));
    }
    wake_.notify_all();
  }

  std::shared_ptr<const Snapshot> latest() const { return publication_.latest(); }
  bool pump() {
    std::optional<Command> command;
    std::unique_lock lock(mutex_);
    const Work work = begin(command);
    lock.unlock();
    if (work != Work::None) attempt(work, command);
    lock.lock();
    activity_ = Work::None;
    if (work == Work::None) look_at_files(lock);
    return work != Work::None;
  }
  void wait_until_idle() {
    while (engine_ == Engine::Pumped && pump()) continue;
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queue_.empty() && is_idle(activity_); });
  }
  void wait_until_modelled() {
    if (engine_ == Engine::Pumped) return wait_until_idle();
    std::unique_lock lock(mutex_);
    idle_.wait(lock,
               [&] { return queue_.empty() && (activity_ == Work::None || activity_ == Work::Precompile); });
  }
  void on_change(std::function<void()> listener) { publication_.on_change(std::move(listener)); }

 private:
  void serve(const std::stop_token& stop) {
    std::optional<Command> command;
    while (true) {
      const Work work = next(stop, command);
      if (stop.stop_requested()) return;
      attempt(work, command);
    }
  }

  void attempt(Work work, const std::optional<Command>& command) {
    const PendingWork before = pending_;
    try {
      perform(work, command);
    } catch (const std::exception& exception) {
      // The window stays as it was before this piece of work.
      pending_ = before;
      abandon(work, error_of(exception));
    }
  }

  /// Chooses what to do now, under the lock. For Work::Apply the command is in `command`.
  Work begin(std::optional<Command>& command) {
    stop_ = {};
    activity_ = choose();
    if (activity_ == Work::Apply) command = queue_.pop();
    return activity_;
  }

  /// Waits until there is something to do.
  Work next(const std::stop_token& stop, std::optional<Command>& command) {
    std::unique_lock lock(mutex_);
    activity_ = Work::None;
    if (is_idle(choose())) idle_.notify_all();
    wait_for_work(lock, stop);
    const Work work = begin(command);
    if (stop.stop_requested()) stop_.request_stop();
    return work;
  }

  /// While there is nothing to do, files that other programs change are looked at.
  void wait_for_work(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    const auto has_work = [&] { return choose() != Work::None; };
    while (!stop.stop_requested() && !wake_.wait_for(lock, stop, kWatchInterval, has_work))
      look_at_files(lock);
  }

  /// Queues what follows from files that changed, at most once in kWatchInterval.
  void look_at_files(std::unique_lock<std::mutex>& lock) {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_at_files_ < kWatchInterval) return;
    looked_at_files_ = now;
    lock.unlock();
    if (runs_.has_changed_files()) post(Reload{});
    if (exercise_.has_changed_file()) post(CheckSubmission{});
    if (runs_.has_changed_program()) post(ReadProgram{});
    if (program_.has_changed_source()) post(RunProgram{});
    lock.lock();
  }

  /// Requests come before precompilation; command_queue.h says which commands wait for pending work.
  Work choose() const {
    // What is pinned has all that its run has.
    const bool is_pin = !queue_.empty() && std::holds_alternative<Pin>(queue_.front());
    const bool waits_for_pending =
        !queue_.empty() && needs_run(queue_.front()) &&
        (pending_.blocks_run_commands() || (is_pin && (bandwidth_.is_modelling() || blocks_.is_under_way())));
    if (!queue_.empty() && !waits_for_pending) return Work::Apply;
    if (pending_.program) return Work::Program;
    if (pending_.run) return Work::Run;
    if (pending_.history) return Work::History;
    if (pending_.measuring) return Work::Measuring;
    if (exercise_.is_under_way()) return Work::Checking;
    if (study_.is_under_way()) return Work::Study;
    if (blocks_.is_under_way()) return Work::Reading;
    if (bandwidth_.is_modelling()) return Work::Modelling;
    return precompilation_.is_empty() ? Work::None : Work::Precompile;
  }

  void perform(Work work, const std::optional<Command>& command) {
    if (work == Work::Precompile) return precompilation_.advance(state_.choices, execution_);
    if (pending_.any() && work != Work::Apply) publish(state_);  // as busy
    Snapshot snapshot = state_;
    if (work == Work::Apply) apply_noted(snapshot, *command);
    if (work == Work::Program) run_program(snapshot);
    if (work == Work::Run) run(snapshot);
    if (work == Work::History) note_history(snapshot);
    if (work == Work::Measuring) measure(snapshot);
    if (work == Work::Study) settle(snapshot, study_, study_.advance(snapshot, execution_, stop_token()));
    if (work == Work::Reading) read_part(snapshot);
    if (work == Work::Modelling) bandwidth_.model(snapshot, execution_, stop_token());
    if (work == Work::Checking)
      settle(snapshot, exercise_,
             exercise_.advance(snapshot, execution_, stop_token(),
                               [this](const Snapshot& meanwhile) { publish(meanwhile); }));
    show(std::move(snapshot));
    // Pending work publishes the state when it begins.
    if (work != Work::Apply || !pending_.any()) publish(state_);
  }

  void show(Snapshot snapshot) {
    program_.follow(snapshot);
    views_.follow(snapshot);
    blocks_.follow(snapshot, views_.elements());
    pinned_.follow(snapshot, views_);
    snapshot.busy = pending_.blocks_run_commands();
    lecture_.follow(snapshot, errors_);
    student_.follow(snapshot);
    state_ = std::move(snapshot);
  }

  /// Ends work that threw an exception.
  void abandon(Work work, Error error) {
    if (work == Work::Precompile) return;  // it was not requested
    Snapshot snapshot = state_;
    (work == Work::Run ? errors_.run : errors_.command) = error;
    if (work == Work::Run) pending_.run.reset();
    if (work == Work::Program) program_.cancel(snapshot);
    if (work == Work::History) pending_.history = false;
    if (work == Work::Measuring) end_measuring(snapshot);
    if (work == Work::Modelling) bandwidth_.end_modelling(snapshot);
    if (work == Work::Checking) exercise_.fail(snapshot, error);
    if (work == Work::Study) study_.fail(snapshot, std::move(error));
    show(std::move(snapshot));
    publish(state_);
  }

  /// Whether the error only says that a command interrupted the work, which then stays pending, or that it
  /// waits for a compiler elsewhere, which without a thread ends a piece of work.
  bool was_preempted(const Error& error) const {
    const std::lock_guard lock(mutex_);
    return error.kind == ErrorKind::Cancelled && (engine_ == Engine::Pumped || !queue_.empty());
  }

  void apply_noted(Snapshot& snapshot, const Command& command) {
    const Choices before = snapshot.choices;
    if (ends_program(command)) program_.cancel(snapshot);
    std::optional<Error> problem = apply_command(snapshot, command);
    if (problem || !is_of_panel(command)) errors_.command = std::move(problem);
    settings_.note(before, command, snapshot);
  }

  template <class Command>
    requires requires(SettingCommands& settings, Snapshot& snapshot, const Command& command) {
      settings.apply(snapshot, command);
    }
  Result<void> apply(Snapshot& snapshot, const Command& command) {
    return settings_.apply(snapshot, command);
  }
  void apply(Snapshot& snapshot, const OfPlace auto& command) { places_.apply(snapshot, command); }
  Result<void> apply(Snapshot& snapshot, const SelectBlock& command);
  Result<void> apply(Snapshot& now, const OfProgram auto& command) { return program_.apply(now, command); }
  Result<void> apply(Snapshot& snapshot, const OpenFile& command) {
    if (lesson::is_lecture_file(command.path)) return apply(snapshot, OpenLecture{command.path.string()});
    if (const auto lesson = lesson_at(command.path)) return apply(snapshot, OpenLesson{*lesson});
    if (program_.has_launch(snapshot, command.path)) return open_launch(snapshot, command.path);
    if (!is_session_file(command.path)) {
      TRY_VOID(settings_.open_other(snapshot, command));
      return program_.open(snapshot, command), Result<void>();
    }
    TRY(const SessionFile file, read_session_file(command.path, options_));
    queue_first(snapshot, commands_that_open(file));
    return snapshot.session = file.window, Result<void>();
  }

  void apply(Snapshot& snapshot, const SelectLaunch& command) {
    if (command.number >= snapshot.runs.size()) return;
    runs_.show(snapshot, command.number);
    show_run(snapshot, {});
  }

  void apply(Snapshot& snapshot, const Reload&) {
    texts_.look_again(snapshot);
    bandwidth_.forget_modelled();
    if (snapshot.choices.file) forget_contents(snapshot.choices);
    settings_.request_run(snapshot);
  }

  Result<void> apply(Snapshot& snapshot, const EditsText auto& command) {
    const bool was_allowed = program_.is_allowed(snapshot);
    TRY(const bool is_other, texts_.apply(snapshot, command));
    runs_.know_files();
    if (was_allowed) program_.allow_saved(snapshot);
    if (is_other) settings_.request_run(snapshot);
    return {};
  }

  Result<void> apply(Snapshot& snapshot, const SetDevice& command) {
    TRY(snapshot.choices.device, model::find_device(options_.assets / "devices", command.name));
    if (command.name.ends_with(".toml")) list_device(snapshot, options_, command.name);
    if (!snapshot.run) return {};
    runs_.see_device(snapshot);
    if (asks_for_caches(snapshot.choices) && snapshot.choices.device.caches) settings_.request_run(snapshot);
    bandwidth_.show_device(snapshot, execution_);
    if (!pending_.run) show_prose(snapshot, errors_);
    show_wave(snapshot, 0);
    snapshot.run_generation = ++run_generation_;
    select(snapshot, pipeline::request_of(snapshot.selection));
    return {};
  }

  void apply(Snapshot& snapshot, const SetLanguage& command) {
    snapshot.choices.language = command.language;
    exercise_.request(snapshot);  // what the checks found is in the language
    if (!pending_.run) show_prose(snapshot, errors_);
    bandwidth_.show(snapshot, execution_);
  }

  void apply(Snapshot& snapshot, const ConfirmRun&) {
    if (!snapshot.question) return;
    is_confirmed_ = true;
    settings_.request_run(snapshot);
  }
  void apply(Snapshot& snapshot, const CancelRun&) {
    if (!snapshot.question && !pending_.run) return;
    pending_.run.reset();
    snapshot.question.reset();
    errors_.run = runs_.take_back(snapshot) ? std::nullopt : std::optional(run_was_stopped());
    if (snapshot.choices.lesson && snapshot.choices.exercise.empty()) exercise_.list(snapshot);
    show_prose(snapshot, errors_);
  }

  void apply(Snapshot& snapshot, const ShowHistory&) { pending_.history = runs_.job(snapshot).has_value(); }

  void note_history(Snapshot& snapshot) {
    // What was opened meanwhile may have failed, and then nothing is shown.
    const auto job = runs_.job(snapshot);
    if (!job) return void(pending_.history = false);
    const auto options = run_options(snapshot.choices, snapshot.selection.cta, stop_token());
    const auto recorded = history_.record(snapshot, execution_, *job, options);
    if (!recorded && was_preempted(recorded.error())) return;
    pending_.history = false;
    if (!recorded) errors_.command = recorded.error();
  }

  void apply(Snapshot&, const OfView auto& command) { views_.request(command); }
  void apply(Snapshot& snapshot, const ShowStudy& command) { study_.begin(snapshot, command.request); }
  void apply(Snapshot& snapshot, const CancelStudy&) { study_.cancel(snapshot); }
  Result<void> apply(Snapshot& snapshot, const ReadProgram&) {
    // The first launch that can be shown is shown.
    if (snapshot.choices.file && snapshot.choices.file->is_program())
      return apply(snapshot, OpenFile{snapshot.choices.file->path});
    return runs_.read_program_again(snapshot);
  }
  Result<void> apply(Snapshot& now, const OfExercise auto& command) { return exercise_.apply(now, command); }

  Result<void> apply(Snapshot& snapshot, const Pin&) { return pinned_.pin(snapshot, runs_); }
  void apply(Snapshot&, const Unpin&) { pinned_.unpin(); }
  Result<void> apply(Snapshot& snapshot, const SwapPinned&) {
    TRY_VOID(pinned_.swap(snapshot, runs_));
    show_run(snapshot, pipeline::request_of(snapshot.selection));
    precompilation_.plan(snapshot.choices);
    return {};
  }
  Result<void> apply(Snapshot& snapshot, const OfLecture auto& command) {
    TRY(const SessionChoices step, lecture_.begin(snapshot, command));
    if (step.pinned) return queue_first(snapshot, commands_that_restore(step)), Result<void>();
    pinned_.unpin();
    return settings_.apply(snapshot, Restore{step.present, step.place});
  }
  Result<void> apply(Snapshot&, const ReportError& command) { return std::unexpected(command.error); }
  void apply(Snapshot& snapshot, const CloseLecture&) { lecture_.close(snapshot); }

  Result<void> apply(Snapshot& snapshot, const OfParts auto& command) {
    TRY(std::vector<Command> parts, parts_of(command, options_, snapshot));
    return queue_first(snapshot, std::move(parts)), Result<void>();
  }

  /// The commands come before what is queued, and are undone together.
  void queue_first(Snapshot& snapshot, std::vector<Command> commands) {
    settings_.note_opening(snapshot);
    const std::lock_guard lock(mutex_);
    queue_.push_front(std::move(commands));
  }

  /// Of a study or the check of a submission: what was interrupted is still to be done.
  void settle(Snapshot& snapshot, auto& active, const Result<void>& done) {
    if (!done && !was_preempted(done.error())) active.fail(snapshot, done.error());
  }

  Result<void> apply(Snapshot& snapshot, const SetRecording& command) {
    return bandwidth_.choose(snapshot, execution_, command.name);
  }
  void apply(Snapshot& snapshot, const StopMeasuring&) { end_measuring(snapshot); }
  void apply(Snapshot& snapshot, const MeasureKernels&) {
    if (!snapshot.choices.lesson) return;
    pending_.measuring = true;
    snapshot.timings.measuring = MeasureProgress{
        0, recordings::measurement_count(*snapshot.choices.lesson, snapshot.choices.settings)};
  }

  void read_part(Snapshot& snapshot);
  void end_measuring(Snapshot& snapshot) {
    pending_.measuring = false;
    snapshot.timings.measuring.reset();
  }

  void measure(Snapshot& snapshot);

  /// Runs the opened program, and opens the launch to look at.
  void run_program(Snapshot& snapshot);

  /// Opens a launch of the opened program as one of its source, which can be edited; where the kernel does
  /// not compile without the host code, or what it was given is not known, its accesses as the program made
  /// them.
  Result<void> open_launch(Snapshot& snapshot, const std::filesystem::path& launch) {
    auto file = program_.open_launch(snapshot, launch, execution_);
    if (!file) return settings_.open(snapshot, OpenFile{launch});
    settings_.open(snapshot, *std::move(file));
    is_confirmed_ = true;  // the program has run it
    return {};
  }

  /// Runs what is chosen. After a failure the run before it stays visible, with the error.
  void run(Snapshot& snapshot);

  /// Fills in what depends on the run that is shown.
  void show_run(Snapshot& snapshot, SelectionRequest wanted) {
    const uint64_t blocks = volume(snapshot.run->trace->grid);
    if (wanted.cta.value >= blocks) wanted.cta.value = static_cast<uint32_t>(blocks - 1);
    snapshot.run_generation = ++run_generation_;
    history_.close(snapshot);
    select(snapshot, wanted);
    // Another block of the same launch is the same wave as before.
    show_wave(snapshot, snapshot.wave);
    show_prose(snapshot, errors_);
    bandwidth_.show(snapshot, execution_);
  }

  /// The command's error, if it has one: most commands cannot fail. It follows the apply() that are
  /// templates, whose bodies clang wants before the call.
  std::optional<Error> apply_command(Snapshot& snapshot, const Command& command) {
    return std::visit(
        [&](const auto& what) -> std::optional<Error> {
          if constexpr (std::is_void_v<decltype(apply(snapshot, what))>)
            apply(snapshot, what);
          else if (const Result<void> applied = apply(snapshot, what); !applied)
            return applied.error();
          return {};
        },
        command);
  }

  std::stop_token stop_token() const {
    const std::lock_guard lock(mutex_);
    return stop_.get_token();
  }

  void publish(const Snapshot& shown) { publication_.publish(shown, errors_.shown()); }
  static constexpr std::chrono::milliseconds kWatchInterval{200};

  pipeline::Options options_;
  pipeline::Execution execution_;
  const Engine engine_;
  uint64_t run_generation_ = 0;
  Snapshot state_;  // the next snapshot, but for its generation and its error
  PendingWork pending_;
  std::shared_ptr<RunProgress> progress_ = std::make_shared<RunProgress>();
  bool is_confirmed_ = false;  // the pending run, although it takes long
  Errors errors_;
  Precompilation precompilation_{options_};
  RequestedViews views_;
  HistorySelection history_;
  GpuHandle gpu_{options_};
  EditedTexts texts_{options_};
  CurrentRuns runs_{options_, execution_, gpu_, texts_};
  BandwidthSelection bandwidth_{options_, gpu_};
  ActiveStudy study_{options_};
  BlockReading blocks_{options_};
  ActiveExercise exercise_{options_, gpu_};
  PinnedRun pinned_{execution_, gpu_};
  ActiveLecture lecture_{options_};
  KeptStudentProgress student_{options_.own_progress};
  ActiveProgram program_{options_, pending_, errors_};
  PlaceCommands places_{{pending_, runs_, pinned_, history_}};
  SettingCommands settings_{{options_, pending_, errors_, exercise_, precompilation_, gpu_}};
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable idle_;
  CommandQueue queue_;
  std::chrono::steady_clock::time_point looked_at_files_;
  std::stop_source stop_;  // of the current activity
  Work activity_ = Work::None;
  Publication publication_;
  std::jthread thread_;  // last: it stops before the rest goes
};

}  // namespace lanescope::session
