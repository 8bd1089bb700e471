// A program of the user's that `lanescope run` starts: with an environment in which Lanescope stands in for
// the CUDA driver. Tests: tests/cli/run_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::shell {

struct Hosting {
  std::filesystem::path libraries;  // the folder with libcuda.so.1 and its companions
  std::filesystem::path python;  // the folder of the modules that are added to Python's path; may be missing
  std::filesystem::path socket;  // of the driver
  std::string device;            // the word that chose it
  std::filesystem::path lanescope;  // this program, for figures of what was kept
};

/// The program's environment: this process's with what Hosting adds.
std::vector<std::string> environment_of(const Hosting& hosting);

/// Runs `words` in the environment to its end, with this process's input and output. Returns its exit status;
/// 128 and the signal's number where a signal ended it. SIGINT from the terminal reaches the program and not
/// this process. Errors: Usage where there is no such program.
Result<int> run_hosted(const std::vector<std::string>& words, const std::vector<std::string>& environment);

/// Starts a program that outlives this one. Errors: as above.
Result<void> start_detached(const std::vector<std::string>& words);

}  // namespace lanescope::shell
