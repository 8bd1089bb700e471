// Counts accesses as merged machine instructions make them, while a kernel runs. Method: an instruction of W
// bytes aligns its address to W, so the accesses that it stands for lie in one window of W bytes for each
// lane. A warp's accesses of the merged sites fold into one while lanes and windows are equal and no byte
// comes twice. One rule covers neighboring sites, iterations of a loop, and parts that are missing. All
// accesses are passed on as they are. Tests: tests/unit/sass/folding_sink_test.cpp

#pragma once

#include "sass/match.h"
#include "trace/sink.h"
#include "trace/totals.h"

#include <array>
#include <cstdint>
#include <map>
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
  FoldingSink(const Match& match, trace::CostFunction cost, trace::Sink& inner);

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

 private:
  /// Windows of the lanes of a warp that were accessed, not yet all of their bytes.
  struct Window {
    uint32_t lanes = 0;
    std::array<uint64_t, kLanes> address{};  // [lane] of the window; 0 for lanes that take no part
    uint32_t bytes = 0;                      // mask of the window's bytes that were accessed
  };
  /// Windows of one warp and one MergedAccess, those that were opened first come first.
  using Windows = std::vector<Window>;
  static constexpr size_t kMostOpen = 64;

  void fold(const trace::WarpAccess& access, uint32_t merged);
  void count_part(const trace::WarpAccess& access, const MergedAccess& part, FoldedTotals& totals);
  void close(const Window& window, uint32_t merged);
  void close_all();

  const Match& match_;
  trace::CostFunction cost_;
  trace::Sink& inner_;
  std::map<std::pair<uint32_t, uint32_t>, Windows> open_;  // [merged access, warp]
  std::vector<FoldedTotals> totals_;                       // [merged access]
};

}  // namespace lanescope::sass
