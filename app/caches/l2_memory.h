// Contents of the L2 from launch to launch of a program. Method: beside the L2 one that is a fifth smaller
// and one that is a fifth larger, once launches fill half of it, for the band of the DRAM's reads. Copies by
// the host are left out. Tests: tests/unit/caches/l2_memory_test.cpp

#pragma once

#include "caches/l2_cache.h"
#include "caches/rules.h"

#include <cstdint>
#include <optional>

namespace lanescope::caches {

struct L2Memory {
  /// Empty, as after a flush. `bytes`: of the L2.
  L2Memory(uint64_t bytes, const Rules& rules) : exact(bytes / 2, rules) {}

  L2Cache exact;
  std::optional<L2Cache> smaller, larger;  // nullopt: no launch has filled half of the L2
};

}  // namespace lanescope::caches
