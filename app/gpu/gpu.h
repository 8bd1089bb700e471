// What the program asks of a GPU, whether it is driven by this process (local_gpu.h) or stands behind a
// pipe, in a process of its own or on another machine (remote/connection.h). No CUDA header is needed for it.

#pragma once

#include "base/error.h"
#include "gpu/timing.h"
#include "gpu/tracing.h"
#include "trace/hardware_counts.h"

#include <cstdint>
#include <string>

namespace lanescope::gpu {

/// Which GPU it is, as recordings keep it.
struct Description {
  std::string name;                // "NVIDIA H200"
  std::string compute_capability;  // "9.0"
  std::string driver;              // "580.159.04"; empty where unknown
  std::string cuda;                // "13.0": what the driver takes
  std::string host;                // empty: this machine
  uint64_t memory_bytes = 0;
  uint64_t l2_bytes = 0;
  bool operator==(const Description&) const = default;
};

/// Errors of all: the driver's (driver.h). After a kernel's fault (Memory) only a GPU behind a pipe goes on.
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
  /// `header`: what is known of the trace beforehand (emulator::trace_header), the source's lines among it.
  /// Errors also: Unsupported (instrument.h).
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
