// What the hardware counts of a launch of the plain kernel: requests, sectors, wavefronts, conflicts, traffic
// of the L2 and of the DRAM, the busiest slice of the L2, time. Method: CUPTI's range profiler replays the
// launch once per pass, each time with the buffers as they were before it and an L2 without any of
// them; its patched code counts addresses (address_counters.h). Tests: tests/unit/gpu/counters_test.cpp; with
// a GPU: `lanescope time`, the target differential_gpu_tests.

#pragma once

#include "gpu/address_counters.h"
#include "gpu/kernel.h"
#include "gpu/l2_flush.h"
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
  static Result<Counters> open(const Context& context, std::span<const std::filesystem::path> folders);

  const Cupti& cupti() const { return cupti_; }
  /// Launches of the kernel for one count.
  size_t passes() const { return passes_; }
  Result<trace::HardwareCounts> count(const Kernel& kernel, const launch::Launch& launch, Filling filling);
  /// Leaves the context as it was before, for times that are to be trusted. The next count prepares it again.
  void rest() { profiler_.reset(); }

 private:
  Counters(Context context, Cupti cupti);
  Result<void> prepare();

  Context context_;
  Cupti cupti_;
  size_t passes_ = 0;
  std::optional<RangeProfiler> profiler_;
  std::optional<AddressCounters> addresses_;  // none where CUPTI refuses: only the other counts are read
  std::optional<L2Flush> flush_;
};

}  // namespace lanescope::gpu
