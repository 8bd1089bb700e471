// The GPU as the producer of a run, in place of the emulator. Tests: tests/unit/session/producer_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "pipeline/execution.h"

#include <memory>

namespace lanescope::pipeline {

/// For RunOptions::tracer: traces kernels on this GPU. The traces say which checks a GPU did not make; of the
/// optional ones only if they are wanted.
Tracer gpu_tracer(std::shared_ptr<gpu::Gpu> gpu, emulator::Checks wanted);

}  // namespace lanescope::pipeline
