#include "shell/fetched_packages.h"

#include "shell/hosted_program.h"

#include <system_error>

namespace lanescope::shell {

namespace fs = std::filesystem;

void fetch_packages(const fs::path& project, const fs::path& cache, const std::string& set) {
  const fs::path script = project / "third_party/fetch.py";
  std::error_code ignored;
  if (cache.empty() || !fs::exists(script, ignored)) return;
  const ProgramCommand fetch{
      .words = {"/usr/bin/python3", "-I", "-B", script.string(), project.string(), set, cache.string()},
      .output = ProgramCommand::Output::Error};
  (void)run_hosted(fetch, own_environment(), {});
}

}  // namespace lanescope::shell
