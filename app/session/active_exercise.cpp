#include "session/active_exercise.h"

#include "base/file.h"
#include "pipeline/exercise_check.h"
#include "pipeline/job.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;
using Kind = lesson::Part::Kind;
using Use = SubmissionFile::Use;

/// A lesson of a stranger may have any number of folders.
constexpr size_t kMostListed = 64;

ExerciseTexts texts_of(const lesson::Prose& prose) {
  ExerciseTexts texts;
  const auto append = [](ExerciseTexts::Paragraphs& to, const std::string& markdown) {
    std::ranges::move(lesson::parse_markdown(markdown), std::back_inserter(to));
  };
  for (const std::string& text : lesson::texts_of(prose, Kind::Introduction)) append(texts.task, text);
  for (const std::string& text : lesson::texts_of(prose, Kind::Hint))
    append(texts.hints.emplace_back(), text);
  for (const std::string& text : lesson::texts_of(prose, Kind::Solution)) append(texts.explanation, text);
  return texts;
}

Result<void> read(ListedExercise& listed, const fs::path& folder) {
  TRY(listed.exercise, lesson::read_exercise(folder));
  TRY(listed.solution, read_text(folder / lesson::kSolutionFile));
  listed.title = listed.exercise.title;
  listed.english = texts_of(listed.exercise.prose.english);
  listed.french = texts_of(listed.exercise.prose.french);
  return {};
}

std::shared_ptr<const ListedExercise> listed_exercise(const fs::path& folder) {
  auto listed = std::make_shared<ListedExercise>();
  listed->name = folder.filename().string();
  listed->title = {listed->name, listed->name};
  if (const auto done = read(*listed, folder); !done) listed->error = done.error();
  return listed;
}

/// transpose-tiled.cu for transpose/tiled, in the folder of submissions.
fs::path file_of(const lesson::Exercise& exercise, const fs::path& folder) {
  std::string name = exercise.name + ".cu";
  std::ranges::replace(name, '/', '-');
  std::error_code problem;
  const fs::path whole = fs::absolute(folder / name, problem);
  return problem ? folder / name : whole.lexically_normal();
}

/// What is wrong with a submission that cannot be read to an end, such as a pipe.
Result<void> require_file(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (!fs::exists(status))
    return fail(ErrorKind::File, "the file is gone; save it again, or write the starter again",
                Location{file.filename().string(), 0});
  if (!fs::is_regular_file(status))
    return fail(ErrorKind::File, "this is no ordinary file; move it away, and write the starter",
                Location{file.filename().string(), 0});
  return {};
}

ExerciseState state_of(const Snapshot& snapshot) {
  return snapshot.exercise ? *snapshot.exercise : ExerciseState{};
}

void show(Snapshot& snapshot, ExerciseState state) {
  snapshot.exercise = std::make_shared<const ExerciseState>(std::move(state));
}

}  // namespace

void ActiveExercise::list(Snapshot& snapshot) {
  ExerciseState state;
  for (const fs::path& folder : lesson::exercise_folders(snapshot.choices.lesson->folder)) {
    if (state.listed.size() == kMostListed) break;
    state.listed.push_back(listed_exercise(folder));
  }
  if (!state.listed.empty()) state.chosen = state.listed.front();
  choose(snapshot, std::move(state));
}

Result<void> ActiveExercise::apply(Snapshot& snapshot, const OpenExercise& command) {
  const std::string& name = command.name;
  ExerciseState state;
  state.listed = state_of(snapshot).listed;
  const auto found = std::ranges::find(state.listed, name, [](const auto& listed) { return listed->name; });
  if (found == state.listed.end())
    return lanescope::fail(ErrorKind::Usage, fmt::format("this lesson has no exercise '{}'", name));
  state.chosen = *found;
  choose(snapshot, std::move(state));
  return {};
}

/// Of a file that was in use before, the checks come again.
void ActiveExercise::choose(Snapshot& snapshot, ExerciseState state) {
  is_requested_ = false;
  watch_.follow({});
  if (state.chosen) {
    state.error = state.chosen->error;
    if (!state.error) state.file.path = file_of(state.chosen->exercise, options_.submissions);
  }
  std::error_code ignored;
  if (!state.file.path.empty() && fs::exists(state.file.path, ignored)) state.file.use = Use::Found;
  const bool goes_on = state.file.use == Use::Found && started_.contains(state.file.path);
  show(snapshot, std::move(state));
  if (goes_on) (void)apply(snapshot, StartExercise{});
}

