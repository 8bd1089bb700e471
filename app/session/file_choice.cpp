#include "session/file_choice.h"

#include "pipeline/guessed_run.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"

#include <system_error>
#include <utility>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_run(const fs::path& path) {
  return path.extension() == ".json" ? path.parent_path() : path;
}

/// The accesses of the first launch that were kept; while there are none the run itself.
fs::path first_kept(const pipeline::ProgramRun& run) {
  for (const pipeline::ProgramLaunch& launch : run.launches)
    if (!launch.file.empty()) return launch.file;
  return pipeline::run_file_of(run.folder);
}

void put(Choices& choices, OpenedFile file) {
  choices.file = std::make_shared<const OpenedFile>(std::move(file));
}

}  // namespace

std::optional<std::string> lesson_at(const std::filesystem::path& path) {
  std::error_code problem;
  const auto whole = std::filesystem::absolute(path, problem).lexically_normal();
  if (whole.filename() == "lesson.toml") return whole.parent_path().string();
  if (std::filesystem::is_directory(whole, problem) && !pipeline::is_program_run(whole))
    return whole.string();
  return {};
}

Result<void> open_lesson(Choices& choices, const pipeline::Options& options, const std::string& name) {
  TRY(lesson::Lesson found, lesson::find_lesson(options.assets / "lessons", name));
  TRY(choices.device, model::find_device(options.assets / "devices", found.device));
  choices.lesson = std::make_shared<const lesson::Lesson>(std::move(found));
  choices.settings = lesson::initial_settings(*choices.lesson);
  choices.file = nullptr;
  choices.exercise.clear();
  choices.launch = 0;
  return {};
}

void open_file(Choices& choices, OpenedFile file) {
  choices.lesson = nullptr;
  choices.exercise.clear();
  choices.settings = {};
  choices.launch = 0;
  put(choices, std::move(file));
}

Result<void> open_file(Choices& choices, const pipeline::Options& options, const std::filesystem::path& path,
                       const std::vector<std::string>& include_directories) {
  OpenedFile file;
  file.path = pipeline::edited_name(path);
  for (const std::string& folder : include_directories)
    file.launches.include_directories.push_back(pipeline::edited_name(folder).string());
  std::error_code problem;
  model::Device device = choices.device;
  // Not that of the last lesson.
  if (!choices.file)
    if (auto usual = model::find_device(options.assets / "devices", options.device_of_files))
      device = *std::move(usual);
  if (pipeline::is_program_run(file.path)) {
    TRY(const pipeline::ProgramRun run, pipeline::read_program_run(folder_of_run(file.path)));
    if (auto seen = model::find_device(options.assets / "devices", run.device)) device = *std::move(seen);
    file.path = first_kept(run);
  } else if (file.is_trace()) {
    // The run reads it.
    if (!std::filesystem::is_regular_file(file.path, problem))
      return fail(ErrorKind::File, "there is no such file; check the path", Location{file.path.string(), 0});
  } else if (file.is_launch_file()) {
    TRY_VOID(pipeline::read_launch_file(file.path));
  } else {
    TRY_VOID(pipeline::job_of_file(file.path, choices.edited));
  }
  choices.device = std::move(device);
  open_file(choices, std::move(file));
  return {};
}

void set_launches(Choices& choices, const pipeline::LaunchFile& launches) {
  OpenedFile file = *choices.file;
  const pipeline::LaunchFile before = std::move(file.launches);
  file.launches = launches;
  for (size_t n = 0; n < file.launches.launches.size(); ++n)
    file.launches.launches[n].guess =
        n < before.launches.size() ? pipeline::guess_left(before.launches[n], file.launches.launches[n])
                                   : pipeline::Guess{};
  for (std::string& folder : file.launches.include_directories)
    folder = pipeline::edited_name(file.path.parent_path() / folder).string();
  // Other macros or headers may make other kernels.
  file.is_read &= before.defines == file.launches.defines &&
                  before.include_directories == file.launches.include_directories;
  file.is_guess = false;
  put(choices, std::move(file));
}

Result<void> take_host_launches(Choices& choices) {
  OpenedFile file = *choices.file;
  TRY_VOID(take_host_launches(file));
  choices.launch = 0;
  put(choices, std::move(file));
  return {};
}

Result<void> choose_kernel(Choices& choices, const std::string& kernel) {
  OpenedFile file = *choices.file;
  TRY_VOID(choose_kernel(file, kernel));
  choices.launch = 0;
  put(choices, std::move(file));
  return {};
}

void forget_contents(Choices& choices) {
  OpenedFile file = *choices.file;
  file.is_read = false;
  put(choices, std::move(file));
}

}  // namespace lanescope::session
