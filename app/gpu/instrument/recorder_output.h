// Decodes what the recorders left in GPU memory: lists of addresses, counted patterns, records.
// Method: the layout is RecorderLayout's; recorder_code.cpp writes the words of a unit.
// Tests: tests/unit/gpu/recorder_output_test.cpp, tests/gpu

#pragma once

#include "gpu/instrument/lane_addresses.h"
#include "gpu/instrument/recorder_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope::gpu {

/// One access as recorded, with the machine's addresses.
struct RecordedAccess {
  uint32_t site = 0;
  uint32_t mask = 0;
  uint32_t taken = 0;  // earlier accesses of its warp in which the first active lane took part
  /// When it was recorded, on the clock of its multiprocessor; absent for a strided whole warp.
  std::optional<uint32_t> clock = std::nullopt;
  LaneAddresses lanes{};
};

/// A region's counters.
struct RegionCounters {
  uint32_t lists = 0;   // requested; may be more than there was room for
  uint32_t chunks = 0;  // the same
  uint64_t lost = 0;    // accesses that found no room (Records)
};
RegionCounters counters_of(std::span<const std::byte> memory);

/// What all regions counted.
struct Counted {
  std::vector<RegionCounters> regions;
  uint32_t most_lists() const { return most(&RegionCounters::lists); }
  uint32_t most_chunks() const { return most(&RegionCounters::chunks); }
  uint64_t lost() const {
    uint64_t sum = 0;
    for (const RegionCounters& region : regions) sum += region.lost;
    return sum;
  }

 private:
  uint32_t most(uint32_t RegionCounters::* counter) const {
    return (*std::ranges::max_element(regions, {}, counter)).*counter;
  }
};

/// An entry of the lists, absent if it was not filled.
std::optional<RecordedAccess> list_entry(std::span<const std::byte> entry, uint32_t row_lanes);

/// A pattern of the dictionary at `index` = site x kPatterns + place; absent if the place is free. Its
/// addresses are examples with the cost of the pattern.
std::optional<RecordedAccess> pattern_at(std::span<const std::byte> dictionary, size_t index,
                                         uint32_t row_lanes);

/// The addresses of a whole warp with these steps.
LaneAddresses addresses_of(const ExpectedSteps& steps, uint64_t first, uint32_t row_lanes);

/// The same for the expected strides, at `index` = site x kPlaces + places: an example for the first of these
/// places.
std::optional<RecordedAccess> expected_at(const RecorderLayout& plan, size_t index);

/// Where a pool's chunk belongs.
struct ChunkOwner {
  uint32_t block = 0;  // number in the grid
  uint32_t warp = 0;
  uint32_t lane = 0;  // whose records these are: the first active one of each
};
/// Absent if the chunk was never begun.
std::optional<ChunkOwner> owner_of(std::span<const std::byte> chunk);

/// Reads the units of a chunk up to its end or the first free one, and appends their accesses. `lists`
/// are the entries from number `first_list` on.
class UnitReader {
 public:
  UnitReader(const RecorderLayout& plan, std::span<const std::byte> lists, uint64_t first_list)
      : plan_(plan), lists_(lists), first_list_(first_list) {}
  void read(std::span<const std::byte> units, std::vector<RecordedAccess>& to) const;

 private:
  const RecorderLayout& plan_;
  std::span<const std::byte> lists_;
  uint64_t first_list_;
};

/// A warp's records in an order in which they can have happened. `streams` has those whose first active lane
/// is the index. Each lane's accesses are in order: those before a whole warp's are found by how many
/// a lane took part in, the others by the clock.
std::vector<RecordedAccess> in_order(std::span<const std::vector<RecordedAccess>> streams);

}  // namespace lanescope::gpu
