// The least time that a kernel's global memory traffic can take on a device without a timing model: what its
// accesses move, by the device's rules, over the peak of its memory. MODEL: caches are left out, so sectors
// that are touched twice count twice; latency and the multiprocessors' own work are left out too, so the true
// time is longer. Tests: tests/unit/model/timing_test.cpp

#pragma once

#include "model/timing.h"

namespace lanescope::model {

/// A report without partitions and windows. Errors: Unsupported where the memory's bandwidth is not known.
Result<TimingReport> bound_memory(const trace::Trace& trace, const Device& device);

}  // namespace lanescope::model
