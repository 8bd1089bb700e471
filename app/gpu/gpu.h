// The interface to a GPU: driven by this process (driver_gpu.h), or by a process at the other end of a pipe,
// on this machine or another (remote/connection.h). It needs no CUDA header.

#pragma once

#include "base/error.h"
#include "gpu/description.h"
#include "gpu/instrument/kernel_tracer.h"
#include "gpu/timing.h"
#include "trace/hardware_counts.h"

#include <cstdint>

namespace lanescope::gpu {

/// Errors of all: the driver's (driver.h). After a kernel's fault (Memory) only a GPU in another process
/// stays usable.
class Gpu {
 public:
  virtual ~Gpu() = default;

  virtual Result<Description> describe() = 0;
  virtual Result<Timing> time(const Kernel& kernel, const launch::Launch& launch,
                              const TimingOptions& options) = 0;
  /// A copy of `bytes` from one buffer to another.
  virtual Result<Timing> time_copy(uint64_t bytes, const TimingOptions& options) = 0;
  virtual Result<trace::HardwareCounts> count(const Kernel& kernel, const launch::Launch& launch,
                                              Filling filling) = 0;
  /// `header`: the trace without accesses and totals (emulator::trace_header), with the source lines.
  /// Errors also: Unsupported (instrument/instrument.h).
  virtual Result<TracedRun> trace(const Kernel& kernel, const launch::Launch& launch,
                                  const trace::Trace& header, const trace::Keep& keep) = 0;

 protected:
  Gpu() = default;
  Gpu(const Gpu&) = default;
  Gpu& operator=(const Gpu&) = default;
  Gpu(Gpu&&) = default;
  Gpu& operator=(Gpu&&) = default;
};

}  // namespace lanescope::gpu
