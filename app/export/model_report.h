// The JSON report of `lanescope model`: time, bandwidth, traffic and queues of each partition. The names are
// a contract that scripts rely on. Tests: tests/cli/model_test.cpp

#pragma once

#include "export/json.h"
#include "model/bound.h"
#include "model/device.h"
#include "model/timing.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::exporting {

struct ModelHeader {
  std::string file;
  uint32_t dynamic_shared_bytes = 0;
  std::string method;                  // "timing" or "bound"
  std::vector<std::string> without;    // assumptions that were switched off
  double seed_low = 0, seed_high = 0;  // GiB/s over the seeds of the start delays; 0 if there were none
  // GiB/s if an integer division takes half, or twice, as long as estimated; 0 if the kernel has none.
  double cheap_divisions = 0, dear_divisions = 0;
  double model_seconds = 0;                // run time of the model
  std::optional<model::BoundTerms> bound;  // of a later device
  bool by_caches = false;                  // `bound` is of what the modelled caches transfer
  double recorded_seconds = 0;             // of the same kernel; 0: not recorded
  std::string recorded_on;                 // "NVIDIA H200, driver 580.159.04, 2026-11-21"
};

/// Start, limit and the seconds of each level.
Json bound_json(const model::BoundTerms& terms);

std::string model_report(const trace::Trace& trace, const model::Device& device,
                         const model::TimingReport& timing, const ModelHeader& header);

}  // namespace lanescope::exporting
