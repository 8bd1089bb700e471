// `lanescope env`: the variables for a shell in which builds use Lanescope's nvcc and toolkit, as they do
// under `lanescope run -- make`. The toolkit's folder stays in the cache, for programs that are built later.
// Tests: tests/cli/build_test.cpp

#include "shell/hosting/hosted_program.h"
#include "shell/hosting/installed_toolkit.h"
#include "shell/hosting/toolkit_folder.h"
#include "shell/verbs.h"

#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// The value for a shell, in single quotes.
std::string in_quotes(std::string_view value) {
  std::string text = "'";
  for (const char c : value) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Result<fs::path> make_lasting_folder(const compile::Toolkit& toolkit, const Paths& paths) {
  const fs::path folder =
      (paths.cache.empty() ? fs::temp_directory_path() : paths.cache.parent_path()) / "toolkit";
  std::error_code error;
  fs::remove_all(folder, error);
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::File, fmt::format("the toolkit's folder cannot be made: {}", error.message()),
                Location{folder.string(), 0});
  fill_toolkit_folder(toolkit, paths.libraries, folder);
  return folder;
}

Result<int> print_environment(const Paths& paths) {
  TRY(const compile::Toolkit toolkit, find_or_fetch_toolkit(paths));
  TRY(const fs::path folder, make_lasting_folder(toolkit, paths));
  const Hosting host{.libraries = paths.libraries,
                     .links = {},
                     .driver = {},
                     .python = {},
                     .socket = {},
                     .device = {},
                     .lanescope = paths.program,
                     .project = paths.project,
                     .cache = paths.fetched.parent_path(),
                     .nvcc = toolkit.nvcc,
                     .toolkit = folder};
  for (const std::string& entry : build_environment_of(host)) {
    const size_t end = entry.find('=');
    fmt::print("export {}={}\n", entry.substr(0, end), in_quotes(entry.substr(end + 1)));
  }
  return 0;
}

}  // namespace

void add_env_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "env",
      "print the variables for a shell whose builds use Lanescope's nvcc: eval \"$(lanescope env)\", then "
      "lanescope run -- ./program");
  verb.on_chosen([&action] { action = print_environment; });
}

}  // namespace lanescope::shell
