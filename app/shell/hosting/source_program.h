// A person's source files as the program that they are: compiled by nvcc, which is fetched when it is first
// needed and no toolkit is installed, and made ready to run. Tests: tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "model/device.h"
#include "pipeline/file_job.h"
#include "shell/hosting/hosted_run.h"
#include "shell/paths.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::shell {

/// The device that a program sees that was compiled from its source: `trace` models it by default.
inline constexpr const char* kDeviceOfSources = "h200";

struct SourceProgram {
  std::vector<std::filesystem::path> files;  // at least one
  std::vector<std::string> arguments;        // of the program
  pipeline::FileOptions options;             // how the files are compiled
};

/// The device that a program sees that is modelled on `device`, which `word` chose: a program of today stops
/// on one of before Volta, and sees the usual one then.
std::string device_seen(const model::Device& device, const std::string& word);

/// Whether nvcc compiles a file of this name: .cu, .cpp, .cc, .cxx, .c.
bool is_source_file(const std::filesystem::path& file);

/// Whether one of the files has the function main.
bool has_main(const std::vector<std::filesystem::path>& files);

/// Compiles the files, and makes `run` the run of that program in the folder of the first file. Errors:
/// Compile with nvcc's words; File where there is no nvcc and none can be fetched, or no g++.
Result<void> compile_source(const SourceProgram& source, const Paths& paths, HostedRun& run);

}  // namespace lanescope::shell
