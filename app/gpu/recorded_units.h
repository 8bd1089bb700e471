// What the recorders of the GPU leave in their memory, read again: lists of addresses, counted patterns,
// records. Method: the layout is RecordingPlan's; the words of a unit are those of recorder_text.cpp.
// Tests: tests/unit/gpu/recorded_units_test.cpp, tests/gpu

#pragma once

#include "gpu/lane_addresses.h"
#include "gpu/recording_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope::gpu {

/// One access as recorded: addresses are still the machine's own.
struct RecordedAccess {
  uint32_t site = 0;
  uint32_t mask = 0;
  uint32_t taken = 0;  // accesses of its warp that the first active lane had taken part in before
  /// When it was recorded, on the clock of its multiprocessor; absent for a whole warp in equal steps.
  std::optional<uint32_t> clock = std::nullopt;
  LaneAddresses lanes{};
};

/// A region's counters.
struct RegionCounters {
  uint32_t lists = 0;   // wanted; may be more than there was room for
  uint32_t chunks = 0;  // the same
  uint64_t lost = 0;    // accesses that found no room (Records)
};
RegionCounters counters_of(std::span<const std::byte> memory);

/// An entry of the lists, absent if it was not filled.
std::optional<RecordedAccess> list_entry(std::span<const std::byte> entry, uint32_t row_lanes);

/// A pattern of the dictionary at `index` = site x kPatterns + place; absent if the place is free. Its
/// addresses are any that cost what the pattern costs.
std::optional<RecordedAccess> pattern_at(std::span<const std::byte> dictionary, size_t index,
                                         uint32_t row_lanes);

/// The same of the expected steps, at `index` = site x kPhases + phase.
std::optional<RecordedAccess> expected_at(const RecordingPlan& plan, size_t index);

/// Where a pool's chunk belongs.
struct ChunkOwner {
  uint32_t block = 0;  // number in the grid
  uint32_t warp = 0;
  uint32_t lane = 0;  // whose records these are: the first active one of each
};
/// Absent if the chunk was never begun.
std::optional<ChunkOwner> owner_of(std::span<const std::byte> chunk);

/// Reads the units of a chunk up to its end or the first that is free, and appends what they say. `lists`
/// are the entries from number `first_list` on.
class UnitReader {
 public:
  UnitReader(const RecordingPlan& plan, std::span<const std::byte> lists, uint64_t first_list)
      : plan_(plan), lists_(lists), first_list_(first_list) {}
  void read(std::span<const std::byte> units, std::vector<RecordedAccess>& to) const;

 private:
  const RecordingPlan& plan_;
  std::span<const std::byte> lists_;
  uint64_t first_list_;
};

/// A warp's records in an order in which they can have happened. `streams` has those whose first active lane
/// is the index. Each lane's accesses stand in their order: those before a whole warp's are told by how many
/// a lane took part in, the others by the clock.
std::vector<RecordedAccess> in_order(std::span<const std::vector<RecordedAccess>> streams);

}  // namespace lanescope::gpu
