// Runs jobs: compiles, executes and models them. Method: each stage keeps its results, so that a change
// reruns from its own stage only. Tests: tests/unit/pipeline/lesson_runs_test.cpp,
// tests/unit/session/session_test.cpp

#pragma once

#include "emulator/schedule/pool.h"
#include "model/device.h"
#include "pipeline/job.h"
#include "pipeline/job_compiler.h"
#include "pipeline/options.h"
#include "pipeline/plain_runs.h"
#include "pipeline/run.h"
#include "pipeline/run_options.h"

#include <memory>
#include <utility>

namespace lanescope::pipeline {

/// Used by one thread at a time.
class Execution {
 public:
  explicit Execution(Options options)
      : options_(std::move(options)),
        pool_(options_.threads),
        compiler_(options_),
        plain_runs_(compiler_, pool_) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  Execution(Execution&&) = delete;
  Execution& operator=(Execution&&) = delete;
  ~Execution() = default;

  /// Compiles jobs, also for questions about a file that is not run.
  JobCompiler& compiler() { return compiler_; }

  /// Compiles if needed, executes, and fills what follows from the run and the device.
  Result<std::shared_ptr<const Run>> run(const Job& job, const model::Device& device,
                                         const RunOptions& options);

  /// PlainRuns::prepare().
  Result<std::shared_ptr<const launch::Launch>> prepare(const Job& job, const RunOptions& options) {
    return plain_runs_.prepare(job, options);
  }

  /// Values of one warp's registers, step by step. Errors: those of run().
  Result<std::shared_ptr<const trace::History>> history(const Job& job, CtaId cta, WarpId warp,
                                                        const RunOptions& options);

  /// The threads that execute runs, for other work between runs.
  emulator::Pool& pool() { return pool_; }

  /// Models `run` on another device: no kernel runs.
  std::shared_ptr<const Run> with_device(const Run& run, const model::Device& device) const;

 private:
  Options options_;
  emulator::Pool pool_;
  JobCompiler compiler_;
  PlainRuns plain_runs_;
};

}  // namespace lanescope::pipeline
