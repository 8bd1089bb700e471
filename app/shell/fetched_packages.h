// Packages of PyPI that third_party/fetch.py fetches when they are first needed: nvcc, and in an installation
// NVRTC. Tests: tests/cli/program_test.cpp, tests/packages/install_test.py

#pragma once

#include <filesystem>
#include <string>

namespace lanescope::shell {

/// Fetches a set of packages, nvcc or cuda, into third_party/ below `cache`, and says on standard error what
/// comes and what fails. Nothing is done where `project` has no script, or without a cache.
void fetch_packages(const std::filesystem::path& project, const std::filesystem::path& cache,
                    const std::string& set);

}  // namespace lanescope::shell
