// From the most common case to the most general: neighboring lanes at a constant stride have a closed form;
// some lanes at one address, or with their data side by side, need one step per sector; aligned lanes are
// sorted if the machine has AVX2; otherwise lanes whose addresses only rise or only fall
// need one comparison with the previous lane, and all others use a small table of lines. Nothing is
// allocated.

#include "model/sector_cost.h"

#include "model/lane_addresses.h"
#include "model/lane_keys.h"
#include "model/sectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>

namespace lanescope::model {
namespace {

using trace::Cost;
using trace::WarpAccess;

Cost make_cost(uint64_t sectors, uint64_t lines, uint64_t bytes_wanted) {
  return {.sectors = static_cast<uint16_t>(sectors),
          .ideal_sectors = static_cast<uint16_t>((bytes_wanted + kSectorBytes - 1) / kSectorBytes),
          .lines = static_cast<uint16_t>(lines)};
}

/// `count` consecutive lanes, `stride` >= 0 bytes apart from `base` on. No value if a lane's bytes may cross
/// a boundary that no other lane's bytes cross.
std::optional<Cost> cost_of_run(uint64_t base, uint64_t stride, uint64_t bytes, uint64_t count) {
  const uint64_t span = stride * (count - 1) + bytes;
  const uint64_t last = base + span - 1;
  const uint64_t bytes_wanted = stride >= bytes ? bytes * count : span;
  const uint64_t gap = stride > bytes ? stride - bytes : 0;
  const bool aligned =
      ((base | stride) & (bytes - 1)) == 0 && is_power_of_two(bytes) && bytes <= kSectorBytes;
  // A gap of less than a sector skips none; with a larger gap no two lanes share a sector. The same holds for
  // lines.
  const uint64_t sector_span = last / kSectorBytes - base / kSectorBytes + 1;
  const uint64_t line_span = last / kLineBytes - base / kLineBytes + 1;
  if (gap < kSectorBytes) return make_cost(sector_span, line_span, bytes_wanted);
  if (!aligned) return std::nullopt;
  return make_cost(count, gap < kLineBytes ? line_span : count, bytes_wanted);
}

/// Any lanes at one address, or whose data would lie side by side if all took part. No value for others.
std::optional<Cost> cost_of_some_neighbors(const WarpAccess& access) {
  const uint64_t bytes = access.operation.bytes_per_lane;
  const int64_t stride = access.addresses.stride;
  const uint64_t base = access.addresses.base;
  if (stride == 0) return cost_of_run(base, 0, bytes, 1);
  constexpr uint64_t kMostBytes = 16;  // larger data have a sector for each lane: sorting is as fast
  if (stride != static_cast<int64_t>(bytes) || bytes > kMostBytes || !is_power_of_two(bytes) ||
      (base & (bytes - 1)) != 0)
    return std::nullopt;
  const uint64_t per_sector = kSectorBytes / bytes;
  const uint64_t lanes_of_sector = (uint64_t{1} << per_sector) - 1;
  uint64_t lanes = uint64_t{access.active.bits} << base % kSectorBytes / bytes;
  uint64_t sectors = 0;
  uint64_t lines = 0;
  uint64_t last_line = ~uint64_t{0};
  for (uint64_t sector = base / kSectorBytes; lanes != 0; ++sector, lanes >>= per_sector) {
    if ((lanes & lanes_of_sector) == 0) continue;
    const uint64_t line = sector / (kLineBytes / kSectorBytes);
    ++sectors;
    lines += line != last_line ? 1 : 0;
    last_line = line;
  }
  return make_cost(sectors, lines, static_cast<uint64_t>(access.active.count()) * bytes);
}

/// Counts pieces of 2^shift bytes that a rising sequence of ranges overlaps.
class RisingBlocks {
 public:
  explicit RisingBlocks(int shift) : shift_(shift) {}
  void add(uint64_t first_byte, uint64_t last_byte) {
    const uint64_t first = std::max(first_byte >> shift_, next_);
    const uint64_t end = (last_byte >> shift_) + 1;
    if (end > first) count_ += end - first;
    next_ = std::max(next_, end);
  }
  uint64_t count() const { return count_; }

 private:
  int shift_;
  uint64_t next_ = 0;
  uint64_t count_ = 0;
};

/// Addresses that never fall with `at(0)`, `at(1)`, ...; no value if they do.
template <class F>
std::optional<Cost> cost_of_rising(int count, uint64_t bytes, F&& at) {
  RisingBlocks sectors(std::countr_zero(kSectorBytes));
  RisingBlocks lines(std::countr_zero(kLineBytes));
  uint64_t bytes_wanted = bytes;
  uint64_t before = at(0);
  for (int n = 0; n < count; ++n) {
    const uint64_t address = at(n);
    if (address < before) return std::nullopt;
    bytes_wanted += std::min(bytes, address - before);
    before = address;
    sectors.add(address, address + bytes - 1);
    lines.add(address, address + bytes - 1);
  }
  return make_cost(sectors.count(), lines.count(), bytes_wanted);
}

/// The lines of an access, each with a bit for each of its 128 bytes. Open addressing over a table of small
/// indices, so that only those are cleared beforehand.
template <size_t capacity>
class LineTable {
 public:
  /// The range is within one line.
  void add(uint64_t address, uint64_t bytes) {
    const auto offset = static_cast<uint32_t>(address % kLineBytes);
    const auto wanted = static_cast<uint32_t>(((uint64_t{1} << bytes) - 1) << offset % kSectorBytes);
    uint32_t& sector = find(address / kLineBytes).bytes[offset / kSectorBytes];
    const uint32_t fresh = wanted & ~sector;
    sectors_ += sector == 0;
    bytes_wanted_ += fresh == wanted ? bytes : static_cast<uint64_t>(std::popcount(fresh));
    sector |= wanted;
  }
  Cost cost() const { return make_cost(sectors_, count_, bytes_wanted_); }

