// Checks the rule of an H200's L2 slices against measurements: learned on one page, fitted to another.
// Method: a granule of 256 bytes belongs to the pair of slices table[home][(64 k + n + s) mod 47]; k is the
// number of its 128 KiB, n six parities of address bits, home another parity. Address bits above the page add
// to s and invert parities, which leaves 47 x 64 x 2 possibilities for a page of 2 MiB. Pairs are labels by
// first appearance, so the table is learned from the first page (with s = 0). Source: measured on an H200
// (address_maps.h, tests/data/h200_slices.csv.gz). Tests: tests/unit/model/slice_fit_test.cpp

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::model {

inline constexpr uint32_t kSlicePairs = 47;
inline constexpr uint32_t kSliceGranuleBytes = 256;
inline constexpr uint32_t kSlicePageBytes = 2 << 20;

/// Which pair of slices serves a granule, and which half of the GPU owns it.
struct Slice {
  uint8_t pair = 0;
  uint8_t home = 0;
  bool operator==(const Slice&) const = default;
};
struct MeasuredGranule {
  uint32_t offset = 0;  // in its page
  Slice slice;
};

/// The effect of a page's physical address, which is not visible to programs, on the rule.
struct PageBase {
  uint8_t shift = 0;     // below 47
  uint8_t parities = 0;  // six bits, exclusive or with n
  uint8_t home = 0;
  bool operator==(const PageBase&) const = default;
};

/// [home][number modulo 47]; kUnknownPair if no granule shows it.
using PairTable = std::array<std::array<uint8_t, kSlicePairs>, 2>;
inline constexpr uint8_t kUnknownPair = 255;

struct LearntPage {
  PairTable table{};
  PageBase base;
};

/// The table and the base with which every granule of a completely measured page agrees; none if the rule
/// does not hold.
std::optional<LearntPage> learn_page(std::span<const MeasuredGranule> granules);

/// The base of another page with this table, if every granule agrees with it and with no other base; else
/// none.
std::optional<PageBase> fit_page(const PairTable& table, std::span<const MeasuredGranule> granules);

/// `offset` is below kSlicePageBytes. Its pair may be kUnknownPair.
Slice slice_in_page(const PairTable& table, const PageBase& base, uint32_t offset);

}  // namespace lanescope::model
