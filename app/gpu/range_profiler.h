// Counters of pieces of GPU work, by name. Method: CUPTI's range profiler with ranges and replay of our own:
// a pass of the hardware holds few counters, so the work is done again for each pass, after whatever its
// caller does to put memory back as it was. Tests: tests/unit/gpu/counters_test.cpp

#pragma once

#include "gpu/cupti.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::gpu {

/// Done on the GPU; may return before it has ended.
using RangeWork = std::function<Result<void>(size_t range)>;

/// Bound to one context; one at a time. While it lives the context is prepared for profiling: times are to be
/// taken before.
class RangeProfiler {
 public:
  /// `most_ranges`: as many as one count may have. Error (Unsupported): no permission, no such counter; says
  /// what to do.
  static Result<RangeProfiler> make(const Context& context, const Cupti& cupti,
                                    std::vector<std::string> metrics, size_t most_ranges);
  RangeProfiler(RangeProfiler&&) noexcept;
  RangeProfiler& operator=(RangeProfiler&&) noexcept;
  ~RangeProfiler();

  /// How often the work is done for one count.
  size_t passes() const;
  /// `before` and `work` for each of `ranges`, in every pass; values: [range][metric].
  Result<std::vector<std::vector<double>>> count(size_t ranges, const RangeWork& before,
                                                 const RangeWork& work);

 private:
  struct State;
  explicit RangeProfiler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// How often work is done to count these on a chip ("GH100"); reads only CUPTI's tables and needs no GPU.
/// Error (Unsupported): the chip has no such counter.
Result<size_t> passes_on(const Cupti& cupti, const std::string& chip,
                         const std::vector<std::string>& metrics);

}  // namespace lanescope::gpu