 private:
  static constexpr size_t kSlots = 2 * capacity;
  static_assert(std::has_single_bit(capacity) && capacity <= 0xffff);
  using Index = std::conditional_t<(capacity <= 0xff), uint8_t, uint16_t>;

  struct Line {
    uint64_t number;
    std::array<uint32_t, kLineBytes / kSectorBytes> bytes;
  };

  Line& find(uint64_t number) {
    if (count_ != 0 && lines_[last_].number == number) return lines_[last_];
    size_t slot = number * 0x9e3779b97f4a7c15u >> (64 - std::countr_zero(kSlots));
    while (slots_[slot] != 0 && lines_[slots_[slot] - 1u].number != number) slot = (slot + 1) % kSlots;
    if (slots_[slot] == 0) {
      lines_[count_] = {number, {}};
      slots_[slot] = static_cast<Index>(++count_);
    }
    last_ = slots_[slot] - 1u;
    return lines_[last_];
  }

  std::array<Index, kSlots> slots_{};  // index into lines_ plus 1, 0 is free
  std::array<Line, capacity> lines_;   // [0, count_) are set
  size_t count_ = 0;
  size_t last_ = 0;
  uint64_t sectors_ = 0;
  uint64_t bytes_wanted_ = 0;
};

/// 255 bytes, the most that a lane can have, lie in three lines at most.
Cost cost_of_any(const LaneAddresses& addresses, uint64_t bytes_per_lane) {
  LineTable<128> table;
  for (int n = 0; n < addresses.count(); ++n) {
    uint64_t address = addresses[n];
    for (uint64_t left = bytes_per_lane; left != 0;) {
      const uint64_t bytes = std::min(left, kSectorBytes - address % kSectorBytes);
      table.add(address, bytes);
      address += bytes;
      left -= bytes;
    }
  }
  return table.cost();
}

/// Aligned lanes of a power of two of bytes: two lanes share all of their bytes or none, and no lane has two
/// sectors.
std::optional<Cost> cost_of_aligned(AllAddresses addresses, uint64_t bytes) {
  if (!is_power_of_two(bytes) || bytes > kSectorBytes || !can_sort_lanes()) return std::nullopt;
  const auto distinct = count_pieces(addresses, std::countr_zero(bytes));
  if (!distinct) return std::nullopt;
  return make_cost(static_cast<uint64_t>(distinct->sectors), static_cast<uint64_t>(distinct->lines),
                   static_cast<uint64_t>(distinct->pieces) * bytes);
}

/// All lanes at one offset of their local memory: word by word, 4 bytes of every lane side by side.
Cost cost_of_uniform_local(LaneMask active, uint64_t offset, uint64_t bytes_per_lane) {
  const uint64_t words = (offset + bytes_per_lane - 1) / kLocalWordBytes - offset / kLocalWordBytes + 1;
  uint64_t sectors_per_word = 0;  // a sector holds the words of 8 lanes
  for (uint32_t rest = active.bits; rest != 0; rest >>= 8) sectors_per_word += (rest & 0xff) != 0;
  return make_cost(sectors_per_word * words, words, static_cast<uint64_t>(active.count()) * bytes_per_lane);
}

}  // namespace

Cost global_cost(const WarpAccess& access) {
  const uint64_t bytes = access.operation.bytes_per_lane;
  if (access.addresses.affine() && is_one_run(access.active)) {
    const auto count = static_cast<uint64_t>(access.active.count());
    const int64_t stride = access.addresses.stride;
    const int lowest_lane =
        stride >= 0 ? std::countr_zero(access.active.bits) : 31 - std::countl_zero(access.active.bits);
    const uint64_t base = access.addresses.at(0, lowest_lane);
    if (const auto cost = cost_of_run(base, static_cast<uint64_t>(std::abs(stride)), bytes, count))
      return *cost;
  }
  if (access.addresses.affine()) {
    if (const auto cost = cost_of_some_neighbors(access)) return *cost;
  }
  const LaneAddresses addresses(access);
  if (const auto sorted = cost_of_aligned(addresses.all(), bytes)) return *sorted;
  const int last = addresses.count() - 1;
  const auto cost =
      addresses[0] <= addresses[last]
          ? cost_of_rising(addresses.count(), bytes, [&](int n) { return addresses[n]; })
          : cost_of_rising(addresses.count(), bytes, [&](int n) { return addresses[last - n]; });
  return cost ? *cost : cost_of_any(addresses, bytes);
}

Cost local_cost(const WarpAccess& access) {
  const uint64_t bytes = access.operation.bytes_per_lane;
  if (access.addresses.affine() && access.addresses.stride == 0) {
    return cost_of_uniform_local(access.active, access.addresses.base, bytes);
  }
  const LaneAddresses addresses(access);
  if (addresses.all_equal()) return cost_of_uniform_local(access.active, addresses[0], bytes);
  constexpr uint64_t kMostBytes = 32;  // trace/site.h; nine words when they are not aligned
  LineTable<512> table;
  int n = 0;
  for_each_lane(access.active, [&](int lane) {
    uint64_t offset = addresses[n++];
    for (uint64_t left = std::min(bytes, kMostBytes); left != 0;) {
      const uint64_t piece = std::min(left, kLocalWordBytes - offset % kLocalWordBytes);
      table.add(interleaved_address(lane, offset), piece);
      offset += piece;
      left -= piece;
    }
  });
  return table.cost();
}

}  // namespace lanescope::model
