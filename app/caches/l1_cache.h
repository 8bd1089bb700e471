// The first-level cache of one multiprocessor of an H100 or H200. Method: tags are per line of 128 bytes,
// validity per sector. Two limits: 512 sets of 4 tags, and as many lines as the carve-out leaves, a quarter
// of them in each of four partitions of the sets. A line that is hit has age 0 and makes the others of its
// set older; a new line begins at age 2. The oldest line of a full set goes, of equals the least recently
// used. In a full partition the next set of a shuffled order loses its oldest line. MODEL: measured by the
// times of single loads, 33,792 of 33,792 victims; the order of the sets is not known. Source:
// tests/data/caches/README.md. Tests: tests/unit/caches/l1_cache_test.cpp

#pragma once

#include "caches/rules.h"
#include "caches/sector_mask.h"
#include "caches/ways.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::caches {

/// Set of the L1, 0 to 511, of the line with number `line` (virtual address / 128).
uint32_t l1_set_of(uint64_t line);
/// Partition of the L1, 0 to 3, of a set.
uint32_t l1_partition_of(uint32_t set);
/// Partition of the set of a line.
uint32_t l1_partition_of_line(uint64_t line);
inline constexpr uint32_t kL1Partitions = 4;

class L1Cache {
 public:
  /// `lines`: that fit beside the carve-out. `seed`: of the order in which sets lose lines.
  L1Cache(uint32_t lines, const Rules& rules, uint32_t seed);

  /// Outcome of an access to sectors of one line.
  struct Outcome {
    bool has_line = false;  // its tag was there
    SectorMask missing = 0;
    std::array<uint32_t, kSectorsOfLine> by{};  // [sector] who brought it, of those that are not missing
  };
  /// Bytes of a line: bit n of element s is byte n of sector s.
  using Bytes = std::array<uint32_t, kSectorsOfLine>;
  /// Loads bytes. A sector whose bytes are all there, since it was loaded or since they were stored, is a
  /// hit; the others are valid from now on. `by`: a number of the caller's for who asks.
  Outcome load(uint64_t line, const Bytes& bytes, bool evict_first, uint32_t by = 0);
  /// Stores bytes. A sector is valid once all of its bytes were stored. `by`: a number of the caller's for
  /// who stores.
  Outcome store(uint64_t line, const Bytes& bytes, uint32_t by = 0);
  /// Forgets sectors that an atomic operation changed in the L2.
  void forget(uint64_t line, SectorMask sectors);

 private:
  static constexpr uint32_t kSets = 512;
  static constexpr uint32_t kWays = 4;
  static constexpr uint32_t kSetsOfPartition = kSets / kL1Partitions;

  struct Line {
    uint32_t last_use = 0;
    uint8_t age = 0;
    bool evict_first = false;
    SectorMask valid = 0;
    Bytes stored{};                             // that were stored
    std::array<uint32_t, kSectorsOfLine> by{};  // [sector] who loaded or stored it last
  };
  struct Set {
    std::array<uint64_t, kWays>
        numbers;  // of the lines, or kNoLine; side by side since each access reads them
    std::array<Line, kWays> lines{};
    Set() { numbers.fill(kNoLine); }
  };

  uint32_t set_of(uint64_t line) const;
  static bool holds(const Set& set, const Line& line);
  Line& place_for(uint64_t line, bool evict_first);
  void use(Set& set, Line& line);
  Line& victim_of(Set& set) const;
  void drop(Set& set, Line& line, uint32_t partition);
  void make_room(uint32_t partition);

  Rules rules_;
  uint32_t most_of_partition_;
  uint32_t now_ = 0;
  std::vector<Set> sets_;
  std::array<std::array<uint16_t, kSetsOfPartition>, kL1Partitions> order_{};
  std::array<uint32_t, kL1Partitions> next_{};
  std::array<uint32_t, kL1Partitions> held_{};
  std::array<uint32_t, kL1Partitions> held_evict_first_{};
};

}  // namespace lanescope::caches
