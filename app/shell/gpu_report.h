// What `time` and `record` say of the GPU that they ran on, and the words of their options. Tests:
// tests/cli/gpu_test.cpp

#pragma once

#include "gpu/counters.h"
#include "gpu/timing.h"
#include "session/recording.h"
#include "shell/paths.h"

#include <string>
#include <string_view>

namespace lanescope::shell {

/// The driver, and the first GPU that it shows.
struct OpenGpu {
  gpu::Driver driver;
  gpu::Context context;
};
Result<OpenGpu> open_gpu();

/// The hardware counters, where CUPTI is and may read them; nothing is timed while they are open.
Result<gpu::Counters> open_counters(const OpenGpu& open, const Paths& paths);

/// Fills gpu, compute_capability, driver, cuda and date.
void describe_gpu(const OpenGpu& open, session::Recording& recording);

session::RecordedSeconds seconds_of(const gpu::Timing& timing);

/// Decimal gigabytes per second.
double gigabytes_per_second(uint64_t bytes, double seconds);

}  // namespace lanescope::shell
