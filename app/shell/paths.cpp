#include "shell/paths.h"

#include "export/trace_file.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> environment_folder(const char* name) {
  // Read once at start-up, before there are threads.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr || *value == '\0') return {};
  return fs::path(value);
}

bool can_write(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && access(folder.c_str(), W_OK) == 0;
}

/// The folder of PTX in the project's cache, else in the user's cache, else none. Other cached data is next
/// to it.
fs::path cache_folder(const fs::path& project) {
  std::vector<fs::path> folders{project / ".cache/ptx"};
  if (const auto cache = environment_folder("XDG_CACHE_HOME")) folders.push_back(*cache / "lanescope/ptx");
  if (const auto home = environment_folder("HOME")) folders.push_back(*home / ".cache/lanescope/ptx");
  const auto found = std::ranges::find_if(folders, can_write);
  return found == folders.end() ? fs::path() : *found;
}

/// The person's own configuration. Source: XDG Base Directory Specification.
fs::path config_folder() {
  if (const auto config = environment_folder("XDG_CONFIG_HOME")) return *config / "lanescope";
  if (const auto home = environment_folder("HOME")) return *home / ".config/lanescope";
  return {};
}

/// What is kept from one start to the next, and is no configuration. Source: XDG Base Directory
/// Specification.
fs::path state_folder() {
  if (const auto state = environment_folder("XDG_STATE_HOME")) return *state / "lanescope";
  if (const auto home = environment_folder("HOME")) return *home / ".local/state/lanescope";
  return {};
}

}  // namespace

Result<Paths> find_paths() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorKind::File, "the program cannot find its own file in /proc; mount /proc");
  const fs::path project = program.parent_path().parent_path();
  Paths paths;
  paths.program = program;
  paths.project = project;
  paths.assets = project / "assets";
  paths.kernels = project / "kernels";
  paths.shaders = project / "shaders";
  paths.fonts = paths.assets / "fonts";
  paths.fetched = project / ".cache/third_party";
  paths.cache = cache_folder(project);
  paths.config = config_folder();
  paths.state = state_folder();
  if (!fs::is_directory(paths.assets / "lessons", error))
    return fail(ErrorKind::File,
                fmt::format("the folder assets/ was expected in {}, two levels above the program; leave "
                            "build/ inside the project's folder",
                            project.string()));
  return paths;
}

pipeline::Options session_options(const Paths& paths) {
  pipeline::Options options;
  options.assets = paths.assets;
  options.kernels = paths.kernels;
  options.cache = paths.cache;
  options.fetched = paths.fetched;
  options.read_trace = exporting::read_trace;
  if (!paths.config.empty()) options.own_launches = paths.config / "launches";
  if (!paths.cache.empty()) options.own_recordings = paths.cache.parent_path() / "recordings";
  if (!paths.cache.empty()) options.own_devices = paths.cache.parent_path() / "devices";
  return options;
}

}  // namespace lanescope::shell
