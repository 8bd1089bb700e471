// Counts of the modelled caches: of the whole launch, and of each site.

#pragma once

#include "caches/l2_counts.h"
#include "caches/sector_origins.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::caches {

/// Sectors of one kind of access, and how many of them the L1 had.
struct Sectors {
  uint64_t requests = 0;
  uint64_t tag_cycles = 0, data_cycles = 0;  // of the stages of the L1 (l1_stages.h)
  uint64_t sectors = 0;
  uint64_t hits = 0;
  Sectors& operator+=(const Sectors& other);
  double hit_rate() const {  // 0 without sectors
    return sectors == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(sectors);
  }
};

/// Where the sectors that a site loads come from, and how many it stores.
struct SiteCaches {
  Sectors l1;
  uint64_t from_l2 = 0;    // sectors
  uint64_t from_dram = 0;  // the same sectors, without the rest of 64 bytes that came along
  // Of the path between the L1 and the L2 (packets.h).
  uint64_t packets_to_l2 = 0, packets_from_l2 = 0;
  SiteCaches& operator+=(const SiteCaches& other);
};

/// Whether a band of the DRAM's reads is wider than 2 % of them.
constexpr bool is_band(uint64_t low, uint64_t exact, uint64_t high) {
  constexpr uint64_t kParts = 50;
  return high - low > exact / kParts;
}

struct CacheReport {
  uint32_t multiprocessors = 0;  // modelled
  uint32_t all_multiprocessors = 0;
  uint64_t blocks = 0;      // modelled
  bool ends_early = false;  // the blocks after them were not
  uint64_t all_blocks = 0;
  uint32_t carve_out_kib = 0;
  uint32_t l1_lines = 0;
  Sectors global_loads, global_stores, local_loads, local_stores, atomics;
  uint64_t l2_to_l1 = 0;  // sectors: misses, and what atomics return
  uint64_t l1_to_l2 = 0;  // sectors stored
  L2Counts l2;            // of the modelled multiprocessors; of the launch only if all are
  /// Sectors that the DRAM reads by an L2 that is a fifth smaller or larger. Where they differ the footprint
  /// is at the edge of the L2, whose sets are not known, so the DRAM's reads are a band.
  uint64_t dram_read_low = 0, dram_read_high = 0;
  /// Cycles for which warps at least wait for their loads (wait_clock.h); 0 where the program is not known.
  double warp_cycles = 0, longest_warp_cycles = 0;  // of all warps together, of the one that waits longest
  double byte_cycles = 0;  // bytes from the L2 and the DRAM, each times the cycles for which it is under way
  std::vector<SiteCaches> sites;
  std::shared_ptr<const SectorOrigins> origins;  // null: not asked for

  bool is_whole() const { return multiprocessors == all_multiprocessors && !ends_early; }
  bool has_band() const { return is_band(dram_read_low, l2.dram_read, dram_read_high); }
};

/// Sectors that the DRAM reads for the launch itself. MODEL: 88 to 150, seen on an H100.
inline constexpr uint64_t kLaunchSectors = 100;

}  // namespace lanescope::caches
