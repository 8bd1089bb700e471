// The L2 of a device from launch to launch of a program. Method: once launches can fill half of it, an L2
// that is a fifth smaller and one that is a fifth larger get the requests too, in the order of the exact one,
// for the band of the DRAM's reads. Copies by the host are left out. Tests:
// tests/unit/caches/l2_memory_test.cpp

#pragma once

#include "caches/l2_cache.h"
#include "caches/rules.h"
#include "model/device.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::caches {

class L2Memory {
 public:
  /// Empty, as after a flush.
  L2Memory(const model::CacheParameters& device, const Rules& rules);

  /// Counts begin anew; the contents stay. `bytes`: of memory that the launch can touch.
  void begin_launch(uint64_t bytes);
  void clear() { *this = L2Memory(device_, rules_); }

  L2Cache::Found read(uint32_t partition, uint64_t line, SectorMask sectors, uint32_t fetched_bytes);
  void write(uint64_t line, const std::array<uint32_t, kSectorsOfLine>& bytes);

  const L2Cache& exact() const { return exact_; }
  /// Sectors that the DRAM read for the launch by the smaller and the larger L2; nullopt: the launch can fill
  /// less than half of the L2, so that fewer lines fit into the smaller one too.
  struct Band {
    uint64_t low = 0, high = 0;
  };
  std::optional<Band> dram_reads() const;

 private:
  model::CacheParameters device_;
  Rules rules_;
  L2Cache exact_;
  std::optional<L2Cache> smaller_, larger_;
};

}  // namespace lanescope::caches
