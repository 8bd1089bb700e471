// Where the sectors that a launch loads came from, by the modelled caches, and which request had brought a
// sector that the L1 has. Method: kept for each load of the first blocks, as many as fit into a budget, in
// the order of each warp. Tests: tests/unit/caches/sector_origins_test.cpp

#pragma once

#include "base/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::caches {

enum class CacheLevel : uint8_t { L1, L2, Dram };

/// A request that brought a sector into the L1, or stored it there.
struct Bringer {
  CtaId cta;
  uint16_t warp = 0;  // of the block
  uint16_t site = 0;
};

struct SectorOrigin {
  uint64_t sector = 0;  // address of the GPU / 32, see AddressMap
  CacheLevel level = CacheLevel::Dram;
  Bringer by;  // of a sector that the L1 has
};

class SectorOrigins {
 public:
  static constexpr uint64_t kDefaultBudgetBytes = uint64_t{32} << 20;

  /// `sectors_per_block`: that a block loads, on average.
  explicit SectorOrigins(double sectors_per_block, uint64_t budget_bytes = kDefaultBudgetBytes);

  /// Blocks with a lower number are kept.
  uint32_t blocks() const { return blocks_limit_; }

  /// Begins the next request of a warp to global or local memory.
  void begin_request(CtaId cta, uint32_t warp);
  /// Adds a sector that the request loads, which begin_request() began last for this warp.
  void add(CtaId cta, uint32_t warp, const SectorOrigin& origin);

  /// Sectors that a request loads, in the order of the lanes. `request`: among those of the warp to global
  /// and local memory, from 0. Empty where nothing is loaded or known.
  std::span<const SectorOrigin> of(CtaId cta, uint32_t warp, size_t request) const;

 private:
  struct Warp {
    std::vector<uint32_t> first;  // [request] index of its first sector
    std::vector<SectorOrigin> sectors;
  };

  uint32_t blocks_limit_;
  std::vector<std::vector<Warp>> blocks_;  // [cta][warp]
};

}  // namespace lanescope::caches
