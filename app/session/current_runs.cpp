#include "session/current_runs.h"

#include "pipeline/guessed_run.h"
#include "pipeline/program_run.h"
#include "pipeline/saved_trace.h"
#include "session/failed_run.h"
#include "session/kept_launches.h"
#include "session/opened_file.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {
namespace {

/// Of the accesses of a saved trace, which takes a third of a second. What does not fit is read when it is
/// chosen.
constexpr uint64_t kReadAtOnce = uint64_t{32} << 20;

/// Which lesson or file is open.
std::string opened_by(const Choices& choices) {
  return choices.file ? choices.file->path.string() : "lesson " + choices.lesson->name + choices.exercise;
}

/// Whether the runs that were made are of what is open now.
bool is_made_of(const Choices& made, const Choices& now) {
  return (made.lesson || made.file) && opened_by(made) == opened_by(now);
}

/// A GPU's accesses are counted as it executes them.
bool counts_machine_code(const Choices& choices) {
  return choices.level == trace::CountLevel::MachineCode && choices.producer == pipeline::Producer::Emulator;
}

bool models_caches(const Choices& choices) {
  return asks_for_caches(choices) && choices.device.caches &&
         choices.producer == pipeline::Producer::Emulator;
}

/// Whether the kernel may still run where its machine code is not asked for.
bool may_be_of_machine_code(const Error& error) {
  return error.kind == ErrorKind::File || error.kind == ErrorKind::Unsupported ||
         error.kind == ErrorKind::Usage || error.kind == ErrorKind::Syntax;
}

}  // namespace

Result<std::shared_ptr<const pipeline::ProgramRun>> known_run(const Snapshot& snapshot,
                                                              const std::filesystem::path& folder) {
  if (snapshot.program && snapshot.program->folder == folder && snapshot.program->status)
    return snapshot.program;
  TRY(pipeline::ProgramRun read, pipeline::read_program_run(folder));
  return std::make_shared<const pipeline::ProgramRun>(std::move(read));
}

pipeline::RunOptions run_options(const Choices& choices, CtaId values_of, std::stop_token stop) {
  pipeline::RunOptions options;
  options.keep.values_of = values_of;
  options.checks = choices.checks;
  options.scheduling = choices.scheduling;
  if (counts_machine_code(choices)) options.level = trace::CountLevel::MachineCode;
  if (models_caches(choices)) options.caches.emplace();
  options.keeps_origins = true;
  options.stop = std::move(stop);
  return options;
}

Snapshot with_attempt(Snapshot shown, const Snapshot& attempted) {
  shown.failed = attempted.failed;
  shown.sources = attempted.sources;
  return shown;
}

Result<std::vector<pipeline::Step>> CurrentRuns::steps_of_opened(Snapshot& snapshot) {
  OpenedFile file = *snapshot.choices.file;
  const pipeline::Options options = with_edited(options_, snapshot.choices);
  if (!file.is_launch_file())
    if (auto job = pipeline::text_job_of_file(file.path, "", file_options(file, options)))
      attempted_ = *std::move(job);
  Result<std::vector<pipeline::Step>> steps;
  if (const auto read = file.is_read ? Result<void>{} : read_file(file, execution_, options); !read)
    steps = std::unexpected(read.error());
  else
    steps = steps_of_file(file, options);
  // Of a launch of the program the inputs go with its run.
  const bool is_kept =
      (!file.is_guess || !file.launches.include_directories.empty()) && file.program_launch.empty();
  if (steps && is_kept && !file.is_launch_file())
    keep_launches(options_.own_launches, file.path, file.launches);
  snapshot.choices.file = std::make_shared<const OpenedFile>(std::move(file));
  return steps;
}

Result<std::vector<pipeline::Step>> CurrentRuns::steps_of(Snapshot& snapshot, RunWatch& watch) {
  const Choices& choices = snapshot.choices;
  if (choices.file) {
    auto steps = steps_of_opened(snapshot);
    if (steps)
      for (const pipeline::Step& step : *steps) TRY_VOID(watch.admit(*step.job.launch));
    return steps;
  }
  const bool same_lesson = !made_.steps.empty() && is_made_of(made_.of, choices);
  const launch::Launch* previous = same_lesson ? made_.steps.front().job.launch.get() : nullptr;
  const pipeline::Options options = with_edited(options_, choices);
  if (auto job = pipeline::text_job_of(*choices.lesson, choices.settings, options))
    attempted_ = *std::move(job);
  TRY(const launch::Launch shape,
      lesson::make_launch(*choices.lesson, lesson::kernel_of(*choices.lesson, choices.settings),
                          choices.settings, nullptr, lesson::Filling::None));
  TRY_VOID(watch.admit(shape));
  TRY(pipeline::Job job, pipeline::job_of(*choices.lesson, choices.settings, options, previous));
  std::vector<pipeline::Step> steps;
  steps.push_back({std::move(job), 1});
  return steps;
}

