// Counts of the modelled second-level cache and of the DRAM behind it.

#pragma once

#include <cstdint>

namespace lanescope::caches {

/// Counts in sectors of 32 bytes.
struct L2Counts {
  uint64_t read = 0;       // that multiprocessors ask for
  uint64_t read_hits = 0;  // found in their own partition
  uint64_t from_home = 0;  // found in the other partition
  uint64_t written = 0;
  uint64_t dram_read = 0;
  uint64_t dram_written = 0;  // MODEL: dirty lines that were pushed out, and what does not fit as dirty
  uint64_t lines_held = 0;    // places that were filled at all
};

}  // namespace lanescope::caches
