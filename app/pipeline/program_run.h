// The launches of a program that `lanescope run --save` kept, as run.json in the folder of the run has them:
// written by driver/server/program_log.h while the program runs. The file may come from a stranger: what it
// must have and lacks, or has wrongly, is an error. Tests: tests/unit/session/program_run_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct ProgramLaunch {
  uint32_t number = 0;  // in the order of the program's launches, from 0
  std::string kernel;
  std::string entry;  // its name in the PTX
  Dim3 grid, block;
  std::optional<double> seconds;           // that the emulator took; none: it ran on a GPU alone
  std::optional<double> measured_seconds;  // on a GPU
  uint64_t requests = 0;
  uint64_t sectors = 0, ideal_sectors = 0;
  uint64_t wavefronts = 0, ideal_wavefronts = 0;
  std::vector<std::string> findings;    // sentences
  std::optional<bool> is_equal_to_gpu;  // the memory after it, of a launch that was captured on a GPU
  std::vector<std::string> comparison;  // sentences on that
  uint64_t sampled_blocks = 0;          // that ran, and have the counts; 0: all
  bool has_incomplete_inputs = false;   // it read what a launch left of which not all blocks ran
  std::string error;                    // why it did not run to its end; empty: it did
  std::filesystem::path file;           // of its accesses; empty: they were not kept
  std::filesystem::path inputs;         // a file of launches that repeats it; empty: none was kept
  std::string without_inputs;           // why none could be kept
  std::optional<double> matched = {};   // share of the requests of the PTX; none: the PTX is counted
};

struct ProgramRun {
  std::filesystem::path folder;
  std::vector<std::string> command;  // the program and its arguments
  std::string device;
  bool is_of_gpu = false;     // the launches were made on a GPU, and those that were captured also emulated
  std::optional<int> status;  // none: it runs, or was interrupted
  std::vector<ProgramLaunch> launches;
  std::map<std::string, std::string> sources;  // [name in the traces] text
};

/// The launch to look at first, of those that `is_meant` accepts and whose accesses were kept: one that ran
/// to its end before one that did not, one that was run whole on whole inputs before others, then the one
/// that transfers most bytes beyond the ideal, then the one with most requests. Null where there is none.
const ProgramLaunch* costliest_launch(
    const ProgramRun& run,
    const std::function<bool(const ProgramLaunch&)>& is_meant = [](const ProgramLaunch&) { return true; });

/// The launch whose accesses are in this file; null where there is none.
const ProgramLaunch* launch_kept_in(const ProgramRun& run, const std::filesystem::path& file);

/// run.json in `folder`.
std::filesystem::path run_file_of(const std::filesystem::path& folder);
/// Whether the path is the folder of a run, or its run.json.
bool is_program_run(const std::filesystem::path& path);

/// Errors: File, Syntax; Limit for a file of more than 256 MiB.
Result<ProgramRun> read_program_run(const std::filesystem::path& folder);

}  // namespace lanescope::pipeline
