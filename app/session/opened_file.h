// A person's own file in the session: its kernels and the launches that are made of them. A launch is first a
// guess (pipeline/launch_guess.h), and what the person made of it is found again the next time
// (session/kept_launches.h). Tests: tests/unit/session/opened_file_test.cpp

#pragma once

#include "pipeline/file_job.h"
#include "pipeline/options.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

struct OpenedFile {
  std::filesystem::path path;  // a source, PTX, a launch file, a saved trace or run; absolute
  std::vector<pipeline::ListedKernel> kernels;     // of a source or PTX
  pipeline::LaunchFile launches;                   // in order; at least one once it was read
  std::vector<pipeline::LaunchProblems> problems;  // [launch]; empty where none is wrong
  /// The accesses of the program's launch whose inputs `launches` has; empty: they have those of none.
  std::filesystem::path program_launch;
  struct Launches {
    pipeline::LaunchFile launches;
    std::filesystem::path program_launch;
  };
  std::map<std::string, Launches> others;  // [choosing_name()] of kernels chosen before, and the program's
  bool is_guess = true;                    // the person has not changed the launches yet
  bool is_read = false;                    // kernels and launches are those of the file now

  bool is_launch_file() const { return path.extension() == ".toml"; }
  /// The run.json of a program of whose launches none can be shown yet.
  bool is_program() const { return path.extension() == ".json"; }
  /// A saved trace: it has no kernels and no launches.
  bool is_trace() const { return path.extension() == ".lane"; }
  /// The accesses of the program's launch that is shown; empty: that of none.
  std::filesystem::path shown_launch() const { return is_trace() ? path : program_launch; }
  /// Whether the host code launches a kernel that can be run.
  bool has_host_launches() const;
};

/// Whether the other is the one that is open, or another launch of its program.
bool is_of_one_subject(const OpenedFile& open, const OpenedFile& other);

/// How it is compiled.
pipeline::FileOptions file_options(const OpenedFile& file, const pipeline::Options& options);

/// Reads kernels and launches. A launch that the file's kernels still fit stays as it is. Errors: those of
/// Execution::kernels() and read_launch_file().
Result<void> read_file(OpenedFile& file, pipeline::Execution& execution, const pipeline::Options& options);

/// The launches of one kernel in place of the present ones, as they were when it was chosen before, else
/// guessed. Errors: Usage for a kernel that the file lacks.
Result<void> choose_kernel(OpenedFile& file, const std::string& kernel);
/// The launches that the host code makes. Errors: those of guess_launch_file().
Result<void> take_host_launches(OpenedFile& file);

/// What is to be run; on errors `problems` names the fields that are wrong.
Result<std::vector<pipeline::Step>> steps_of_file(OpenedFile& file, const pipeline::Options& options);

}  // namespace lanescope::session
