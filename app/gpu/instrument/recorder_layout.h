// Where recorders write: the layout of one piece of GPU memory, zeroed before each pass.
// Method: both kinds of pass share the beginning (addresses of variables, counters of each region, expected
// distances) and differ after it. A block belongs to the region of its number modulo `regions`, which keeps
// contention for counters and lists low. Totals: per site a dictionary of access patterns, how often each
// occurred in each region, a word where sums did not fit, and a list of the accesses without a pattern.
// Records: a chunk of units for the first lane of each stored warp, a pool of further chunks, and the same
// lists. Tests: tests/unit/gpu/instrument_test.cpp, tests/gpu

#pragma once

#include "base/dim3.h"
#include "base/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::gpu {

/// Distances of a whole warp's addresses that are likely at a site: the recorder compares with these.
struct ExpectedSteps {
  int32_t stride = 0;         // from lane to lane of a row of the block
  int32_t row_stride = 0;     // from row to row
  uint32_t phase_mask = 127;  // bits of the first address that the cost of the site and its group depends on
  bool is_only = false;       // no other access of the site was seen
  /// [lane] from the first lane's address, where these are not equal steps.
  std::optional<std::array<int32_t, kLanes>> distances = {};
  bool operator==(const ExpectedSteps&) const = default;
};

struct RecorderLayout {
  enum class What : uint8_t { Totals, Records };
  /// Where a lane keeps its position in its records: in registers, or in memory if functions that the kernel
  /// calls access memory too.
  enum class Cursor : uint8_t { Registers, Memory };

  static constexpr uint32_t kMostVariables = 256;
  static constexpr uint32_t kCounterBytes = 32;  // lists used, chunks used (u32 each), accesses lost (u64)
  static constexpr uint32_t kPatterns = 64;      // in the dictionary of a site
  static constexpr uint32_t kPhases = 128;       // places in a line
  /// What is known of the places of several first addresses: 2^s + c if their lower s bits are c and the next
  /// ones differ; s is 7 where there is only one place.
  static constexpr uint32_t kPlaces = 256;
  static constexpr uint32_t kPatternBytes = 16;  // stride, stride of rows, mask, tag
  static constexpr uint32_t kListBytes = 272;    // site, mask, kind, 0; then an address per lane
  static constexpr uint32_t kUnitBytes = 16;     // of a record
  static constexpr uint32_t kCursorBytes = 16;   // next unit, units left, accesses taken part in
  static constexpr uint32_t kNotKept = 0xffffffff;

  What what = What::Totals;
  Cursor cursor = Cursor::Registers;
  Dim3 grid;
  Dim3 block;
  uint64_t address = 0;  // of the memory, on the machine that runs the kernel
  uint32_t sites = 0;
  uint32_t regions = 1;        // a power of two
  uint32_t list_capacity = 0;  // lists in each region that keeps any
  uint32_t first_region = 0;   // regions [first, end) keep lists in this pass
  uint32_t end_region = 1;
  uint32_t kept_blocks = 0;                            // Records
  uint32_t chunk_units = 0;                            // the same
  uint32_t pool_chunks = 0;                            // the same, per region
  std::vector<std::optional<ExpectedSteps>> expected;  // [site]; may be empty
  bool has_distances = false;                          // one of them is not in equal steps
  bool accumulates = false;                            // Totals: loops are counted by sums (accumulators.h)
  std::vector<bool> only;                              // [site] Totals: those that are counted; empty: all

  constexpr uint32_t warps() const { return static_cast<uint32_t>((volume(block) + kLanes - 1) / kLanes); }
  /// Lanes of a row of the block where rows are shorter than a warp and fill it; else a warp's.
  constexpr uint32_t row_lanes() const {
    return block.x == 2 || block.x == 4 || block.x == 8 || block.x == 16 ? block.x : kLanes;
  }
  constexpr uint64_t chunk_bytes() const { return uint64_t{chunk_units} * kUnitBytes; }
  constexpr uint64_t first_chunks() const {
    return cursor == Cursor::Registers ? uint64_t{kept_blocks} * warps() : 0;
  }

  // Offsets in the memory.
  static constexpr uint64_t variables_at() { return 0; }
  static constexpr uint64_t counters_at() { return uint64_t{kMostVariables} * 8; }
  /// [site][lane] of the expected steps, a word each; nothing where all are in equal steps.
  constexpr uint64_t distances_at() const { return counters_at() + uint64_t{regions} * kCounterBytes; }
  constexpr uint64_t distances_bytes() const {
    return has_distances ? uint64_t{sites} * kLanes * sizeof(int32_t) : 0;
  }
  constexpr uint64_t behind_counters() const { return distances_at() + distances_bytes(); }
  // Totals:
  constexpr uint64_t dictionary_at() const { return behind_counters(); }
  constexpr uint64_t dictionary_bytes() const { return uint64_t{sites} * kPatterns * kPatternBytes; }
  constexpr uint64_t counts_at() const { return dictionary_at() + dictionary_bytes(); }
  /// Of a region: [site][pattern], then [site][places] of the expected strides.
  constexpr uint64_t counts_bytes() const {
    return uint64_t{sites} * (kPatterns + kPlaces) * sizeof(uint64_t);
  }
  constexpr uint64_t expected_counts() const { return uint64_t{sites} * kPatterns * sizeof(uint64_t); }
  /// [site], a word each: not 0 where the sums of a loop did not fit.
  constexpr uint64_t broken_at() const { return counts_at() + regions * counts_bytes(); }
  constexpr uint64_t broken_bytes() const { return (uint64_t{sites} * sizeof(uint32_t) + 31) / 32 * 32; }
  // Records:
  constexpr uint64_t kept_at() const { return behind_counters(); }
  constexpr uint64_t kept_bytes() const { return (volume(grid) * sizeof(uint32_t) + 31) / 32 * 32; }
  constexpr uint64_t cursors_at() const { return kept_at() + kept_bytes(); }
  constexpr uint64_t cursors_bytes() const {
    return cursor == Cursor::Memory ? uint64_t{kept_blocks} * warps() * kLanes * kCursorBytes : 0;
  }
  constexpr uint64_t chunks_at() const { return cursors_at() + cursors_bytes(); }
  constexpr uint64_t pool_at() const { return chunks_at() + first_chunks() * chunk_bytes(); }
  constexpr uint64_t behind_pool() const {
    return pool_at() + uint64_t{regions} * pool_chunks * chunk_bytes();
  }
  // Both:
  constexpr uint64_t lists_at() const {
    return what == What::Totals ? broken_at() + broken_bytes() : behind_pool();
  }
  constexpr uint64_t size_bytes() const {
    return lists_at() + uint64_t{end_region - first_region} * list_capacity * kListBytes;
  }
};

}  // namespace lanescope::gpu
