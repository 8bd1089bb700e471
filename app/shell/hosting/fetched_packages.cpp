#include "shell/hosting/fetched_packages.h"

#include "base/limited_process.h"

#include <limits>
#include <system_error>

#include <unistd.h>

namespace lanescope::shell {

namespace fs = std::filesystem;

void fetch_packages(const fs::path& project, const fs::path& cache, const std::string& set,
                    const std::stop_token& stop) {
  const fs::path script = project / "third_party/fetch.py";
  std::error_code ignored;
  if (cache.empty() || !fs::exists(script, ignored)) return;
  (void)run_limited({"/usr/bin/python3", "-I", "-B", script.string(), project.string(), set, cache.string()},
                    {.seconds = std::numeric_limits<uint32_t>::max(),
                     .memory_mib = 0,
                     .stop = stop,
                     .error_to = STDERR_FILENO});
}

}  // namespace lanescope::shell
