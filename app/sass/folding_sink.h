// Counts accesses as merged machine instructions make them, while a kernel runs. All accesses are passed on
// as they are. Tests: tests/unit/sass/folding_sink_test.cpp

#pragma once

#include "sass/access_folder.h"
#include "trace/sink.h"
#include "trace/totals.h"

#include <cstdint>
#include <vector>

namespace lanescope::sass {

/// Totals of one MergedAccess.
struct FoldedTotals {
  trace::Totals totals;
  uint64_t uneven = 0;  // accesses whose lanes are at different places of their windows, or do not fit
  FoldedTotals& operator+=(const FoldedTotals& other) {
    totals += other.totals;
    uneven += other.uneven;
    return *this;
  }
};

/// Sink of one worker. `match` and `inner` must outlive it.
class FoldingSink final : public trace::Sink {
 public:
  FoldingSink(const Match& match, trace::CostFunction cost, trace::Sink& inner)
      : match_(match),
        cost_(cost),
        inner_(inner),
        folder_(match),
        totals_(match.merged.size()),
        repeated_(match.sites.size()),
        absent_(match.sites.size()) {}

  bool begin_block(CtaId cta) override;
  bool begin_batch(CtaId first, trace::BatchOrder order) override;
  void suspend_block() override;
  void resume_block(CtaId cta) override;
  void on_access(const trace::WarpAccess& access) override;
  void on_group(const trace::GroupAccess& group) override;
  void on_barrier(std::span<const uint32_t> warps) override { inner_.on_barrier(warps); }
  void on_wait(const trace::Wait& wait) override { inner_.on_wait(wait); }

  /// Totals of each MergedAccess, by its index. Ends what is open.
  const std::vector<FoldedTotals>& finish();
  /// [site] sectors that the pipe moves again for atomics.
  const std::vector<uint64_t>& repeated_sectors() const { return repeated_; }
  /// [site] wavefronts, ideal wavefronts and lines of accesses to shared memory that the PTX has and the
  /// counters of a multiprocessor do not: of lanes for which an elected lane acts, and of lanes that go to
  /// other blocks of the cluster. Of an atomic none of whose lanes goes to its own block's one wavefront is
  /// counted (measured, an H200: cluster_histogram and cluster_shift of tests/data/h200).
  const std::vector<trace::Totals>& absent() const { return absent_; }

 private:
  void count(const trace::WarpAccess& access, const SiteMatch& site);
  void count_atomic(const trace::WarpAccess& access, Election election);
  void count_elsewhere(const trace::WarpAccess& access);
  void leave_out(const trace::WarpAccess& access, const trace::Cost& kept);
  void end_block();
  void count_whole();

  const Match& match_;
  trace::CostFunction cost_;
  trace::Sink& inner_;
  AccessFolder folder_;
  std::vector<FoldedAccess> whole_;    // not yet counted
  std::vector<FoldedTotals> totals_;   // [merged access]
  std::vector<uint64_t> repeated_;     // [site]
  std::vector<trace::Totals> absent_;  // [site]
};

}  // namespace lanescope::sass
