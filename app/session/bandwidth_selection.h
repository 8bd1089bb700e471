// Selects the times to show: those measured in this session, else those of the chosen recording. Tests:
// tests/unit/session/session_test.cpp, tests/unit/session/measurement_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "recordings/bandwidth.h"
#include "session/gpu_handle.h"
#include "session/snapshot.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace lanescope::session {

class BandwidthSelection {
 public:
  BandwidthSelection(const pipeline::Options& options, GpuHandle& gpu)
      : options_(options), gpu_(gpu), chosen_(options.recording) {}

  /// Fills snapshot.timings for its lesson and settings.
  void show(Snapshot& snapshot, pipeline::Execution& execution);
  /// Shows the times of another recording. Errors: Usage where there is none of this name.
  Result<void> choose(Snapshot& snapshot, pipeline::Execution& execution, const std::string& name);
  /// Measures the lesson's kernels with the current settings; `progress` gets the snapshot after each of
  /// them. Shows all that was measured, also before an error. Errors: those of opening the GPU and of
  /// measure_kernels().
  Result<void> measure(Snapshot& snapshot, pipeline::Execution& execution, const std::stop_token& stop,
                       const std::function<void(const Snapshot&)>& progress);

 private:
  const recordings::Recording* recording();
  void list(Snapshot& snapshot, std::vector<uint32_t> sizes = {});

  const pipeline::Options& options_;
  GpuHandle& gpu_;
  std::string chosen_;                                // name of a recording
  std::optional<recordings::Recordings> recordings_;  // read when they are first needed
  recordings::Recording measured_;                    // in this session
  recordings::KernelKeys keys_;
  uint64_t generation_ = 0;
};

}  // namespace lanescope::session
