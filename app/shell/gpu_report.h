// The description of the GPU for `time` and `record`, and the help texts of their options. Tests:
// tests/cli/remote_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "recordings/recording.h"
#include "shell/paths.h"

#include <string>
#include <string_view>

namespace lanescope::shell {

/// Fills gpu, compute_capability, driver, cuda and date (today).
void describe_gpu(const gpu::Description& description, recordings::Recording& recording);

recordings::RecordedSeconds seconds_of(const gpu::Timing& timing);

/// Decimal gigabytes per second.
double gigabytes_per_second(uint64_t bytes, double seconds);

}  // namespace lanescope::shell