void CurrentRuns::watch(const Choices& choices, const std::vector<pipeline::Step>& steps) {
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::vector<std::filesystem::path>& more) {
    for (const std::filesystem::path& file : more)
      if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  if (!choices.file) {
    add(pipeline::files_of(*choices.lesson, lesson::kernel_of(*choices.lesson, choices.settings), options_));
  } else {
    add({choices.file->path});
    for (const pipeline::Step& step : steps) add(pipeline::files_of(step.job));
    if (steps.empty())
      if (attempted_.text == pipeline::Job::Text::Cuda && !attempted_.source.text.empty())
        add(pipeline::files_of(attempted_));
  }
  if (choices.edited)
    for (const auto& [file, text] : *choices.edited) add({file});
  watch_.follow(files);
}

void CurrentRuns::fail(Snapshot& snapshot, const Error& error) const {
  FailedRun failed{attempted_.source.file_name, attempted_.source.text, {}};
  if (error.kind == ErrorKind::Compile) failed.errors = compile::errors_of(error.message);
  snapshot.failed = std::make_shared<const FailedRun>(std::move(failed));
  if (is_made_of(made_.of, snapshot.choices)) return;
  // What is shown would seem to be of the file that failed.
  snapshot.run = nullptr;
  snapshot.runs.clear();
}

Result<std::optional<Error>> CurrentRuns::run(Snapshot& snapshot, const pipeline::RunOptions& options,
                                              RunWatch& watch, const std::function<void()>& on_compiled) {
  attempted_ = {};
  watch_.note();
  TRY_VOID(read_program(snapshot));
  if (snapshot.choices.file && snapshot.choices.file->is_program()) {
    watch_.follow({});
    snapshot.run = nullptr;
    snapshot.runs.clear();
    made_ = {};
    return std::optional<Error>();
  }
  if (snapshot.choices.file && snapshot.choices.file->is_trace()) {
    if (const auto read = read_saved_trace(snapshot, options.keep.values_of.value_or(CtaId{})); !read) {
      fail(snapshot, read.error());
      return std::unexpected(read.error());
    }
    return std::optional<Error>();
  }
  auto steps = steps_of(snapshot, watch);
  this->watch(snapshot.choices, steps ? *steps : std::vector<pipeline::Step>{});
  if (!attempted_.source.text.empty()) show_sources(snapshot, attempted_);
  if (!steps) {
    fail(snapshot, steps.error());
    return std::unexpected(steps.error());
  }
  bool is_first = true;
  const auto produce = [&](const pipeline::RunOptions& how) {
    for (pipeline::Step& step : *steps)
      step.job.options.with_machine_code = how.level == trace::CountLevel::MachineCode;
    return run_by_producer(snapshot.choices, *steps, how, execution_, gpu_, [&](const pipeline::Job& job) {
      attempted_ = job;
      watch.begin(*job.launch);
      if (!std::exchange(is_first, false)) return;
      snapshot.failed =
          std::make_shared<const FailedRun>(FailedRun{job.source.file_name, job.source.text, {}});
      on_compiled();
    });
  };
  auto produced = produce(options);
  if (!produced && counts_machine_code(snapshot.choices) && may_be_of_machine_code(produced.error())) {
    pipeline::RunOptions of_ptx = options;
    of_ptx.level = trace::CountLevel::Ptx;
    Error reason = produced.error();
    reason.message.insert(0, "the counts are those of the PTX: ");
    produced = produce(of_ptx);
    if (produced) {
      snapshot.choices.level = trace::CountLevel::Ptx;
      produced->instead = std::move(reason);
    }
  }
  if (!produced) {
    fail(snapshot, produced.error());
    return std::unexpected(produced.error());
  }
  if (snapshot.choices.file) {
    OpenedFile file = *snapshot.choices.file;
    pipeline::take_sizes(file.launches, produced->runs);
    snapshot.choices.file = std::make_shared<const OpenedFile>(std::move(file));
    pipeline::take_sizes(*steps, produced->runs);
  }
  made_ = {*std::move(steps), snapshot.choices};
  snapshot.runs = std::move(produced->runs);
  snapshot.failed = nullptr;
  show(snapshot, snapshot.choices.launch);
  return std::move(produced->instead);
}

