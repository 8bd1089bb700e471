#include "gpu/instrument/recorder_output.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::gpu {
namespace {

constexpr uint64_t kAnyLine = uint64_t{1} << 31;  // patterns may go up and down from here

enum class UnitKind : uint8_t { WholeWarp, SomeLanes, List, Expected };

uint32_t word(std::span<const std::byte> bytes, size_t n) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + n * sizeof value, sizeof value);
  return value;
}

uint64_t joined(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

}  // namespace

RegionCounters counters_of(std::span<const std::byte> memory) {
  return {
      .lists = word(memory, 0), .chunks = word(memory, 1), .lost = joined(word(memory, 2), word(memory, 3))};
}

std::optional<RecordedAccess> list_entry(std::span<const std::byte> entry, uint32_t row_lanes) {
  const uint32_t site = word(entry, 0);
  if (site == 0) return {};
  RecordedAccess access{.site = site - 1, .mask = word(entry, 1)};
  if (access.mask == 0) return {};
  if (word(entry, 2) == 0) {
    access.clock = word(entry, 3);
    std::memcpy(access.lanes.data(), entry.data() + 16, sizeof access.lanes);
  } else {  // equal steps that found no place in the dictionary
    access.lanes = addresses_of({.mask = access.mask,
                                 .first = joined(word(entry, 3), word(entry, 4)),
                                 .stride = static_cast<int32_t>(word(entry, 5)),
                                 .row_stride = static_cast<int32_t>(word(entry, 6)),
                                 .row_lanes = row_lanes});
  }
  return access;
}

std::optional<RecordedAccess> pattern_at(std::span<const std::byte> dictionary, size_t index,
                                         uint32_t row_lanes) {
  constexpr uint32_t kPublic = 0x40000000;
  const auto pattern =
      dictionary.subspan(index * RecorderLayout::kPatternBytes, RecorderLayout::kPatternBytes);
  const uint32_t tag = word(pattern, 3);
  if ((tag & kPublic) == 0) return {};
  RecordedAccess access{.site = static_cast<uint32_t>(index / RecorderLayout::kPatterns),
                        .mask = word(pattern, 2)};
  // In the low half of 64 bits a stride of either sign may wrap, and the cost is that of the low bits then;
  // far from both ends it does not.
  LanePattern lanes{.mask = access.mask,
                    .first = kAnyLine + (tag & 127),
                    .stride = static_cast<int32_t>(word(pattern, 0)),
                    .row_stride = static_cast<int32_t>(word(pattern, 1)),
                    .row_lanes = row_lanes};
  access.lanes = addresses_of(lanes);
  return access;
}

LaneAddresses addresses_of(const ExpectedSteps& steps, uint64_t first, uint32_t row_lanes) {
  if (!steps.distances)
    return addresses_of(LanePattern{.mask = kAllLanes.bits,
                                    .first = first,
                                    .stride = steps.stride,
                                    .row_stride = steps.row_stride,
                                    .row_lanes = row_lanes});
  LaneAddresses lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    lanes[lane] = first + static_cast<uint64_t>(int64_t{(*steps.distances)[lane]});
  return lanes;
}

std::optional<RecordedAccess> expected_at(const RecorderLayout& plan, size_t index) {
  const size_t site = index / RecorderLayout::kPlaces;
  const auto places = static_cast<uint32_t>(index % RecorderLayout::kPlaces);
  if (places == 0 || site >= plan.expected.size() || !plan.expected[site]) return {};
  RecordedAccess access{.site = static_cast<uint32_t>(site), .mask = kAllLanes.bits};
  access.lanes =
      addresses_of(*plan.expected[site], kAnyLine + (places - std::bit_floor(places)), plan.row_lanes());
  return access;
}

std::optional<ChunkOwner> owner_of(std::span<const std::byte> chunk) {
  if (word(chunk, 3) == 0) return {};
  return ChunkOwner{word(chunk, 0), word(chunk, 1), word(chunk, 2)};
}

