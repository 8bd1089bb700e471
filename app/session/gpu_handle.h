// The GPU of a session: opened on first use, closed after errors, and interruptible from any thread. Tests:
// tests/unit/session/producer_test.cpp, tests/unit/session/measurement_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "pipeline/execution.h"
#include "pipeline/options.h"
#include "pipeline/sequence.h"
#include "session/snapshot.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

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

struct ProducedRuns {
  std::vector<std::shared_ptr<const pipeline::Run>> runs;  // [step], as far as they were run
  std::optional<Error>
      instead;  // why it was not run as it was chosen: by the emulator, or counted as the PTX
};

/// Runs the steps on the chosen producer; `before_step` is called before each. A kernel that the GPU cannot
/// run goes to the emulator, with the whole sequence; where the GPU cannot be opened, `choices.producer`
/// becomes the emulator.
Result<ProducedRuns> run_by_producer(Choices& choices, std::span<const pipeline::Step> steps,
                                     const pipeline::RunOptions& options, pipeline::Execution& execution,
                                     GpuHandle& gpu,
                                     const std::function<void(const pipeline::Job&)>& before_step);

}  // namespace lanescope::session
