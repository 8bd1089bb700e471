#include "shell/paths.h"

#include "export/trace_file.h"
#include "shell/hosting/fetched_packages.h"

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

/// The folder of PTX in the project's cache, unless the program is installed, else in the user's cache, else
/// none. Other cached data is next to it.
fs::path cache_folder(const Paths& paths) {
  std::vector<fs::path> folders;
  if (paths.place == Place::Project) folders.push_back(paths.project / ".cache/ptx");
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

/// `root` is two levels above the program's file.
void place_files(Paths& paths, const fs::path& root) {
  std::error_code ignored;
  if (fs::is_directory(root / "share/lanescope/assets", ignored)) {
    paths.place = Place::Installation;
    paths.project = root / "share/lanescope";
    paths.libraries = root / "lib/lanescope/driver";
    if (fs::exists(root / "__init__.py", ignored)) paths.installed = root.parent_path();
  } else {
    paths.project = root;
    paths.libraries = paths.program.parent_path() / "driver";
  }
}

}  // namespace

Result<Paths> find_paths() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorKind::File, "the program cannot find its own file in /proc; mount /proc");
  Paths paths;
  paths.program = program;
  place_files(paths, program.parent_path().parent_path());
  paths.assets = paths.project / "assets";
  paths.kernels = paths.project / "kernels";
  paths.shaders = paths.project / "shaders";
  paths.fonts = paths.assets / "fonts";
  paths.cache = cache_folder(paths);
  if (paths.place == Place::Project)
    paths.fetched = paths.project / ".cache/third_party";
  else if (!paths.cache.empty())
    paths.fetched = paths.cache.parent_path() / "third_party";
  paths.config = config_folder();
  paths.state = state_folder();
  if (!fs::is_directory(paths.assets / "lessons", error))
    return fail(ErrorKind::File,
                fmt::format("the folder assets/ was expected in {}, two levels above the program; leave "
                            "build/ inside the project's folder, and bin/ of an installation beside share/",
                            paths.project.string()));
  return paths;
}

pipeline::Options session_options(const Paths& paths) {
  pipeline::Options options;
  options.assets = paths.assets;
  options.kernels = paths.kernels;
  options.cache = paths.cache;
  options.fetched = paths.fetched;
  options.installed = paths.installed;
  if (paths.place == Place::Installation && !paths.fetched.empty())
    options.fetch_compiler = [paths](const std::stop_token& stop) {
      fetch_packages(paths.project, paths.fetched.parent_path(), "cuda", stop);
    };
  if (!paths.fetched.empty())
    options.fetch_toolkit = [paths](const std::stop_token& stop) {
      fetch_packages(paths.project, paths.fetched.parent_path(), "nvcc", stop);
    };
  options.read_trace = exporting::read_trace_part;
  if (!paths.config.empty()) options.own_launches = paths.config / "launches";
  if (!paths.cache.empty()) options.own_recordings = paths.cache.parent_path() / "recordings";
  if (!paths.cache.empty()) options.own_devices = paths.cache.parent_path() / "devices";
  return options;
}

}  // namespace lanescope::shell
