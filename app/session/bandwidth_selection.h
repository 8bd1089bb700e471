// Selects the bandwidths to show: those of the chosen device, measured in this session, recorded, or
// modelled; else, or where the person asked for them, measured or recorded ones of another GPU, which say so.
// Tests: tests/unit/session/session_test.cpp, tests/unit/session/measurement_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "recordings/bandwidth.h"
#include "session/gpu_handle.h"
#include "session/modelled_bandwidth.h"
#include "session/snapshot.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace lanescope::session {

class BandwidthSelection {
 public:
  BandwidthSelection(const pipeline::Options& options, GpuHandle& gpu)
      : options_(options), gpu_(gpu), chosen_(options.recording), modelled_(options) {}

  /// Fills snapshot.timings for its lesson and settings, and plans what is to be modelled.
  void show(Snapshot& snapshot, pipeline::Execution& execution);
  /// The same for another device.
  void show_device(Snapshot& snapshot, pipeline::Execution& execution);
  /// Whether model() has something to do.
  bool is_modelling() const { return modelled_.is_under_way(); }
  /// Models the next kernels for the chosen device. A run that fails ends it: then there are no bandwidths.
  void model(Snapshot& snapshot, pipeline::Execution& execution, const std::stop_token& stop);
  void end_modelling(Snapshot& snapshot);
  /// The lesson's files were changed: kernels are modelled again.
  void forget_modelled() { modelled_.forget(); }
  /// Shows the times of another recording. Errors: Usage where there is none of this name.
  Result<void> choose(Snapshot& snapshot, pipeline::Execution& execution, const std::string& name);
  /// Measures the lesson's kernels with the current settings; `progress` gets the snapshot after each of
  /// them. Shows all that was measured, also before an error. Errors: those of opening the GPU and of
  /// measure_kernels().
  Result<void> measure(Snapshot& snapshot, pipeline::Execution& execution, const std::stop_token& stop,
                       const std::function<void(const Snapshot&)>& progress);

 private:
  std::optional<plot::Bandwidth> find(const Snapshot& snapshot, pipeline::Execution& execution);
  void publish(Snapshot& snapshot, std::optional<plot::Bandwidth> bandwidth);
  const recordings::Recording* recording();
  void list(Snapshot& snapshot, std::vector<uint32_t> sizes = {});

  const pipeline::Options& options_;
  GpuHandle& gpu_;
  std::string chosen_;                                // name of a recording
  std::optional<recordings::Recordings> recordings_;  // read when they are first needed
  recordings::Recording measured_;                    // in this session
  recordings::KernelKeys keys_;
  ModelledBandwidth modelled_;
  bool asked_for_times_ = false;  // measuring or a recording was chosen after the device
  uint64_t generation_ = 0;
};

}  // namespace lanescope::session
