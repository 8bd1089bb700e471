#include "caches/l1_cache.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

namespace lanescope::caches {
namespace {

constexpr uint32_t kSetBits = 9;
/// Sets that bit 16 + n of the address is added to by an exclusive or. Bits above 34 only rename the sets.
constexpr std::array<uint32_t, 19> kFolded{0x071, 0x01b, 0x176, 0x149, 0x039, 0x1e1, 0x1dd,
                                           0x0ee, 0x194, 0x08d, 0x1ac, 0x0f4, 0x12f, 0x082,
                                           0x0f0, 0x115, 0x1fc, 0x15f, 0x13d};

constexpr uint32_t set_of_line(uint64_t line) {
  auto set = static_cast<uint32_t>(line & ((1u << kSetBits) - 1));
  for (uint32_t n = 0; n < kFolded.size(); ++n)
    if ((line >> (kSetBits + n) & 1) != 0) set ^= kFolded[n];
  return set;
}

/// Bits of a set whose parity is a bit of its partition.
constexpr std::array<uint32_t, 2> kParities{0x16f, 0x0b5};  // [bit of the partition]

template <typename T>
constexpr uint32_t parity_of(T bits) {
  return static_cast<uint32_t>(std::popcount(bits)) & 1;
}

/// Bits of a line's number whose parity is a bit of its partition.
constexpr uint64_t parity_bits_of_line(uint32_t parity) {
  uint64_t bits = 0;
  for (uint32_t n = 0; n < kSetBits + kFolded.size(); ++n)
    bits |= uint64_t{parity_of(set_of_line(uint64_t{1} << n) & parity)} << n;
  return bits;
}

constexpr uint8_t kAgeOfNew = 2;
constexpr uint8_t kOldest = 15;

}  // namespace

uint32_t l1_set_of(uint64_t line) { return set_of_line(line); }

uint32_t l1_partition_of(uint32_t set) {
  return parity_of(set & kParities[1]) * 2 + parity_of(set & kParities[0]);
}

uint32_t l1_partition_of_line(uint64_t line) {
  constexpr uint64_t kHigh = parity_bits_of_line(kParities[1]), kLow = parity_bits_of_line(kParities[0]);
  return parity_of(line & kHigh) * 2 + parity_of(line & kLow);
}

L1Cache::L1Cache(uint32_t lines, const Rules& rules, uint32_t seed)
    : rules_(rules),
      most_of_partition_(rules.data_limit ? std::max<uint32_t>(1, lines / kL1Partitions)
                                          : std::numeric_limits<uint32_t>::max()),
      sets_(kSets) {
  std::array<uint32_t, kL1Partitions> count{};
  for (uint32_t set = 0; set < kSets; ++set) {
    const uint32_t partition = l1_partition_of(set);
    order_[partition][count[partition]++] = static_cast<uint16_t>(set);
  }
  std::mt19937 random(seed);
  for (auto& sets : order_) std::ranges::shuffle(sets, random);
}

uint32_t L1Cache::set_of(uint64_t line) const {
  return rules_.set_hash ? l1_set_of(line) : static_cast<uint32_t>(line % kSets);
}

bool L1Cache::holds(const Set& set, const Line& line) {
  return set.numbers[static_cast<size_t>(&line - set.lines.data())] != kNoLine;
}

void L1Cache::use(Set& set, Line& line) {
  for (Line& other : set.lines) other.age = static_cast<uint8_t>(std::min<int>(other.age + 1, kOldest));
  line.age = 0;
  line.last_use = ++now_;
}

L1Cache::Line& L1Cache::victim_of(Set& set) const {
  Line* victim = nullptr;
  const auto goes_before = [&](const Line& a, const Line& b) {
    if (rules_.evict_first && a.evict_first != b.evict_first) return a.evict_first;
    if (rules_.ages && a.age != b.age) return a.age > b.age;
    return a.last_use < b.last_use;
  };
  for (Line& line : set.lines)
    if (holds(set, line) && (victim == nullptr || goes_before(line, *victim))) victim = &line;
  return *victim;
}

void L1Cache::drop(Set& set, Line& line, uint32_t partition) {
  --held_[partition];
  held_evict_first_[partition] -= line.evict_first ? 1 : 0;
  set.numbers[static_cast<size_t>(&line - set.lines.data())] = kNoLine;
  line = {};
}

void L1Cache::make_room(uint32_t partition) {
  const bool spares_others = rules_.evict_first && held_evict_first_[partition] != 0;
  for (;;) {
    Set& set = sets_[order_[partition][next_[partition]]];
    next_[partition] = (next_[partition] + 1) % kSetsOfPartition;
    const auto loses = [&](const Line& line) {
      return holds(set, line) && (!spares_others || line.evict_first);
    };
    if (std::ranges::any_of(set.lines, loses)) return drop(set, victim_of(set), partition);
  }
}

L1Cache::Line& L1Cache::place_for(uint64_t line, bool evict_first) {
  const uint32_t number = set_of(line);
  const uint32_t partition = l1_partition_of(number);
  Set& set = sets_[number];
  if (line_in(set, kNoLine) == nullptr)
    drop(set, victim_of(set), partition);
  else if (held_[partition] >= most_of_partition_)
    make_room(partition);
  Line& place = *line_in(set, kNoLine);
  ++held_[partition];
  held_evict_first_[partition] += evict_first ? 1 : 0;
  set.numbers[static_cast<size_t>(&place - set.lines.data())] = line;
  place.evict_first = evict_first;
  place.age = kAgeOfNew;
  place.last_use = ++now_;
  return place;
}

L1Cache::Outcome L1Cache::load(uint64_t line, const Bytes& bytes, bool evict_first, uint32_t by) {
  Set& set = sets_[set_of(line)];
  Line* found = line_in(set, line);
  Outcome outcome{.has_line = found != nullptr};
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector) {
    if (bytes[sector] == 0) continue;
    const bool is_there = found != nullptr && ((found->valid >> sector & 1) != 0 ||
                                               (bytes[sector] & ~found->stored[sector]) == 0);
    if (!is_there) outcome.missing |= 1u << sector;
  }
  if (found != nullptr) {
    outcome.by = found->by;
    use(set, *found);
  } else {
    found = &place_for(line, evict_first);
  }
  found->valid |= outcome.missing;
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector)
    if ((outcome.missing >> sector & 1) != 0) found->by[sector] = by;
  return outcome;
}

L1Cache::Outcome L1Cache::store(uint64_t line, const Bytes& bytes, uint32_t by) {
  Set& set = sets_[set_of(line)];
  Line* found = line_in(set, line);
  const Outcome outcome{.has_line = found != nullptr};
  if (found != nullptr) use(set, *found);
  if (!rules_.stores_allocate) return outcome;
  if (found == nullptr) found = &place_for(line, false);
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector) {
    if (bytes[sector] == 0) continue;
    found->stored[sector] |= bytes[sector];
    found->by[sector] = by;
  }
  return outcome;
}

void L1Cache::forget(uint64_t line, SectorMask sectors) {
  Line* const found = line_in(sets_[set_of(line)], line);
  if (found == nullptr) return;
  found->valid &= ~sectors;
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector)
    if ((sectors >> sector & 1) != 0) found->stored[sector] = 0;
}

}  // namespace lanescope::caches
