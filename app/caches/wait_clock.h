// Cycles for which a warp at least waits for its loads. Method: each load is under way for the latency of the
// level that has it; the warp goes on when those are there that base/load_wait.h names, of a loop that is
// unrolled four rounds at a time. It issues a request a cycle, and nothing else holds it up: barriers,
// stores, other warps, and waits for asynchronous copies cost nothing here. Tests:
// tests/unit/caches/wait_clock_test.cpp

#pragma once

#include "base/load_wait.h"
#include "trace/site.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::caches {

/// [site] Empty where the program is not known.
inline std::vector<LoadWait> waits_of(const std::vector<trace::Site>& sites) {
  std::vector<LoadWait> waits;
  if (std::ranges::none_of(sites, [](const trace::Site& site) { return site.wait.fills_register; }))
    return waits;
  for (const trace::Site& site : sites) waits.push_back(site.wait);
  return waits;
}

class WaitClock {
 public:
  /// The warp issues the request of a site. `latency`: cycles until its value is there; 0: of a store.
  void issue(std::span<const LoadWait> waits, uint16_t site, double latency) {
    const LoadWait& here = waits[site];
    const bool is_next_round = here.block == block_ && here.step <= step_;
    if (is_next_round && here.spans_rounds && rounds_ + 1 < kRounds) {
      ++rounds_;
    } else if (here.block != block_ || is_next_round) {
      end_basic_block(waits);
      rounds_ = 0;
    }
    block_ = here.block;
    step_ = here.step;
    if (latency != 0) {
      for (const uint16_t needed : here.needs) wait_for(needed);
      if (rounds_ == 0) wait_for(site);  // its register is written again
    }
    time_ += 1;
    if (latency != 0 && here.fills_register) under_way_.push_back({site, time_ + latency});
  }
  /// The warp arrives at a barrier: the assembler moves no load across it.
  void meet(std::span<const LoadWait> waits) {
    end_basic_block(waits);
    rounds_ = 0;
    block_ = ~uint32_t{0};
  }
  /// Cycles until the warp has ended.
  double end(std::span<const LoadWait> waits) {
    end_basic_block(waits);
    return time_;
  }

 private:
  static constexpr uint32_t kRounds = 4;  // of a loop that the assembler unrolls

  struct Load {
    uint16_t site = 0;
    double arrives = 0;
  };

  void end_basic_block(std::span<const LoadWait> waits) {
    std::erase_if(under_way_, [&](const Load& load) {
      if (waits[load.site].is_used) time_ = std::max(time_, load.arrives);
      return waits[load.site].is_used;
    });
  }
  void wait_for(uint16_t site) {
    std::erase_if(under_way_, [&](const Load& load) {
      if (load.site == site) time_ = std::max(time_, load.arrives);
      return load.site == site;
    });
  }

  uint32_t block_ = 0, step_ = 0;
  uint32_t rounds_ = 0;  // whose loads are under way, without the first
  double time_ = 0;
  std::vector<Load> under_way_;
};

}  // namespace lanescope::caches
