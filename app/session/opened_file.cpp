#include "session/opened_file.h"

#include "pipeline/launch_guess.h"
#include "session/kept_launches.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::session {

using pipeline::LaunchFile;
using pipeline::LaunchText;
using pipeline::ListedKernel;

namespace {

/// What the launch gives the parameter of this name; null where it gives none, or a guess.
const std::string* argument_named(const LaunchText& launch, const std::string& name) {
  const auto is_of_name = [&](const auto& guess) { return guess.name == name; };
  if (std::ranges::any_of(launch.guess.buffers, is_of_name) ||
      std::ranges::any_of(launch.guess.counts, is_of_name))
    return nullptr;
  const auto found = std::ranges::find_if(
      launch.arguments, [&](const std::string& argument) { return argument.starts_with(name + "="); });
  return name.empty() || found == launch.arguments.end() ? nullptr : &*found;
}

/// The launch of this kernel as far as it can be guessed; the other fields are for the person to fill in. An
/// empty name: of the kernel to begin with.
LaunchFile guessed_launches(const OpenedFile& file, const std::string& kernel) {
  LaunchFile launches;
  launches.defines = file.launches.defines;
  launches.include_directories = file.launches.include_directories;
  LaunchText& launch = launches.launches.emplace_back();
  launch.file = file.path.string();
  launch.kernel = kernel;
  launch.grid.clear();
  if (auto guess = pipeline::guess_launch(file.kernels, launch)) launch = std::move(guess->text);
  return launches;
}

bool fits(const LaunchText& launch, const ListedKernel* kernel) {
  return kernel != nullptr && kernel->parameters.size() == launch.arguments.size();
}

/// After the file has changed: the launch of a kernel that is gone or has other parameters is guessed again.
void adapt(OpenedFile& file) {
  if (file.launches.launches.size() > 1) return;  // the run names what does not fit
  const ListedKernel* kernel =
      file.launches.launches.empty()
          ? nullptr
          : pipeline::kernel_named(file.kernels, file.launches.launches.front().kernel);
  if (kernel == nullptr) {
    // Where none of several kernels can be run, the run of the first says why.
    const bool is_any = !pipeline::in_order(file.kernels).empty();
    file.launches =
        guessed_launches(file, is_any ? "" : pipeline::choosing_name(file.kernels, file.kernels.front()));
    file.is_guess = true;
    return;
  }
  LaunchText& launch = file.launches.launches.front();
  if (fits(launch, kernel)) return;
  const LaunchText before = launch;
  launch.arguments.clear();
  if (auto guess = pipeline::guess_launch(file.kernels, launch)) launch = std::move(guess->text);
  for (size_t n = 0; n < kernel->parameters.size(); ++n)
    if (const std::string* const same = argument_named(before, kernel->parameters[n].name))
      launch.arguments[n] = *same;
}

}  // namespace

bool OpenedFile::has_host_launches() const {
  return std::ranges::any_of(
      kernels, [](const ListedKernel& kernel) { return !kernel.refused && !kernel.launches.empty(); });
}

bool is_of_one_subject(const OpenedFile& open, const OpenedFile& other) {
  const auto is_kept = [](const OpenedFile& file) { return file.is_trace() || file.is_program(); };
  return open.path == other.path ||
         (is_kept(open) && is_kept(other) && open.path.parent_path() == other.path.parent_path());
}

pipeline::FileOptions file_options(const OpenedFile& file, const pipeline::Options& options) {
  pipeline::FileOptions how;
  how.cache = options.cache;
  how.edited = options.edited;
  how.defines = options.compiler.defines;
  how.defines.insert(how.defines.end(), file.launches.defines.begin(), file.launches.defines.end());
  how.standard = options.compiler.standard;
  how.compiler_options = options.compiler.more;
  how.include_directories = file.launches.include_directories;
  return how;
}

namespace {

Result<void> require_folders(const OpenedFile& file) {
  std::error_code ignored;
  for (const std::string& folder : file.launches.include_directories)
    if (!std::filesystem::is_directory(folder, ignored))
      return fail(ErrorKind::Usage,
                  fmt::format("there is no folder {} to search for headers; check its path", folder));
  return {};
}

}  // namespace

Result<void> read_file(OpenedFile& file, pipeline::Execution& execution, const pipeline::Options& options) {
  execution.compiler().forget();
  if (file.is_launch_file()) {
    TRY(file.launches, pipeline::read_launch_file(file.path));
    file.is_guess = false;
    file.is_read = true;
    return {};
  }
  if (file.launches.launches.empty())
    if (auto kept = find_kept_launches(options.own_launches, file.path)) {
      for (const std::string& folder : file.launches.include_directories)
        if (std::ranges::find(kept->include_directories, folder) == kept->include_directories.end())
          kept->include_directories.push_back(folder);
      file.launches = *std::move(kept);
      file.is_guess = false;
    }
  TRY_VOID(require_folders(file));
  TRY(const pipeline::Job job, pipeline::text_job_of_file(file.path, "", file_options(file, options)));
  TRY(file.kernels, execution.compiler().kernels(job));
  adapt(file);
  file.is_read = true;
  return {};
}

Result<void> choose_kernel(OpenedFile& file, const std::string& name) {
  const ListedKernel* const kernel = pipeline::kernel_named(file.kernels, name);
  if (kernel == nullptr) {
    std::vector<std::string_view> names;
    for (const ListedKernel& one : file.kernels) names.push_back(one.name);
    return fail(ErrorKind::Usage,
                fmt::format("there is no kernel '{}'; the file has {}", name, fmt::join(names, ", ")));
  }
  if (file.launches.launches.size() == 1)
    file.others[file.launches.launches.front().kernel] = {file.launches, file.program_launch};
  const std::string own_name = pipeline::choosing_name(file.kernels, *kernel);
  const auto known = file.others.find(own_name);
  const bool is_known = known != file.others.end() && fits(known->second.launches.launches.front(), kernel);
  file.program_launch = is_known ? known->second.program_launch : std::filesystem::path();
  file.launches = is_known ? known->second.launches : guessed_launches(file, own_name);
  file.is_guess = !is_known;
  return {};
}

Result<void> take_host_launches(OpenedFile& file) {
  TRY(LaunchFile launches, pipeline::guess_launch_file(file.path.string(), file.kernels));
  launches.defines = file.launches.defines;
  launches.include_directories = file.launches.include_directories;
  file.launches = std::move(launches);
  file.program_launch.clear();
  file.is_guess = true;
  return {};
}

Result<std::vector<pipeline::Step>> steps_of_file(OpenedFile& file, const pipeline::Options& options) {
  file.problems.clear();
  // What the launches have themselves is added to how their files are compiled.
  auto steps = pipeline::steps_of_files(file.launches, file_options({}, options));
  if (!steps) file.problems = pipeline::problems_of(file.launches);
  return steps;
}

}  // namespace lanescope::session
