#include "session/session.h"

#include "model/residency.h"
#include "session/bandwidth_place.h"
#include "session/execution.h"
#include "session/gpu_place.h"
#include "session/hazards.h"
#include "session/history.h"
#include "session/place.h"
#include "session/study.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

/// Commands with the same tag replace each other while they wait. A step never does: each one counts.
std::string tag_of(const Command& command) {
  if (std::holds_alternative<Step>(command) || std::holds_alternative<StepInstruction>(command)) return {};
  if (const auto* toggle = std::get_if<SetToggle>(&command)) return fmt::format("toggle {}", toggle->name);
  return fmt::format("command {}", command.index());
}

}  // namespace

/// The thread, its queue and its state. Everything but the queue and the snapshot belongs to the thread
/// alone.
class Session::Worker {
 public:
  explicit Worker(Options options) : options_(std::move(options)), execution_(options_) {
    Snapshot first;
    first.language = options_.language;
    first.checks = options_.checks;
    first.has_gpu = gpu_.exists();
    first.producer = options_.producer;
    first.lessons = lesson::lesson_names(options_.assets / "lessons");
    first.devices = model::device_names(options_.assets / "devices");
    for (const std::string& name : model::device_names(options_.own_devices))
      first.devices.push_back((options_.own_devices / (name + ".toml")).string());
    list_device(first, options_.device);
    if (auto device = model::find_device(options_.assets / "devices", options_.device))
      first.device = *std::move(device);
    else
      first.error = device.error();
    publish(std::move(first));
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }

