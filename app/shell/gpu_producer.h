// The GPU as producer instead of the emulator, for `--producer gpu` and `auto`. Tests:
// tests/cli/trace_test.cpp (without a GPU), tests/gpu/device (with one).

#pragma once

#include "pipeline/execution.h"
#include "shell/gpu_choice.h"

namespace lanescope::shell {

/// Error (Unsupported): there is no GPU, or this build does not support it; File: no connection to the host.
Result<pipeline::Tracer> gpu_producer(const GpuChoice& choice, const Paths& paths);

}  // namespace lanescope::shell
