// The GPU of a session: opened on first use, closed after errors, and interruptible from any thread. Tests:
// tests/unit/session/producer_test.cpp, tests/unit/session/measurement_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "pipeline/execution.h"
#include "pipeline/options.h"
#include "session/snapshot.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace lanescope::session {

class GpuHandle {
 public:
  explicit GpuHandle(const pipeline::Options& options) : options_(options) {}

  bool exists() const { return options_.open_gpu != nullptr; }
  /// Opens the GPU if needed. Errors: Usage where there is none; Cancelled after end(); those of opening it.
  Result<std::shared_ptr<gpu::Gpu>> gpu();
  /// gpu() opens it again.
  void close() { gpu_.reset(); }
  /// From any thread: calls that wait for its reply return Cancelled, and gpu() opens it again.
  void interrupt();
  /// From any thread: the same, and from now on gpu() returns Cancelled.
  void end();

 private:
  const pipeline::Options& options_;
  std::shared_ptr<gpu::Gpu> gpu_;
  std::mutex mutex_;
  std::stop_source stop_;  // of the calls that wait for gpu_
  bool ended_ = false;
};

struct ProducedRun {
  std::shared_ptr<const pipeline::Run> run;
  std::optional<Error> gpu_error;  // why the emulator ran the kernel instead of the GPU
};

/// Runs the job on the chosen producer. A kernel that the GPU cannot run goes to the emulator; where the GPU
/// cannot be opened, `choices.producer` becomes the emulator.
Result<ProducedRun> run_by_producer(Choices& choices, const pipeline::Job& job,
                                    const pipeline::RunOptions& options, pipeline::Execution& execution,
                                    GpuHandle& gpu);

}  // namespace lanescope::session
