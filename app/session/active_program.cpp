#include "session/active_program.h"

#include "base/file.h"
#include "compile/content_key.h"
#include "compile/host_main.h"
#include "compile/program.h"
#include "pipeline/file_job.h"
#include "pipeline/program_run.h"
#include "session/current_runs.h"
#include "session/opened_file.h"
#include "session/program_answers.h"
#include "session/program_launch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;
using Question = WholeProgram::Question;

/// The source as it is on disk, if it is CUDA C++.
std::optional<pipeline::Job> job_on_disk(const fs::path& source,
                                         const std::vector<std::string>& include_directories) {
  pipeline::FileOptions how;
  how.include_directories = include_directories;
  auto job = pipeline::text_job_of_file(source, "", how);
  if (!job || job->text != pipeline::Job::Text::Cuda) return {};
  return *std::move(job);
}

std::vector<fs::path> files_on_disk(const fs::path& source,
                                    const std::vector<std::string>& include_directories) {
  const auto job = job_on_disk(source, include_directories);
  return job ? pipeline::files_of(*job) : std::vector<fs::path>{source};
}

/// What SetDevice takes for the chosen device.
std::string word_of_device(const Snapshot& snapshot) {
  const std::string& name = snapshot.choices.device.name;
  for (const Available::DeviceName& device : snapshot.available.devices)
    if (device.name.ends_with(".toml") && fs::path(device.name).stem() == name) return device.name;
  return name;
}

bool has_unsaved_text(const Choices& choices, const fs::path& source) {
  const std::string* edited = pipeline::find_edited(choices.edited, source);
  if (edited == nullptr) return false;
  const auto saved = read_text(source);
  return !saved || *saved != *edited;
}

/// The launch that is shown, as it is in the new run; else the one that wastes most.
const pipeline::ProgramLaunch* launch_to_show(const pipeline::ProgramRun& run, const Snapshot& snapshot) {
  const pipeline::ProgramLaunch* shown = nullptr;
  if (snapshot.program && snapshot.choices.file)
    shown = pipeline::launch_kept_in(*snapshot.program, snapshot.choices.file->shown_launch());
  const auto is_same = [&](const pipeline::ProgramLaunch& one) {
    return shown != nullptr && one.number == shown->number && one.kernel == shown->kernel;
  };
  const pipeline::ProgramLaunch* const same = pipeline::costliest_launch(run, is_same);
  return same != nullptr ? same : pipeline::costliest_launch(run);
}

}  // namespace

void ActiveProgram::change(Snapshot& snapshot, const auto& how) const {
  if (!snapshot.whole_program) return;
  WholeProgram changed = *snapshot.whole_program;
  how(changed);
  snapshot.whole_program = std::make_shared<const WholeProgram>(std::move(changed));
}

std::string ActiveProgram::key_of(const fs::path& source) const {
  const auto job = job_on_disk(source, include_directories_);
  if (!job) return {};
  std::string included;
  for (const fs::path& file : pipeline::files_of(*job)) {
    const auto text = read_text(file);
    included += fmt::format("{}\n{}\n{}\n", file.string(), text ? text->size() : 0, text ? *text : "");
  }
  return compile::content_key({.file_name = source.string(), .text = job->source.text, .headers = {}}, {}, "",
                              included);
}

void ActiveProgram::open(Snapshot& snapshot, const OpenFile& command) {
  const fs::path source = snapshot.choices.file->path;
  if (folders_.contains(source.parent_path()) && snapshot.choices.file->is_trace()) return;
  pending_.program = false;
  errors_.program.reset();
  snapshot.whole_program = nullptr;
  folders_.clear();
  allowed_.clear();
  include_directories_ = command.include_directories;
  for (std::string& folder : include_directories_) folder = pipeline::edited_name(folder).string();
  if (!options_.run_program) return;
  const auto job = job_on_disk(source, include_directories_);
  if (!job || !compile::defines_main(job->source.text)) return;
  snapshot.whole_program =
      std::make_shared<const WholeProgram>(WholeProgram{.source = source, .arguments = command.arguments});
  const auto answer = find_answer(options_.own_programs, source);
  if (!answer) return ask(snapshot, Question::First);
  if (answer->may == ProgramAnswer::May::NotRun) return;
  allowed_ = answer->key;
  watch_.follow(files_on_disk(source, include_directories_));
  if (const auto requested = apply(snapshot, RunProgram{}); !requested) errors_.program = requested.error();
}

void ActiveProgram::ask(Snapshot& snapshot, Question question) {
  asked_ = key_of(snapshot.whole_program->source);
  change(snapshot, [&](WholeProgram& program) { program.question = question; });
}

void ActiveProgram::request(Snapshot& snapshot) {
  pending_.program = true;
  errors_.program.reset();
  change(snapshot, [](WholeProgram& program) {
    program.question = Question::None;
    program.is_running = true;
    program.began = std::chrono::steady_clock::now();
  });
}

Result<void> ActiveProgram::apply(Snapshot& snapshot, const AnswerProgram& command) {
  using Answer = AnswerProgram::Answer;
  const bool is_asked = snapshot.whole_program && snapshot.whole_program->question != Question::None;
  if (!snapshot.whole_program || (command.answer == Answer::Run && !is_asked)) return {};
  const fs::path& source = snapshot.whole_program->source;
  if (command.answer == Answer::Run) {
    const std::string now = key_of(source);
    // The answer is about the text that was asked about.
    if (now.empty() || now != asked_) return ask(snapshot, Question::Changed), Result<void>();
    allowed_ = now;
    keep_answer(options_.own_programs, source, {.may = ProgramAnswer::May::Run, .key = now});
    watch_.follow(files_on_disk(source, include_directories_));
    return apply(snapshot, RunProgram{});
  }
  if (command.answer == Answer::KernelsOnly) {
    keep_answer(options_.own_programs, source, {.may = ProgramAnswer::May::NotRun, .key = key_of(source)});
    allowed_.clear();
  }
  change(snapshot, [](WholeProgram& program) { program.question = Question::None; });
  return {};
}

