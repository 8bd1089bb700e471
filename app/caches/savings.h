// Time that a launch needs at least, and what its bank conflicts and its excess sectors cost of it. Method:
// the bound of model/bound.h with what the modelled caches transfer; then once more for each line of the
// source, with the counts that the line would have if each of its accesses were ideal. What a line then
// brings from the L2 and the DRAM is at most its ideal sectors, since a sector that is loaded for one word
// and not used again is the excess. MODEL: a lower bound; levels overlap completely, and a level that does
// not decide costs nothing. Tests: tests/unit/caches/savings_test.cpp

#pragma once

#include "base/error.h"
#include "caches/cache_report.h"
#include "model/bound.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::caches {

/// What the whole launch does if the rest of it does as the modelled part, which has a block. The DRAM's
/// counts stay those of the part: the others may find in the L2 what it has read.
CacheReport of_whole_launch(const trace::Trace& trace, const CacheReport& report);

/// Demand of the launch on each level: bytes of the DRAM, sectors from the L2 and lines to it by their
/// packets, cycles of the stages of the L1, wavefronts of shared memory. `report`: of the whole launch.
model::Work demand_of(const trace::Trace& trace, const CacheReport& report, const model::Device& device);

/// The bound of a launch without the excess of some lines.
struct Saving {
  const trace::Site* site = nullptr;  // the first of the line's accesses; null: not of a line
  model::BoundTerms without;
  /// How many times faster than `bound`; 1: nothing is gained.
  double factor(const model::BoundTerms& bound) const { return bound.seconds() / without.seconds(); }
  /// False if less than half a percent is gained: another level decides.
  bool is_gain(const model::BoundTerms& bound) const { return factor(bound) >= 1.005; }
};

/// Bytes of loads that are under way on a multiprocessor at a time, where the time that warps wait for them
/// decides.
struct UnderWay {
  double bytes = 0;   // on average, with the bound's time
  double needed = 0;  // for the DRAM's rate
  Saving enough;      // the bound with as many as the next level needs
  double kib() const { return bytes / 1024; }
  double needed_kib() const { return needed / 1024; }
};

/// "loads of 2.1 KiB are under way on a multiprocessor, the DRAM's rate needs 10.7: with enough 2.30 times
/// faster", in English.
std::string sentence_of(const UnderWay& under_way, const model::BoundTerms& bound);

struct Savings {
  model::BoundTerms bound;
  std::optional<UnderWay> under_way;
  /// A line of shared memory with bank conflicts, or one of other memory with more sectors than ideal; those
  /// that gain most first.
  std::vector<Saving> lines;
  std::optional<Saving> all;  // only of more than one line
  /// With blocks on all multiprocessors, where some have none.
  std::optional<Saving> with_all_multiprocessors;
  /// Of a launch of which a part was modelled: the bound if no part of it finds in the L2 what another has
  /// read. `bound` is that if the DRAM reads nothing but what the part does.
  std::optional<model::BoundTerms> without_sharing;
  uint64_t modelled_blocks = 0;
};

/// Of a launch of which a part was modelled, the rest is taken to be like it. Errors: Unsupported if the
/// device has no bound, or if no block was modelled. Borrows from `trace`.
Result<Savings> savings_of(const trace::Trace& trace, const CacheReport& report, const model::Device& device);

}  // namespace lanescope::caches
