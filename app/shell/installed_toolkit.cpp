#include "shell/installed_toolkit.h"

#include "shell/hosted_program.h"

#include <system_error>

namespace lanescope::shell {

namespace fs = std::filesystem;

Result<compile::Toolkit> find_or_fetch_toolkit(const Paths& paths) {
  if (auto toolkit = compile::find_toolkit(paths.fetched)) return *std::move(toolkit);
  const fs::path script = paths.project / "third_party/fetch.py";
  std::error_code ignored;
  if (fs::exists(script, ignored)) {
    const ProgramCommand fetch{
        .words = {"/usr/bin/python3", "-I", "-B", script.string(), paths.project.string(), "nvcc"},
        .output = ProgramCommand::Output::Error};
    (void)run_hosted(fetch, own_environment(), {});
    if (auto toolkit = compile::find_toolkit(paths.fetched)) return *std::move(toolkit);
  }
  return fail(
      ErrorKind::File,
      "nvcc, which compiles whole programs, was not found and could not be fetched from PyPI; install a "
      "CUDA toolkit, or set CUDA_HOME to one");
}

}  // namespace lanescope::shell
