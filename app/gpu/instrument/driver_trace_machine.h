// TraceMachine implemented with the CUDA driver: traces a kernel on a GPU of this process. Tests:
// tests/unit/gpu/driver_trace_machine_test.cpp; tests/gpu/device/device_test.cpp (label gpu)

#pragma once

#include "gpu/driver.h"
#include "gpu/instrument/kernel_tracer.h"

#include <cstdint>
#include <optional>

namespace lanescope::gpu {

/// Errors: those of trace_kernel() and the driver's, which name the call, the kernel and what to do. After an
/// error of the kernel itself (Memory) this process can no longer use the GPU.
Result<TracedRun> trace_on_gpu(const Context& context, TraceRequest request);

/// Limit of registers per thread with which the block fits a multiprocessor: recorders need more registers
/// than the kernel. None where the block is small enough for the maximum. Source: CUDA C++
/// Programming Guide, "Compute Capabilities": 65536 registers, at most 255 per thread, allocated by 8.
std::optional<unsigned> fitting_registers(uint64_t threads);

}  // namespace lanescope::gpu
