// The second-level cache of an H100 or H200, and what reaches the DRAM. Method: two partitions; a
// multiprocessor asks its own. Half of the addresses are at home in the other one: a miss there is looked up
// at home and kept in both. A miss reads the 64-byte pair of its sectors, a store writes at home and reads
// nothing, until too many lines have sectors of which only some bytes were stored: then the rest of the
// oldest is read. Sets are balanced, the least recently used of 16 ways goes, before it one that
// was loaded by .cs, .lu, no_allocate or evict_first. MODEL: inferred from counters
// of an H100; the hash of the sets, the pieces of an address that are at home together, and when stored data
// is written to the DRAM are guesses. Source: tests/data/caches/README.md. Tests:
// tests/unit/caches/l2_cache_test.cpp

#pragma once

#include "caches/l1_cache.h"
#include "caches/l2_counts.h"
#include "caches/rules.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace lanescope::caches {

class L2Cache {
 public:
  /// `partition_bytes`: half of the L2, also where it is not divided. `scale`: size of the device's L2 beside
  /// that of an H100, at most 1. The limits of stored data, measured on an H100, are scaled by it.
  L2Cache(uint64_t partition_bytes, const Rules& rules, double scale = 1);

  /// Counts begin anew, except for the places that are filled; the contents stay.
  void begin_launch();
  /// An L2 of another size with the same contents, of which the most recently used remain.
  L2Cache resized(uint64_t partition_bytes) const;

  /// Places where a read found its sectors: the farthest of them.
  enum class Found : uint8_t { Here, AtHome, Dram };
  /// Read of sectors by a multiprocessor of `partition`. `fetched_bytes`: of DRAM at least; 0: a pair of
  /// sectors. `leaves_first`: a line that it brings is the first to go from a full set.
  Found read(uint32_t partition, uint64_t line, SectorMask sectors, uint32_t fetched_bytes,
             bool leaves_first = false);
  /// Lets the processor bring what such a read will look at: thousands of sets are slower than the reads.
  void expect_read(uint32_t partition, uint64_t line) const;
  /// Write of bytes of a line, bit n of bytes[s] is byte n of sector s.
  void write(uint64_t line, const std::array<uint32_t, kSectorsOfLine>& bytes);

  /// Brings a whole line to its home. `is_dirty`: the DRAM does not have it.
  void bring(uint64_t line, bool leaves_first, bool is_dirty);

  /// Sectors of the last read that came from the DRAM because it asked for them, without the rest of pairs.
  SectorMask last_missing() const { return last_missing_; }
  /// Counts up to now.
  L2Counts counts() const;

 private:
  struct Line {
    uint8_t valid = 0;                              // sectors
    uint8_t dirty = 0;                              // sectors that the DRAM does not have
    uint8_t in_part = 0;                            // sectors of which only some bytes are here
    bool is_listed = false;                         // among partial_
    std::array<uint32_t, kSectorsOfLine> stored{};  // [sector] bytes that were stored
  };
  static constexpr uint32_t kPartitions = 2;
  static constexpr uint32_t kWays = 16;
  static constexpr uint32_t kFirstToLeave = 1;
  /// Numbers lie side by side, since each access reads all of a set.
  struct Set {
    std::array<uint64_t, kWays> numbers;     // of the lines, or kNoLine
    std::array<uint32_t, kWays> last_use{};  // 0: never; kFirstToLeave; else in the order of time
    std::array<Line, kWays> lines{};
    Set() { numbers.fill(kNoLine); }
  };

  uint32_t home_of(uint64_t line) const;
  uint64_t excess_dirty_sectors() const;
  Line& place_for(uint32_t partition, uint64_t line, bool leaves_first = false);
  Line* find(uint32_t partition, uint64_t line);  // null: not there
  void add_sectors(Line& line, SectorMask sectors);
  /// Brings sectors that are not there to a partition, whose line `here` is; returns those that the DRAM
  /// reads.
  SectorMask fetch(Line& here, uint32_t partition, uint64_t line, SectorMask sectors, bool leaves_first);
  void add_partial(uint64_t number, Line& line);

  Rules rules_;
  double scale_;
  uint32_t sets_;
  uint32_t now_ = kFirstToLeave;
  SectorMask last_missing_ = 0;
  std::array<std::vector<Set>, kPartitions> sets_of_;  // [partition][set]
  L2Counts counts_;
  uint64_t dirty_sectors_ = 0;
  uint64_t excess_before_ = 0;  // dirty sectors that the launches before had too many of
  std::deque<uint64_t>
      partial_;                // lines that got sectors in part, the oldest first; some are complete by now
  uint64_t partial_ever_ = 0;  // how many there were
};

/// Share of the sectors stored in part whose rest is read, where their lines have `bytes`. Measured: 107
/// launches on an H100, tests/data/caches/README.md.
double share_of_partial_sectors_read(double bytes);

}  // namespace lanescope::caches
