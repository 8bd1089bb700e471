// What the hardware counts of a launch of the plain kernel: requests, sectors, wavefronts, conflicts, traffic
// of the L2 and of the DRAM, the busiest slice of the L2, time. Method: CUPTI's range profiler replays the
// launch once per pass, each time with the buffers as they were before it and an L2 that holds nothing of
// them; its patched code counts addresses (address_counters.h). Tests: tests/unit/gpu/counters_test.cpp; with
// a GPU: `lanescope time`, the target differential_gpu_tests.

#pragma once

#include "gpu/launch_buffers.h"
#include "gpu/range_profiler.h"
#include "trace/hardware_counts.h"

#include <filesystem>
#include <optional>
#include <span>

namespace lanescope::gpu {

class Counters {
 public:
  /// Errors (Unsupported): CUPTI is not there, too old, or may not read the counters; says what to do.
  /// Times taken while this lives are not to be trusted.
  static Result<Counters> open(const Context& context, std::span<const std::filesystem::path> folders);

  const Cupti& cupti() const { return cupti_; }
  /// Launches of the kernel for one count.
  size_t passes() const { return profiler_.passes(); }
  Result<trace::HardwareCounts> count(const Kernel& kernel, const launch::Launch& launch, Filling filling);

 private:
  Counters(Context context, Cupti cupti, RangeProfiler profiler, std::vector<Buffer> flushing);
  Result<void> flush_l2();

  Context context_;
  Cupti cupti_;
  RangeProfiler profiler_;
  std::vector<Buffer> flushing_;  // two: copying one to the other drives all else out of the L2
};

}  // namespace lanescope::gpu
