// The GPU of a session: opened when something is first asked of it, and the producer that it then is beside
// the emulator. Tests: tests/unit/session/producer_test.cpp, measurement_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "pipeline/execution.h"
#include "pipeline/options.h"
#include "session/snapshot.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace lanescope::session {

class GpuHandle {
 public:
  explicit GpuHandle(const pipeline::Options& options) : options_(options) {}

  bool exists() const { return options_.open_gpu != nullptr; }
  /// Errors: Usage where there is none; Cancelled after end(); those of opening it.
  Result<std::shared_ptr<gpu::Gpu>> gpu();
  /// The next time it is opened anew.
  void close() { gpu_.reset(); }
  /// From any thread: whoever waits for its answer gets Cancelled, and the next time it is opened anew.
  void interrupt();
  /// From any thread: the same, and for good: from now on gpu() is Cancelled.
  void end();

 private:
  const pipeline::Options& options_;
  std::shared_ptr<gpu::Gpu> gpu_;
  std::mutex mutex_;
  std::stop_source stop_;  // of what gpu_ waits for
  bool ended_ = false;
};

/// Runs the job on the producer that the snapshot has. What the GPU cannot run the emulator does, and
/// snapshot.error says why; where there is no GPU, the emulator is chosen from then on.
Result<std::shared_ptr<const pipeline::Run>> run_by_producer(Snapshot& snapshot, const pipeline::Job& job,
                                                             const pipeline::RunOptions& options,
                                                             pipeline::Execution& execution, GpuHandle& gpu);

}  // namespace lanescope::session
