// A sweep as jobs for a cluster: scripts, in a folder that gets a database for each part. Method: one script
// runs part I of N, and can be run again at any time; the others start it, for a Slurm array or by GNU
// parallel, and merge. Source: the manual pages of sbatch (Slurm 22.05) and parallel (20221122). Tests:
// tests/unit/sweep/jobs_test.cpp, tests/programs/slurm_test.py

#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::sweep {

struct JobPlan {
  enum class Scheduler : uint8_t { Slurm, Parallel } scheduler = Scheduler::Slurm;
  uint32_t parts = 1;
};
/// "slurm:16", "parallel:16". Errors: Usage.
Result<JobPlan> parse_jobs(std::string_view text);

struct JobFile {
  std::string name;
  std::string text;
};

/// The words of the sweep's command, and where it runs.
struct JobCommand {
  std::filesystem::path program;   // absolute
  std::filesystem::path working;   // the folder that relative files are in, absolute
  std::filesystem::path folder;    // of the scripts and databases, absolute
  std::vector<std::string> words;  // after the program, without --jobs, --shard and -o
};

/// part.sh, merge.sh, and sweep.sbatch or parallel.sh.
std::vector<JobFile> job_files(const JobPlan& plan, const JobCommand& command);

/// `word` as a shell reads it again.
std::string shell_word(std::string_view word);

/// `words` without these options and their values.
std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string>& options);

}  // namespace lanescope::sweep
