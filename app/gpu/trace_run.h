// A kernel's trace made on a GPU: the machine of tracing.h that is one. Tests:
// tests/unit/gpu/trace_run_test.cpp; tests/gpu/device/device_test.cpp (label gpu)

#pragma once

#include "gpu/driver.h"
#include "gpu/tracing.h"

#include <cstdint>
#include <optional>

namespace lanescope::gpu {

/// Errors: those of trace_kernel() and the driver's, which name the call, the kernel and what to do. After an
/// error of the kernel itself (Memory) this process can use the GPU no more.
Result<TracedRun> trace_on_gpu(const Context& context, TraceRequest request);

/// Registers that each of a block's threads may have, so that all fit a multiprocessor: recorders need more
/// than the kernel did. None where the block is small enough for as many as there are. Source: CUDA C++
/// Programming Guide, "Compute Capabilities": 65536 registers, at most 255 of a thread; given to a warp by 8.
std::optional<unsigned> fitting_registers(uint64_t threads);

}  // namespace lanescope::gpu
