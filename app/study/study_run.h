// One run of a study, and what came of it. Tests: tests/unit/study/study_test.cpp

#pragma once

#include "model/bound.h"
#include "model/device.h"
#include "model/timing.h"
#include "pipeline/run.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::study {

/// A kernel of the plan's lesson on a device.
struct StudyRun {
  std::string kernel;  // "padded"
  std::vector<std::pair<std::string, std::string>> toggles;
  model::Device device;
  uint32_t most_blocks = 0;                   // model only these first blocks; 0: all
  std::shared_ptr<const pipeline::Run> done;  // a finished run, which only needs the model
  /// Options of the timing model to use in addition to the default ones.
  std::vector<model::TimingOptions> variants = {};
  bool operator==(const StudyRun&) const = default;
};

struct StudyOutcome {
  model::TimingReport timing;                 // empty where the device has no timing model
  std::vector<model::TimingReport> variants;  // [variant of the run], without windows
  model::Work work;                           // of the whole grid
  std::string key;  // by which recorded times are found; empty for a run that was done
};

}  // namespace lanescope::study
