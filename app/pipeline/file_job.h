// A file of a person's, from its text to launches that can be run: what the verbs of the command line and the
// window's Open share. Tests: tests/unit/pipeline/file_job_test.cpp, tests/cli

#pragma once

#include "pipeline/execution.h"
#include "pipeline/job.h"
#include "pipeline/launch_file.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::pipeline {

/// How a file is compiled.
struct FileOptions {
  std::vector<std::string> defines;              // NAME or NAME=VALUE
  std::vector<std::string> include_directories;  // besides the file's own
  std::string standard = "c++17";
  std::vector<std::string> compiler_options;  // NVRTC's own
  std::string arch = "sm_90";
  std::filesystem::path cache;                // of PTX; empty: none
  std::shared_ptr<const EditedFiles> edited;  // null: none
};

/// The file as a job without a launch. `kernel` is one of its kernels; empty: the only one, or all of them
/// for a list. Errors: those of job_of_file().
Result<Job> text_job_of_file(const std::filesystem::path& file, const std::string& kernel,
                             const FileOptions& options);

/// The steps of these launches, whose files are compiled with `options`. Errors: those of steps_of().
Result<std::vector<Step>> steps_of_files(const LaunchFile& launches, const FileOptions& options);

/// The kernel with this name, as in the source or in the PTX; for an empty name the only one. Null where
/// there is none.
const ListedKernel* kernel_named(std::span<const ListedKernel> kernels, const std::string& name);

/// Those that can be run, in the order in which a person thinks of them: as the host code launches them, then
/// those of the file, then those of its headers.
std::vector<const ListedKernel*> in_order(std::span<const ListedKernel> kernels);

/// The name that means this one alone: of an overload with the types of its parameters.
std::string choosing_name(std::span<const ListedKernel> kernels, const ListedKernel& kernel);

/// The files on disk that the job's text comes from: the source, and what it includes but CUDA's own headers.
std::vector<std::filesystem::path> files_of(const Job& job);

/// What is wrong with the fields of a launch; an empty text says that a field is right.
struct LaunchProblems {
  std::string grid, block, shared;
  std::vector<std::string> arguments;  // [argument]
};
/// [launch] Looks at each field by itself, so that all that are wrong are named.
std::vector<LaunchProblems> problems_of(const LaunchFile& launches);

}  // namespace lanescope::pipeline
