// Runs a job: gets its PTX from the assets, the cache or the compiler, then parses, lowers, executes and
// models it. Method: compiled programs are cached by content, so that a change reruns from its own stage
// only. Tests: tests/unit/pipeline/lesson_runs_test.cpp, tests/unit/session/session_test.cpp

#pragma once

#include "emulator/checks/checks.h"
#include "emulator/run.h"
#include "emulator/schedule/pool.h"
#include "emulator/schedule/scheduling.h"
#include "model/device.h"
#include "pipeline/job.h"
#include "pipeline/listed_kernel.h"
#include "pipeline/run.h"
#include "ptx/program.h"
#include "trace/recorder.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace lanescope::pipeline {

/// A job's text after compiling and lowering.
struct Compiled {
  std::string ptx_text;
  ptx::Program program;
  bool from_compiler = false;  // NVRTC ran for it; else it came from the assets, the cache or the file itself
};

/// Traces a compiled kernel in place of the emulator.
using Tracer =
    std::function<Result<emulator::Recording>(const Compiled&, const launch::Launch&, const trace::Keep&)>;

struct RunOptions {
  trace::Keep keep;
  std::stop_token stop;
  uint64_t limit_steps = 0;                          // 0: the emulator's default
  unsigned threads = 0;                              // 0: the whole pool
  std::atomic<uint64_t>* finished_blocks = nullptr;  // counts up while the kernel runs
  uint64_t first_blocks = 0;                         // run only these; 0: all
  emulator::Checks checks = emulator::Checks::All;
  emulator::Scheduling scheduling = emulator::Scheduling::Independent;
  emulator::Engine engine = emulator::Engine::Batches;
  Tracer tracer = {};  // empty: the emulator
};

/// Carries out jobs and caches compiled programs. Used by one thread at a time.
class Execution {
 public:
  explicit Execution(Options options);

  /// `stop` ends fetching a compiler. Errors: Compile with NVRTC's log, Syntax and Unsupported with the PTX
  /// line, File when there is no compiler, Cancelled.
  Result<std::shared_ptr<const Compiled>> compile(const Job& job, const std::stop_token& stop = {});
  /// All kernels of the job's file, whichever it is to run. Errors: those of compile() that concern the file.
  Result<std::vector<ListedKernel>> kernels(const Job& job);
  /// The PTX alone, neither parsed nor lowered.
  Result<std::string> ptx_text(const Job& job);
  /// Compiles everything again that is asked for: a file that a job's text includes may have changed.
  void forget_compiled() { compiled_.clear(); }
  /// Whether NVRTC is on this machine, so that compile() fetches none. False where only the loader knows its
  /// place, until it was opened.
  bool has_compiler() const;
  /// Whether compile() would return at once.
  bool is_compiled(const Job& job) const;

  /// Compiles if needed, executes, and fills what follows from the run and the device.
  Result<std::shared_ptr<const Run>> run(const Job& job, const model::Device& device,
                                         const RunOptions& options);

  /// The launch of the job with what the launches before it leave in its buffers: the job's own where there
  /// are none. Errors: those of run(), and Hazard where one of them does not reach its end.
  Result<std::shared_ptr<const launch::Launch>> prepare(const Job& job, const RunOptions& options);

  /// What one warp does to its registers. Errors: those of run().
  Result<std::shared_ptr<const trace::History>> history(const Job& job, CtaId cta, WarpId warp,
                                                        const RunOptions& options);

  /// The threads that execute runs, for other work between runs.
  emulator::Pool& pool() { return pool_; }

  /// The same run with the partition map of another device: no kernel runs.
  std::shared_ptr<const Run> with_device(const Run& run, const model::Device& device) const;

 private:
  /// What a reference or an earlier launch wrote, kept so that a toggle that it ignores does not run it
  /// again.
  struct ReferenceRun {
    std::string key;
    std::shared_ptr<const launch::Launch> launch;
    std::vector<launch::Contents> buffers;
  };
  static constexpr size_t kMostReferences = 16;

  /// Buffers after a run whose accesses nobody looks at, from the cache if possible.
  Result<std::vector<launch::Contents>> plain_run(const Job& job,
                                                  const std::shared_ptr<const launch::Launch>& launch,
                                                  const RunOptions& options);
  /// What the job's output is to be; null where a rule says it, or nothing is expected.
  Result<launch::Contents> reference_output(const Job& job, const RunOptions& options);
  /// PTX, and the kernels that the job's text declares.
  struct Ptx {
    std::string text;
    std::vector<compile::KernelDeclaration> kernels = {};
    std::vector<std::string> missing = {};  // includes that were not found
    bool from_compiler = false;
  };
  Result<Ptx> ptx_of(const Job& job, const std::stop_token& stop = {});
  emulator::Options emulator_options(const RunOptions& options);

  Options options_;
  emulator::Pool pool_;
  std::optional<compile::Compiler> compiler_;  // loaded when something is to be compiled
  compile::CompilerFiles compiler_files_;
  std::map<std::string, std::shared_ptr<const Compiled>> compiled_;  // [content key and kernel]
  std::map<std::string, double> seconds_;  // [content key and kernel], of what no run has reported yet
  std::vector<ReferenceRun> references_;   // the newest last
};

}  // namespace lanescope::pipeline
