#include "shell/hosting/installed_toolkit.h"

#include "shell/hosting/fetched_packages.h"

namespace lanescope::shell {

Result<compile::Toolkit> find_or_fetch_toolkit(const Paths& paths) {
  if (auto toolkit = compile::find_toolkit(paths.fetched, paths.installed)) return *std::move(toolkit);
  fetch_packages(paths.project, paths.fetched.parent_path(), "nvcc");
  if (auto toolkit = compile::find_toolkit(paths.fetched, paths.installed)) return *std::move(toolkit);
  return fail(
      ErrorKind::File,
      paths.installed.empty()
          ? "nvcc, which compiles whole programs, was not found and could not be fetched from PyPI; install "
            "a "
            "CUDA toolkit, or set CUDA_HOME to one"
          : "nvcc, which compiles whole programs, was not found and could not be fetched from PyPI; run pip "
            "install 'lanescope[programs]', or set CUDA_HOME to a CUDA toolkit");
}

}  // namespace lanescope::shell
