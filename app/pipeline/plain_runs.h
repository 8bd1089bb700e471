// Runs for their buffers alone: of references that an output is compared with, and of the launches before a
// launch. Method: buffers are kept, so that a toggle that such a run ignores does not repeat it.
// Tests: tests/unit/pipeline/lesson_runs_test.cpp

#pragma once

#include "emulator/schedule/pool.h"
#include "pipeline/job.h"
#include "pipeline/job_compiler.h"
#include "pipeline/run_options.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::pipeline {

class PlainRuns {
 public:
  /// Both must outlive the runs.
  PlainRuns(JobCompiler& compiler, emulator::Pool& pool) : compiler_(compiler), pool_(pool) {}

  /// The launch of the job with the data that the launches before it leave in its buffers: the job's own
  /// launch if there are none. Errors: those of JobCompiler::compile() and emulator::record(), and Hazard if
  /// a launch before it does not reach its end.
  Result<std::shared_ptr<const launch::Launch>> prepare(const Job& job, const RunOptions& options);
  /// The expected output of the job; null if a rule gives it, or if none is expected. Errors: those of
  /// prepare().
  Result<launch::Contents> reference_output(const Job& job, const RunOptions& options);

 private:
  struct Kept {
    std::string key;  // JobCompiler::key_of()
    std::shared_ptr<const launch::Launch> launch;
    std::vector<launch::Contents> buffers;
  };
  static constexpr size_t kMostKept = 16;

  /// Buffers after the job with this launch.
  Result<std::vector<launch::Contents>> buffers_after(const Job& job,
                                                      const std::shared_ptr<const launch::Launch>& launch,
                                                      const RunOptions& options);

  JobCompiler& compiler_;
  emulator::Pool& pool_;
  std::vector<Kept> kept_;  // the newest last
};

}  // namespace lanescope::pipeline
