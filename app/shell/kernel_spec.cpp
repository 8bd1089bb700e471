#include "shell/kernel_spec.h"

#include "base/file.h"

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

std::string setting(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value != nullptr ? value : "";
}

/// Where Jupyter looks for kernels of this user.
Result<fs::path> folder_of_kernels() {
  if (const std::string own = setting("JUPYTER_DATA_DIR"); !own.empty()) return fs::path(own) / "kernels";
  if (const std::string data = setting("XDG_DATA_HOME"); !data.empty())
    return fs::path(data) / "jupyter/kernels";
  const std::string home = setting("HOME");
  if (home.empty())
    return fail(ErrorKind::File, "there is no home folder for Jupyter's kernels; set JUPYTER_DATA_DIR");
  return fs::path(home) / ".local/share/jupyter/kernels";
}

}  // namespace

Result<int> write_kernel_spec(const Paths& paths, const std::vector<std::string>& python) {
  std::vector<std::string> words{paths.program.string(), "run", "--save", "auto", "--"};
  if (python.empty()) words.emplace_back("python3");
  words.insert(words.end(), python.begin(), python.end());
  words.insert(words.end(), {"-m", "ipykernel_launcher", "-f", "{connection_file}"});
  TRY(const fs::path kernels, folder_of_kernels());
  const fs::path folder = kernels / "lanescope";
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return fail(ErrorKind::File, fmt::format("the folder cannot be made: {}", problem.message()),
                Location{folder.string(), 0});
  const nlohmann::json spec{
      {"argv", words}, {"display_name", "Python 3 (Lanescope)"}, {"language", "python"}};
  TRY_VOID(write_file(folder / "kernel.json", spec.dump(1) + "\n"));
  fmt::print("{}\n", (folder / "kernel.json").string());
  return 0;
}

}  // namespace lanescope::shell