bool CurrentRuns::take_back(Snapshot& snapshot) {
  if (!made_.of.lesson && !made_.of.file) return false;
  Choices before = made_.of;
  before.language = snapshot.choices.language;
  before.device = snapshot.choices.device;
  before.with_caches = snapshot.choices.with_caches;
  before.edited = snapshot.choices.edited;
  const bool has_same_texts = before.edited == made_.of.edited;
  snapshot.choices = std::move(before);
  if (has_same_texts) snapshot.failed = nullptr;
  snapshot.sources = nullptr;
  show(snapshot, snapshot.choices.launch);
  return has_same_texts;
}

Result<void> CurrentRuns::read_program(Snapshot& snapshot) {
  const OpenedFile* file = snapshot.choices.file.get();
  const std::filesystem::path shown = file == nullptr      ? std::filesystem::path()
                                      : file->is_program() ? file->path
                                                           : file->shown_launch();
  const std::filesystem::path folder = shown.parent_path();
  const bool is_of_program = !shown.empty() && pipeline::is_program_run(folder);
  if (!is_of_program) {
    snapshot.program = nullptr;
    program_watch_.follow({});
    return {};
  }
  program_watch_.follow({pipeline::run_file_of(folder)});
  program_watch_.note();
  TRY(snapshot.program, known_run(snapshot, folder));
  return {};
}

Result<void> CurrentRuns::read_program_again(Snapshot& snapshot) {
  snapshot.program = nullptr;
  return read_program(snapshot);
}

Result<void> CurrentRuns::read_saved_trace(Snapshot& snapshot, CtaId block) {
  const std::filesystem::path& path = snapshot.choices.file->path;
  watch_.follow({path});
  if (!options_.read_trace)
    return lanescope::fail(ErrorKind::Unsupported, "saved traces cannot be read here",
                           Location{path.string(), 0});
  TRY(trace::TracePart part, options_.read_trace(path, {.most_bytes = kReadAtOnce, .also = block}));
  made_ = {{}, snapshot.choices};
  const auto no_sources = std::map<std::string, std::string>();
  const auto& sources = snapshot.program ? snapshot.program->sources : no_sources;
  snapshot.runs = {pipeline::run_of_trace(std::move(part), snapshot.choices.device, sources)};
  snapshot.failed = nullptr;
  show(snapshot, 0);
  return {};
}

Result<bool> CurrentRuns::read_block(ShownRun& shown, CtaId block) const {
  const bool is_here = !shown.run || !shown.choices.file || !pipeline::is_unread(*shown.run, block);
  if (is_here) return false;
  TRY(trace::TracePart part, options_.read_trace(shown.choices.file->path, {.also = block}));
  TRY(auto run, pipeline::with_part(*shown.run, std::move(part)));
  std::ranges::replace(shown.runs, shown.run, run);
  shown.run = std::move(run);
  return true;
}

void CurrentRuns::take(Made made, Snapshot& snapshot) {
  made_ = std::move(made);
  watch(snapshot.choices, made_.steps);
  snapshot.sources = nullptr;
  show(snapshot, snapshot.choices.launch);
}

void CurrentRuns::show(Snapshot& snapshot, uint32_t launch) {
  const size_t shown = std::min<size_t>(launch, snapshot.runs.size() - 1);
  snapshot.choices.launch = launch;
  snapshot.run = snapshot.runs[shown];
  if (made_.steps.empty()) return void(snapshot.sources = nullptr);
  const std::string& name = made_.steps[shown].job.source.file_name;
  const bool is_shown =
      snapshot.sources && !snapshot.sources->files.empty() && snapshot.sources->files.front().name == name;
  if (!is_shown) show_sources(snapshot, made_.steps[shown].job);
}

void CurrentRuns::show_sources(Snapshot& snapshot, const pipeline::Job& job) {
  const Choices& choices = snapshot.choices;
  std::vector<std::filesystem::path> known;
  if (choices.lesson)
    known =
        pipeline::files_of(*choices.lesson, lesson::kernel_of(*choices.lesson, choices.settings), options_);
  snapshot.sources = texts_.texts_of(choices, source_files_of(job, known));
}

void CurrentRuns::see_device(Snapshot& snapshot) {
  for (auto& run : snapshot.runs) run = execution_.with_device(*run, snapshot.choices.device);
  if (!snapshot.runs.empty()) show(snapshot, snapshot.choices.launch);
}

std::optional<pipeline::Job> CurrentRuns::job(const Snapshot& snapshot) const {
  const auto shown = std::ranges::find(snapshot.runs, snapshot.run);
  if (shown == snapshot.runs.end()) return {};
  const auto number = static_cast<size_t>(shown - snapshot.runs.begin());
  if (number >= made_.steps.size()) return {};
  pipeline::Job job = made_.steps[number].job;
  job.launch = snapshot.run->launch;  // what the launches before it left
  return job;
}

}  // namespace lanescope::session
