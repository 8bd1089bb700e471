// How long a kernel takes on the GPU: the plain kernel, never an instrumented one.
// Method: warm-up launches, then repetitions between two events each, each queued after a kernel that only
// waits, so that the host's pace between launches is not measured. Before that kernel, outside of what is
// timed, buffers and variables get their initial contents back, since a kernel that sorts or appends would
// else be timed on what it left; then the L2 is flushed for a cold one (l2_flush.h), and for a warm one the
// buffers are read. Where contents do not matter nothing is put back, and a warm L2 is as the launch before
// left it. For comparison, a device-to-device copy is timed in the same way. Tests:
// tests/unit/gpu/timing_test.cpp; with a GPU: `lanescope time`.

#pragma once

#include "gpu/kernel.h"
#include "gpu/launch_buffers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lanescope::gpu {

struct TimingOptions {
  unsigned repetitions = 21;
  unsigned warm_up = 3;
  enum class Cache : uint8_t { Cold, Warm } l2 = Cache::Cold;
  Filling contents = Filling::Initial;
};

/// Seconds of each repetition, in rising order; at least one.
struct Timing {
  std::vector<double> seconds;

  double minimum() const { return seconds.front(); }
  double lower_quartile() const { return quantile(0.25); }
  double median() const { return quantile(0.5); }
  double upper_quartile() const { return quantile(0.75); }
  /// Between the two repetitions nearest to share `q` of them, by linear interpolation.
  double quantile(double q) const {
    const double place = q * static_cast<double>(seconds.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, seconds.size() - 1);
    return std::lerp(seconds[below], seconds[above], place - static_cast<double>(below));
  }
};

/// Errors: Usage for no repetitions; Launch where the arguments are not the kernel's; else the driver's. A
/// kernel that faults (Memory) spoils the context: driver.h.
Result<Timing> time_kernel(const Context& context, const Kernel& kernel, const launch::Launch& launch,
                           const TimingOptions& options);

/// A copy of `bytes` from one buffer to another: it moves twice as many. Of more than copied_bytes() only so
/// many are copied, and the seconds are those in proportion.
Result<Timing> time_copy(const Context& context, uint64_t bytes, const TimingOptions& options);

/// At most a quarter of the GPU's memory: two buffers and free memory are needed.
uint64_t copied_bytes(uint64_t bytes, uint64_t memory_bytes);

}  // namespace lanescope::gpu
