// A kernel's trace made on a GPU: the machine of tracing.h that is one. Tests:
// tests/gpu/device/device_test.cpp (label gpu)

#pragma once

#include "gpu/driver.h"
#include "gpu/tracing.h"

namespace lanescope::gpu {

/// Errors: those of trace_kernel() and the driver's, which name the call, the kernel and what to do. After an
/// error of the kernel itself (Memory) this process can use the GPU no more.
Result<TracedRun> trace_on_gpu(const Context& context, TraceRequest request);

}  // namespace lanescope::gpu
