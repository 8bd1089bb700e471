// The GPU as producer instead of the emulator, for `--producer gpu`. Tests:
// tests/cli/trace_test.cpp (without a GPU), tests/gpu/device (with one).

#pragma once

#include "pipeline/execution.h"
#include "shell/gpu_choice.h"

namespace lanescope::shell {

/// Error (Unsupported): there is no GPU, or this build does not support it; File: no connection to the host.
/// `wanted`: the checks that the trace is to name as not made.
Result<pipeline::Tracer> gpu_producer(const GpuChoice& choice, const Paths& paths, emulator::Checks wanted);

}  // namespace lanescope::shell
