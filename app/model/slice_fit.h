// The rule of an H200's L2 slices held against what was measured: learnt on one page, fitted to another.
// Method: which of 47 pairs of slices a granule of 256 bytes belongs to is table[home][(64 k + n + s) mod
// 47], k the number of its 128 KiB, n six parities of address bits, home another parity; what lies above the
// page adds to s and turns parities, which leaves 47 x 64 x 2 possibilities for a page of 2 MiB. Pairs are
// labels by first appearance, so the table is learnt from the first page (with s = 0). Source: measured on an
// H200 (address_maps.h, tests/data/h200_slices.csv.gz). Tests: tests/unit/model/slice_fit_test.cpp

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

/// What a page's physical address, which no program knows, does to the rule.
struct PageBase {
  uint8_t shift = 0;     // below 47
  uint8_t parities = 0;  // six bits, exclusive or with n
  uint8_t home = 0;
  bool operator==(const PageBase&) const = default;
};

/// [home][number modulo 47]; kUnknownPair where no granule showed it.
using PairTable = std::array<std::array<uint8_t, kSlicePairs>, 2>;
inline constexpr uint8_t kUnknownPair = 255;

struct LearntPage {
  PairTable table{};
  PageBase base;
};

/// The table and the base under which every granule of a page that was measured as a whole agrees; none where
/// the rule does not hold.
std::optional<LearntPage> learn_page(std::span<const MeasuredGranule> granules);

/// The base of another page under this table: every granule has to agree, and no other base may. None else.
std::optional<PageBase> fit_page(const PairTable& table, std::span<const MeasuredGranule> granules);

/// `offset` is below kSlicePageBytes. Its pair may be kUnknownPair.
Slice slice_in_page(const PairTable& table, const PageBase& base, uint32_t offset);

}  // namespace lanescope::model