Result<void> ActiveExercise::write_starter(const ExerciseState& state) const {
  TRY(const std::string text, read_text(state.chosen->exercise.folder / lesson::kStarterFile));
  // Exclusive: a file that appeared meanwhile is not overwritten.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(state.file.path.c_str(), "wx"),
                                                             &std::fclose);
  const bool is_written = file != nullptr &&
                          std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                          std::fflush(file.get()) == 0;
  if (is_written) return {};
  std::error_code ignored;
  if (file != nullptr) fs::remove(state.file.path, ignored);
  return lanescope::fail(ErrorKind::File,
                         "the starter cannot be written here; start Lanescope in a folder of your own, or "
                         "check its permissions and the room on the disk",
                         Location{state.file.path.filename().string(), 0});
}

Result<void> ActiveExercise::apply(Snapshot& snapshot, const StartExercise&) {
  ExerciseState state = state_of(snapshot);
  if (!state.chosen || state.chosen->error) return {};
  std::error_code ignored;
  if (!fs::exists(state.file.path, ignored)) {
    if (const auto written = write_starter(state); !written) {
      state.file.use = Use::None;
      state.error = written.error();
      end(snapshot, std::move(state));
      return {};
    }
  }
  state.file.use = Use::Checked;
  started_.insert(state.file.path);
  watch_.follow({state.file.path});
  show(snapshot, std::move(state));
  request(snapshot);
  return {};
}

Result<void> ActiveExercise::apply(Snapshot&, const WatchSubmission& command) {
  in_sight_ = command.in_sight;
  return {};
}

Result<void> ActiveExercise::apply(Snapshot& snapshot, const CheckSubmission&) {
  request(snapshot);
  return {};
}

void ActiveExercise::request(Snapshot& snapshot) {
  ExerciseState state = state_of(snapshot);
  if (!state.chosen || state.file.use != Use::Checked) return;
  is_requested_ = true;
  state.checking = ExerciseState::Progress{0, state.chosen->exercise.cases.size()};
  show(snapshot, std::move(state));
}

Result<void> ActiveExercise::apply(Snapshot& snapshot, const StopChecking&) {
  if (is_requested_) end(snapshot, state_of(snapshot));
  return {};
}

Result<void> ActiveExercise::advance(Snapshot& snapshot, pipeline::Execution& execution,
                                     const std::stop_token& stop,
                                     const std::function<void(const Snapshot&)>& publish) {
  ExerciseState state = state_of(snapshot);
  watch_.note();
  const auto check = [&]() -> Result<std::vector<pipeline::Check>> {
    TRY_VOID(require_file(state.file.path));
    TRY(const pipeline::Job submission, pipeline::submission_of(state.file.path));
    execution.compiler().forget();  // headers that it includes may have changed
    pipeline::CheckOptions how{.stop = stop};
    how.language = snapshot.choices.language;
    std::shared_ptr<gpu::Gpu> gpu;
    if (snapshot.choices.producer == pipeline::Producer::Gpu) {
      TRY(gpu, gpu_.gpu());
      how.gpu = gpu.get();
    }
    how.on_case = [&](size_t done) {
      state.checking->cases_done = done;
      show(snapshot, state);
      publish(snapshot);
    };
    return pipeline::check_submission(execution, options_, state.chosen->exercise, submission, how);
  };
  auto checks = check();
  if (!checks && checks.error().kind == ErrorKind::Cancelled) return std::unexpected(checks.error());
  state.error = checks ? std::nullopt : std::optional(checks.error());
  if (checks) state.checks = *std::move(checks);
  end(snapshot, std::move(state));
  return {};
}

void ActiveExercise::fail(Snapshot& snapshot, const Error& error) {
  ExerciseState state = state_of(snapshot);
  state.error = error;
  end(snapshot, std::move(state));
}

void ActiveExercise::end(Snapshot& snapshot, ExerciseState state) {
  is_requested_ = false;
  state.checking.reset();
  show(snapshot, std::move(state));
}

}  // namespace lanescope::session