void UnitReader::read(std::span<const std::byte> units, std::vector<RecordedAccess>& to) const {
  constexpr size_t kUnit = RecorderLayout::kUnitBytes;
  for (size_t at = 0; at + kUnit <= units.size(); at += kUnit) {
    const auto unit = units.subspan(at, kUnit);
    const uint32_t high = word(unit, 1);
    if (high >> 18 == 0) return;
    RecordedAccess access{.site = (high >> 18) - 1};
    const auto kind = static_cast<UnitKind>(high >> 16 & 3);
    LanePattern pattern{.mask = kAllLanes.bits,
                        .first = joined(word(unit, 0), high & 0xffff),
                        .stride = static_cast<int32_t>(word(unit, 2)),
                        .row_stride = static_cast<int32_t>(word(unit, 3)),
                        .row_lanes = plan_.row_lanes()};
    if (kind == UnitKind::SomeLanes) {
      at += kUnit;
      if (at + kUnit > units.size()) return;
      pattern.mask = word(units.subspan(at, kUnit), 0);
      access.taken = word(units.subspan(at, kUnit), 1);
      access.clock = word(units.subspan(at, kUnit), 2);
    } else if (kind == UnitKind::List) {
      const uint64_t number = word(unit, 0);
      const uint64_t begin = (number - first_list_) * RecorderLayout::kListBytes;
      access.mask = word(unit, 2);
      access.taken = word(unit, 3);
      if (number < first_list_ || begin + RecorderLayout::kListBytes > lists_.size() || access.mask == 0)
        continue;
      if (const auto entry =
              list_entry(lists_.subspan(begin, RecorderLayout::kListBytes), plan_.row_lanes())) {
        access.lanes = entry->lanes;
        access.clock = entry->clock;
        to.push_back(access);
      }
      continue;
    }
    if (pattern.mask == 0) continue;
    access.mask = pattern.mask;
    if (kind == UnitKind::Expected) {
      if (access.site >= plan_.expected.size() || !plan_.expected[access.site]) continue;
      access.lanes = addresses_of(*plan_.expected[access.site], pattern.first, plan_.row_lanes());
      to.push_back(access);
      continue;
    }
    access.lanes = addresses_of(pattern);
    to.push_back(access);
  }
}

std::vector<RecordedAccess> in_order(std::span<const std::vector<RecordedAccess>> streams) {
  std::vector<RecordedAccess> ordered;
  std::array<size_t, kLanes> next{};
  std::array<uint32_t, kLanes> taken{};
  const auto head = [&](size_t lane) -> const RecordedAccess* {
    return lane < streams.size() && next[lane] < streams[lane].size() ? &streams[lane][next[lane]] : nullptr;
  };
  // A whole warp's record has no count: it comes when nothing else is next of its lanes.
  const auto is_next = [&](size_t lane) {
    const RecordedAccess* access = head(lane);
    return access != nullptr && access->clock.has_value() && access->taken == taken[lane];
  };
  const auto is_before = [&](size_t one, size_t other) {  // clocks wrap around
    return static_cast<int32_t>(*head(one)->clock - *head(other)->clock) < 0;
  };
  while (true) {
    size_t chosen = streams.size();
    for (size_t lane = 0; lane < streams.size(); ++lane)
      if (is_next(lane) && (chosen == streams.size() || is_before(lane, chosen))) chosen = lane;
    // Else the whole warp; and where something was lost, so that the counts do not fit, any.
    for (size_t lane = 0; lane < streams.size() && chosen == streams.size(); ++lane)
      if (head(lane) != nullptr) chosen = lane;
    if (chosen == streams.size()) return ordered;
    const RecordedAccess& access = *head(chosen);
    for_each_lane({access.mask}, [&](int lane) { ++taken[static_cast<size_t>(lane)]; });
    ordered.push_back(access);
    ++next[chosen];
  }
}

}  // namespace lanescope::gpu