Result<void> ActiveProgram::apply(Snapshot& snapshot, const RunProgram&) {
  if (!snapshot.whole_program) return {};
  if (!is_allowed(snapshot))
    return ask(snapshot, allowed_.empty() ? Question::First : Question::Changed), Result<void>();
  change(snapshot, [](WholeProgram& program) { program.question = Question::None; });
  if (has_unsaved_text(snapshot.choices, snapshot.whole_program->source))
    return fail(ErrorKind::Usage,
                "the program is compiled from its file, which lacks what was typed; save the text (Ctrl+S), "
                "then press F5");
  request(snapshot);
  return {};
}

Result<void> ActiveProgram::apply(Snapshot& snapshot, const CancelProgram&) {
  cancel(snapshot);
  return {};
}

void ActiveProgram::cancel(Snapshot& snapshot) {
  pending_.program = false;
  if (snapshot.whole_program && snapshot.whole_program->is_running)
    change(snapshot, [](WholeProgram& program) { program.is_running = false; });
}

void ActiveProgram::follow(Snapshot& snapshot) {
  if (!snapshot.whole_program) return;
  const OpenedFile* file = snapshot.choices.file.get();
  const bool is_its = file != nullptr && (file->path == snapshot.whole_program->source ||
                                          folders_.contains(file->path.parent_path()));
  if (is_its) return;
  snapshot.whole_program = nullptr;
  pending_.program = false;
  errors_.program.reset();
  allowed_.clear();
  folders_.clear();
}

bool ActiveProgram::is_allowed(const Snapshot& snapshot) const {
  return snapshot.whole_program && !allowed_.empty() && allowed_ == key_of(snapshot.whole_program->source);
}

void ActiveProgram::allow_saved(const Snapshot& snapshot) {
  if (!snapshot.whole_program) return;
  const fs::path& source = snapshot.whole_program->source;
  const std::string saved = key_of(source);
  if (saved == allowed_) return;  // nothing was written
  allowed_ = saved;
  watch_.follow(files_on_disk(source, include_directories_));
  watch_.note();
  keep_answer(options_.own_programs, source, {.may = ProgramAnswer::May::Run, .key = allowed_});
}

bool ActiveProgram::has_launch(const Snapshot& snapshot, const fs::path& file) const {
  return snapshot.whole_program && file.extension() == ".lane" && folders_.contains(file.parent_path());
}

OpenedFile ActiveProgram::source_file(const Snapshot& snapshot) const {
  OpenedFile file;
  file.path = snapshot.whole_program->source;
  file.launches.include_directories = include_directories_;
  return file;
}

Result<OpenedFile> ActiveProgram::open_launch(const Snapshot& snapshot, const fs::path& launch,
                                              pipeline::Execution& execution) const {
  TRY(const auto run, known_run(snapshot, launch.parent_path()));
  return open_program_launch(source_file(snapshot), *run, launch, execution,
                             with_edited(options_, snapshot.choices));
}

Result<std::optional<fs::path>> ActiveProgram::run(Snapshot& snapshot, const std::stop_token& stop) {
  const fs::path source = snapshot.whole_program->source;
  watch_.follow(files_on_disk(source, include_directories_));
  watch_.note();
  // The text may have been changed since the run was asked for.
  if (!is_allowed(snapshot)) {
    cancel(snapshot);
    ask(snapshot, Question::Changed);
    return std::nullopt;
  }
  auto outcome = options_.run_program({.source = source,
                                       .arguments = snapshot.whole_program->arguments,
                                       .include_directories = include_directories_,
                                       .device = word_of_device(snapshot)},
                                      stop);
  if (!outcome && outcome.error().kind == ErrorKind::Cancelled) return std::unexpected(outcome.error());
  cancel(snapshot);
  if (!outcome) {
    errors_.program = outcome.error();
    errors_.program->message = fmt::format("the program does not run, so only its kernels are shown: {}",
                                           compile::first_error_of(outcome.error().message));
    return std::nullopt;
  }
  change(snapshot, [&](WholeProgram& program) { program.output = std::move(outcome->output); });
  if (!outcome->problem.empty())
    errors_.program = Error{.kind = ErrorKind::Hazard, .message = outcome->problem};
  auto launches = pipeline::read_program_run(outcome->folder);
  if (!launches) return std::nullopt;
  const auto made = std::make_shared<const pipeline::ProgramRun>(*std::move(launches));
  const pipeline::ProgramLaunch* chosen = launch_to_show(*made, snapshot);
  if (chosen == nullptr) {
    if (!errors_.program)
      errors_.program = Error{.kind = ErrorKind::Hazard,
                              .message =
                                  "the program launched no kernel; what it printed is in the panel "
                                  "Output; its arguments are given after --, as in 'lanescope FILE.cu "
                                  "-- 1024'"};
    return std::nullopt;
  }
  folders_.insert(outcome->folder);
  snapshot.program = made;
  return chosen->file;
}

}  // namespace lanescope::session
