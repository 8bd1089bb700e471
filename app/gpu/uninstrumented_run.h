// Runs a kernel without recorders once: uploads its buffers, launches it, downloads the buffers.
// Tests: the target record_on_gpu (needs a GPU); tests/unit/gpu/launch_buffers_test.cpp

#pragma once

#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "launch/launch.h"

#include <vector>

namespace lanescope::gpu {

/// The contents afterwards, [buffer of the launch]. After an error of the kernel itself (Memory) this process
/// can no longer use the GPU.
Result<std::vector<launch::Contents>> run_uninstrumented(const Context& context, const Kernel& kernel,
                                                         const launch::Launch& launch);

}  // namespace lanescope::gpu
