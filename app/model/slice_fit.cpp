#include "model/slice_fit.h"

#include <algorithm>
#include <bit>

namespace lanescope::model {
namespace {

/// The bits below 2 MiB of each parity: the rest is the same for a whole page.
constexpr std::array<uint32_t, 6> kMasks{0x192800, 0x0f4000, 0x1da400, 0x151100, 0x0f2400, 0x064800};
constexpr uint32_t kHomeMask = 0x0ab000;
constexpr uint32_t kBases = 64;

uint32_t parity(uint32_t value) { return static_cast<uint32_t>(std::popcount(value)) & 1; }

uint32_t number_of(uint32_t offset) {
  uint32_t number = 0;
  for (size_t bit = 0; bit < kMasks.size(); ++bit) number |= parity(offset & kMasks[bit]) << bit;
  return number;
}

uint8_t home_of(const PageBase& base, uint32_t offset) {
  return static_cast<uint8_t>(parity(offset & kHomeMask) ^ base.home);
}

uint32_t place_of(const PageBase& base, uint32_t offset) {
  return (64 * (offset >> 17) + (number_of(offset) ^ base.parities) + base.shift) % kSlicePairs;
}

/// The table of these granules with this base; none if two granules contradict each other.
std::optional<PairTable> table_of(std::span<const MeasuredGranule> granules, const PageBase& base) {
  PairTable table;
  for (auto& row : table) row.fill(kUnknownPair);
  for (const MeasuredGranule& granule : granules) {
    const uint8_t home = home_of(base, granule.offset);
    uint8_t& pair = table[home][place_of(base, granule.offset)];
    if (home != granule.slice.home || (pair != kUnknownPair && pair != granule.slice.pair)) return {};
    pair = granule.slice.pair;
  }
  // A pair is only once in a row: otherwise any data would fit.
  for (const auto& row : table)
    for (size_t n = 0; n < row.size(); ++n)
      if (row[n] != kUnknownPair && std::ranges::count(row, row[n]) != 1) return {};
  return table;
}

}  // namespace

std::optional<LearntPage> learn_page(std::span<const MeasuredGranule> granules) {
  for (uint32_t parities = 0; parities < kBases; ++parities)
    for (const uint8_t home : {uint8_t{0}, uint8_t{1}}) {
      const PageBase base{0, static_cast<uint8_t>(parities), home};
      if (const auto table = table_of(granules, base)) return LearntPage{*table, base};
    }
  return {};
}

std::optional<PageBase> fit_page(const PairTable& table, std::span<const MeasuredGranule> granules) {
  std::optional<PageBase> found;
  for (uint32_t shift = 0; shift < kSlicePairs; ++shift)
    for (uint32_t parities = 0; parities < kBases; ++parities)
      for (const uint8_t home : {uint8_t{0}, uint8_t{1}}) {
        const PageBase base{static_cast<uint8_t>(shift), static_cast<uint8_t>(parities), home};
        const bool agrees = std::ranges::all_of(granules, [&](const MeasuredGranule& granule) {
          return slice_in_page(table, base, granule.offset) == granule.slice;
        });
        if (!agrees) continue;
        if (found) return {};
        found = base;
      }
  return found;
}

Slice slice_in_page(const PairTable& table, const PageBase& base, uint32_t offset) {
  const uint8_t home = home_of(base, offset);
  return {table[home][place_of(base, offset)], home};
}

}  // namespace lanescope::model