  ~Worker() {
    thread_.request_stop();
    {
      const std::lock_guard lock(mutex_);
      running_.request_stop();
    }
    gpu_.end();
    wake_.notify_all();
  }

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Command command) {
    {
      const std::lock_guard lock(mutex_);
      const std::string tag = tag_of(command);
      const auto same = std::ranges::find_if(
          queue_, [&](const Command& waiting) { return !tag.empty() && tag_of(waiting) == tag; });
      if (same != queue_.end()) queue_.erase(same);
      queue_.push_back(std::move(command));
      // Whatever is compiled ahead, or a run that this command makes stale, gives way.
      if (idle_work_ || interrupts(queue_.back())) running_.request_stop();
      if (working_ && gives_up_gpu(queue_.back())) gpu_.interrupt();
    }
    wake_.notify_all();
  }

  std::shared_ptr<const Snapshot> latest() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
  }

  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queue_.empty() && !working_ && !studying_; });
  }

  void on_change(std::function<void()> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }

 private:
  static bool reruns(const Command& command) {
    return std::holds_alternative<SetToggle>(command) || std::holds_alternative<OpenLesson>(command) ||
           std::holds_alternative<SetChecks>(command) || std::holds_alternative<SetScheduling>(command) ||
           std::holds_alternative<SetProducer>(command);
  }

  /// What is under way is of no more use, or may wait.
  static bool interrupts(const Command& command) {
    return reruns(command) || std::holds_alternative<SetDevice>(command) ||
           std::holds_alternative<ShowStudy>(command) || std::holds_alternative<CancelStudy>(command) ||
           std::holds_alternative<StopMeasuring>(command);
  }

  /// A GPU cannot be asked to leave off a kernel: it is left alone. Other commands wait for it, since opening
  /// it anew takes longer than a kernel.
  static bool gives_up_gpu(const Command& command) {
    const auto* producer = std::get_if<SetProducer>(&command);
    return (producer != nullptr && producer->producer == Producer::Emulator) ||
           std::holds_alternative<StopMeasuring>(command);
  }

  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::optional<Command> command = next(stop);
      if (command) {
        Snapshot snapshot = *latest();
        if (reruns(*command) && !snapshot.busy) {
          snapshot.busy = true;
          publish(snapshot);
        }
        snapshot.error.reset();
        std::visit([&](const auto& what) { apply(snapshot, what); }, *command);
        if (run_owed_ && last_in_queue() && !stop.stop_requested()) rerun(snapshot);
        if (!snapshot.error && snapshot.run) snapshot.error = error_of(*snapshot.run->trace);
        snapshot.busy = run_owed_;
        publish(std::move(snapshot));
        finish();
      } else if (stop.stop_requested()) {
        break;
      } else if (study_) {
        advance_study();
      } else {
        compile_ahead();
      }
    }
  }

  /// The next command, or nothing when none waits and a study goes on or a flip remains to be compiled ahead.
  std::optional<Command> next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, stop, [&] { return !queue_.empty() || !ahead_.empty() || study_; });
    running_ = {};
    if (stop.stop_requested()) running_.request_stop();
    if (queue_.empty()) {
      // A run of a study is waited for: it is short, and a person who steps would never see its end.
      idle_work_ = !study_;
      return {};
    }
    idle_work_ = false;
    working_ = true;
    Command command = std::move(queue_.front());
    queue_.pop_front();
    return command;
  }

  bool last_in_queue() const {
    const std::lock_guard lock(mutex_);
    return queue_.empty();
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      working_ = false;
    }
    idle_.notify_all();
  }

  void compile_ahead() {
    if (ahead_.empty()) return;
    const lesson::Settings settings = std::move(ahead_.back());
    ahead_.pop_back();
    const auto now = latest();
    if (!now->lesson) return;
    // An error shows when the person flips the toggle; ahead of that nobody asked.
    if (auto job = text_job_of(*now->lesson, settings, options_)) (void)execution_.compile(*job);
  }

  void apply(Snapshot& snapshot, const OpenLesson& command) {
    auto found = lesson::find_lesson(options_.assets / "lessons", command.name);
    if (!found) {
      snapshot.error = found.error();
      return;
    }
    snapshot.lesson = std::make_shared<const lesson::Lesson>(*std::move(found));
    snapshot.settings = lesson::initial_settings(*snapshot.lesson);
    snapshot.cta = {};
    snapshot.warp = {};
    snapshot.access = 0;
    rerun(snapshot);
  }

  void apply(Snapshot& snapshot, const SetToggle& command) {
    if (!snapshot.lesson) return;
    auto changed = lesson::with_toggle(*snapshot.lesson, snapshot.settings, command.name, command.value);
    if (!changed) {
      snapshot.error = changed.error();
      return;
    }
    if (*changed == snapshot.settings && snapshot.run) return;
    snapshot.settings = *std::move(changed);
    rerun(snapshot);
  }

  /// A file of the user's own is offered from now on.
  static void list_device(Snapshot& snapshot, const std::string& name) {
    if (name.ends_with(".toml") && std::ranges::find(snapshot.devices, name) == snapshot.devices.end())
      snapshot.devices.push_back(name);
  }

  void apply(Snapshot& snapshot, const SetDevice& command) {
    auto device = model::find_device(options_.assets / "devices", command.name);
    if (!device) {
      snapshot.error = device.error();
      return;
    }
    snapshot.device = *std::move(device);
    list_device(snapshot, command.name);
    if (!snapshot.run) return;
    snapshot.run = execution_.with_device(*snapshot.run, snapshot.device);
    show_wave(snapshot, 0);
    snapshot.run_generation = ++run_generation_;
    show_place(snapshot);
  }

  void apply(Snapshot& snapshot, const SetLanguage& command) {
    snapshot.language = command.language;
    bandwidth_.show(snapshot);
  }

  void apply(Snapshot& snapshot, const SetChecks& command) {
    snapshot.checks = command.checks;
    if (snapshot.lesson) rerun(snapshot);
  }

  void apply(Snapshot& snapshot, const SetScheduling& command) {
    snapshot.scheduling = command.scheduling;
    if (snapshot.lesson) rerun(snapshot);
  }

  void apply(Snapshot& snapshot, const SetProducer& command) {
    if (command.producer == Producer::Gpu) {
      if (const auto gpu = gpu_.gpu(); !gpu) {
        snapshot.error = gpu.error();
        return;
      }
    }
    snapshot.producer = command.producer;
    if (snapshot.lesson) rerun(snapshot);
  }

  void apply(Snapshot& snapshot, const SelectBlock& command) {
    if (!snapshot.run || command.cta.value >= volume(snapshot.run->trace->grid)) return;
    snapshot.cta = command.cta;
    // The emulator keeps the values of one block's lanes, so another block means another run. A GPU keeps
    // none.
    const trace::Trace& trace = *snapshot.run->trace;
    if (trace.provenance == Provenance::Emulated || trace::find_block(trace, snapshot.cta) == nullptr)
      return rerun(snapshot);
    history_.close(snapshot);
    show_place(snapshot);
  }

  static void apply(Snapshot& snapshot, const SelectWave& command) {
    if (snapshot.run) show_wave(snapshot, command.number);
  }

  static void show_wave(Snapshot& snapshot, uint32_t number) {
    const trace::Trace& trace = *snapshot.run->trace;
    const uint32_t in_flight = model::residency_of(trace, snapshot.device).in_flight;
    snapshot.waves = model::wave_count(volume(trace.grid), in_flight);
    snapshot.wave = model::wave_of(volume(trace.grid), in_flight, number).number;
  }

  void apply(Snapshot& snapshot, const SelectWarp& command) {
    snapshot.warp = command.warp;
    history_.close(snapshot);
    show_place(snapshot);
  }

  void apply(Snapshot& snapshot, const SelectAccess& command) { show_access(snapshot, command.index); }

  void apply(Snapshot& snapshot, const Step& command) {
    show_access(snapshot, step_target(snapshot, command.to));
  }

  void apply(Snapshot& snapshot, const SelectLine& command) {
    if (const auto access = access_on_line(snapshot, command.line)) show_access(snapshot, *access);
  }

  void show_access(Snapshot& snapshot, uint32_t access) {
    snapshot.access = access;
    show_place(snapshot);
    history_.follow_access(snapshot);
  }

  void apply(Snapshot& snapshot, const ShowHistory&) {
    if (!snapshot.run || !job_) return;
    auto history = execution_.history(*job_, snapshot.cta, snapshot.warp, run_options(snapshot));
    if (history) return history_.open(snapshot, *std::move(history));
    if (history.error().kind != ErrorKind::Cancelled) snapshot.error = history.error();
  }

  void apply(Snapshot& snapshot, const StepInstruction& command) { history_.step(snapshot, command.to); }

  void apply(Snapshot& snapshot, const SelectInstruction& command) {
    history_.select(snapshot, command.index);
  }

  void apply(Snapshot& snapshot, const ShowElements& command) {
    shown_elements_ = command;
    show_elements(snapshot);
  }

  void apply(Snapshot& snapshot, const ShowStudy& command) {
    StudyState state{.request = command.request, .version = ++study_version_};
    study_.reset();
    auto plan = plan_study(command.request, {options_, snapshot.device, snapshot.run});
    if (plan) {
      study_.emplace(*std::move(plan), options_);
      state.runs = study_->runs();
    } else {
      state.error = plan.error();
    }
    show_study(snapshot, std::move(state));
  }

  void apply(Snapshot& snapshot, const CancelStudy&) {
    if (!study_) return;
    study_.reset();
    StudyState state = *snapshot.study;
    state.cancelled = true;
    show_study(snapshot, std::move(state));
  }

  /// One more run of the study at hand.
  void advance_study() {
    const std::stop_token stop = running_token();
    Snapshot snapshot = *latest();
    StudyState state = *snapshot.study;
    if (!study_->finished()) {
      if (const auto done = study_->advance(execution_, study_cache_, stop); !done) {
        if (done.error().kind == ErrorKind::Cancelled) return;  // a command waits; then once more
        state.error = done.error();
        study_.reset();
      }
    }
    show_study(snapshot, std::move(state));
    publish(std::move(snapshot));
    finish();
  }

  void show_study(Snapshot& snapshot, StudyState state) {
    if (study_) {
      state.runs_done = study_->runs_done();
      if (study_->finished()) {
        state.make = study_->figure();
        study_.reset();
      }
    }
    snapshot.study = std::make_shared<const StudyState>(std::move(state));
    const std::lock_guard lock(mutex_);
    studying_ = study_.has_value();
  }

  void show_elements(Snapshot& snapshot) const {
    snapshot.elements = nullptr;
    if (!shown_elements_ || !snapshot.run) return;
    if (auto map = model::map_elements(*snapshot.run->trace, shown_elements_->buffer, shown_elements_->kind))
      snapshot.elements = std::make_shared<const model::ElementMap>(*std::move(map));
  }

  void apply(Snapshot& snapshot, const SetRecording& command) { bandwidth_.choose(snapshot, command.name); }

  static void apply(Snapshot&, const StopMeasuring&) {}  // the one that it stops has ended

  void apply(Snapshot& snapshot, const MeasureKernels&) {
    bandwidth_.measure(snapshot, execution_, running_token(),
                       [this](const Snapshot& meanwhile) { publish(meanwhile); });
  }

  /// Runs the lesson as its toggles stand. After a failure the run before stays visible, with the error.
  void rerun(Snapshot& snapshot) {
    run_owed_ = false;
    const launch::Launch* previous = snapshot.run ? snapshot.run->launch.get() : nullptr;
    auto job = job_of(*snapshot.lesson, snapshot.settings, options_, previous);
    if (!job) {
      snapshot.error = job.error();
      return;
    }
    const uint64_t blocks = volume(job->launch->grid);
    if (snapshot.cta.value >= blocks) snapshot.cta.value = static_cast<uint32_t>(blocks - 1);
    auto run = run_by_producer(snapshot, *job, run_options(snapshot), execution_, gpu_);
    if (!run) {
      // A newer command cancelled this one: its own run follows at once, or else this one anew.
      run_owed_ = run.error().kind == ErrorKind::Cancelled;
      if (!run_owed_) snapshot.error = run.error();
      return;
    }
    snapshot.run = *std::move(run);
    snapshot.run_generation = ++run_generation_;
    job_ = *std::move(job);
    history_.close(snapshot);
    show_place(snapshot);
    // Another block of the same launch is the same wave as before.
    show_wave(snapshot, snapshot.wave);
    show_elements(snapshot);
    bandwidth_.show(snapshot);
    ahead_ = lesson::single_flips(*snapshot.lesson, snapshot.settings);
    std::ranges::reverse(ahead_);
  }

  RunOptions run_options(const Snapshot& snapshot) const {
    RunOptions options;
    options.keep.values_of = snapshot.cta;
    options.checks = snapshot.checks;
    options.scheduling = snapshot.scheduling;
    options.stop = running_token();
    return options;
  }

  std::stop_token running_token() const {
    const std::lock_guard lock(mutex_);
    return running_.get_token();
  }

  void publish(Snapshot snapshot) {
    snapshot.generation = ++generation_;
    std::function<void()> listener;
    {
      const std::lock_guard lock(mutex_);
      snapshot_ = std::make_shared<const Snapshot>(std::move(snapshot));
      listener = listener_;
    }
    if (listener) listener();
  }

  Options options_;
  Execution execution_;
  uint64_t generation_ = 0;
  uint64_t run_generation_ = 0;
  bool run_owed_ = false;                // the run of the settings that are shown was cancelled
  std::vector<lesson::Settings> ahead_;  // flips still to be compiled, the next one last
  std::optional<ShowElements> shown_elements_;
  std::optional<Job> job_;  // of the run that is shown
  HistoryPlace history_;
  GpuPlace gpu_{options_};
  BandwidthPlace bandwidth_{options_, gpu_};
  std::optional<StudyWork> study_;  // on its way
  StudyCache study_cache_;
  uint64_t study_version_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable idle_;
  std::deque<Command> queue_;
  std::stop_source running_;  // of the run at hand
  bool working_ = false;
  bool studying_ = false;  // study_ is there
  bool idle_work_ = false;
  std::shared_ptr<const Snapshot> snapshot_;
  std::function<void()> listener_;
  std::jthread thread_;  // last: it stops before the rest goes
};

Session::Session(Options options) : worker_(std::make_unique<Worker>(std::move(options))) {}
Session::~Session() = default;
void Session::post(Command command) { worker_->post(std::move(command)); }
std::shared_ptr<const Snapshot> Session::latest() const { return worker_->latest(); }
void Session::wait_until_idle() { worker_->wait_until_idle(); }
void Session::on_change(std::function<void()> listener) { worker_->on_change(std::move(listener)); }

}  // namespace lanescope::session
