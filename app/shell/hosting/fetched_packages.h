// Packages of PyPI that third_party/fetch.py fetches when they are first needed: nvcc, and in an installation
// NVRTC. Tests: tests/cli/program_test.cpp, tests/packages/install_test.py

#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

namespace lanescope::shell {

/// Fetches a set of packages, nvcc or cuda, into third_party/ below `cache`, and says on standard error what
/// comes and what fails. `stop` ends it. Nothing is done where `project` has no script, or without a cache.
void fetch_packages(const std::filesystem::path& project, const std::filesystem::path& cache,
                    const std::string& set, const std::stop_token& stop = {});

}  // namespace lanescope::shell
