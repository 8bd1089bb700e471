// Cycles for which a warp at least waits for its loads. Method: each load is under way for the latency of the
// level that has it; the warp goes on when those are there that load_waits.h names. It issues a request a
// cycle, and nothing else holds it up: barriers, stores, other warps, and waits for asynchronous copies cost
// nothing here. Tests: tests/unit/caches/load_waits_test.cpp

#pragma once

#include "caches/load_waits.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::caches {

class WaitClock {
 public:
  /// The warp issues the request of a site. `latency`: cycles until its value is there; 0: of a store.
  void issue(std::span<const LoadWait> waits, uint16_t site, double latency) {
    const LoadWait& here = waits[site];
    if (here.block != block_ || here.step <= step_) end_basic_block(waits);
    block_ = here.block;
    step_ = here.step;
    if (latency != 0) {
      for (const uint16_t needed : here.needs) wait_for(needed);
      wait_for(site);  // its register is written again
    }
    time_ += 1;
    if (latency != 0 && here.fills_register) under_way_.push_back({site, time_ + latency});
  }
  /// Cycles until the warp has ended.
  double end(std::span<const LoadWait> waits) {
    end_basic_block(waits);
    return time_;
  }

 private:
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
  double time_ = 0;
  std::vector<Load> under_way_;
};

}  // namespace lanescope::caches
