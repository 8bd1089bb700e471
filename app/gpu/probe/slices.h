// Which slice of the L2 serves an address, found with counters. Method: one launch reads the first line of
// each known pair's representative a different number of times, and the unknown line often: the largest
// count of one slice then names the pair that the unknown falls on, or none of them. Which half of the GPU
// owns the address: atomics on it cross the fabric between the halves, or do not. Everything is done by one
// thread block on one multiprocessor, with dependent loads, since loads in flight to one line merge. Source:
// measured on an H200 (the method, its noise of a few requests). Needs a GPU whose L2 has 47 pairs, and
// counters. Tests: with a GPU: `lanescope slices`.

#pragma once

#include "gpu/range_profiler.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::gpu {

/// Pair of slices by order of first appearance, and the half of the GPU that owns the granule: 0 is the
/// measuring multiprocessor's own.
struct ProbedSlice {
  uint8_t pair = 0;
  uint8_t home = 0;
};

class SliceProbe {
 public:
  /// Bytes that share a slice. A page's granules are all looked at.
  static constexpr uint32_t kGranuleBytes = 256;
  static constexpr size_t kMostPairs = 47;

  static Result<SliceProbe> make(const Context& context, const Cupti& cupti);

  /// The slice of each address, a multiple of kGranuleBytes in zeroed memory that stays. The first call is to
  /// find the pairs, so its memory has to live as long as this.
  Result<std::vector<ProbedSlice>> probe(const std::vector<uint64_t>& addresses);

  size_t pairs() const { return representatives_.size(); }

 private:
  struct Outcome {
    double most = 0;    // requests at the busiest slice
    double fabric = 0;  // requests between the halves
  };
  SliceProbe(Context context, RangeProfiler profiler, Module module, Buffer sheets);
  Result<std::vector<Outcome>> launch(std::span<const uint64_t> addresses);
  /// The pair that the outcome names; none for a new one. Error (Unsupported): it names nothing.
  static Result<std::optional<uint8_t>> pair_of(const Outcome& outcome, size_t known);
  Result<void> find_pairs(const std::vector<uint64_t>& addresses);

  Context context_;
  RangeProfiler profiler_;
  Module module_;
  Buffer sheets_;
  std::vector<uint64_t> representatives_;  // [pair]
};

}  // namespace lanescope::gpu
