#include "model/address_maps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace lanescope::model {
namespace {

/// A mask of the bits that one bit of a partition's number is the parity of.
template <class... Bits>
constexpr uint64_t bits(Bits... bit) {
  return (... | (uint64_t{1} << bit));
}
constexpr uint32_t parity(uint64_t value) { return static_cast<uint32_t>(std::popcount(value)) & 1; }

template <size_t count>
uint32_t parities(uint64_t address, const std::array<uint64_t, count>& masks) {
  uint32_t number = 0;
  for (size_t bit = 0; bit < count; ++bit) number |= parity(address & masks[bit]) << bit;
  return number;
}

uint32_t linear_6(uint64_t address) { return static_cast<uint32_t>(address / 256 % 6); }
uint32_t linear_8(uint64_t address) { return static_cast<uint32_t>(address / 256 % 8); }

/// All groups of three bits above the granule, XORed.
uint32_t folded_8(uint64_t address) {
  uint64_t folded = 0;
  for (uint64_t rest = address / 256; rest != 0; rest >>= 3) folded ^= rest;
  return static_cast<uint32_t>(folded & 7);
}

constexpr std::array kGtx1070{bits(10, 12, 16, 20, 23, 26, 29, 30),
                              bits(11, 12, 13, 15, 17, 20, 21, 23, 25, 26, 30),
                              bits(12, 13, 18, 19, 22, 25, 26, 27, 30, 31)};
uint32_t gtx_1070(uint64_t address) { return parities(address, kGtx1070); }

constexpr std::array kV100{
    bits(10, 13, 17, 19, 24, 25, 26, 29, 30, 32, 33), bits(11, 13, 15, 23, 24, 26, 27, 29, 30, 31),
    bits(12, 15, 16, 18, 20, 21, 23, 26, 28, 29, 30), bits(13, 19, 20, 22, 25, 27, 28, 29),
    bits(15, 18, 22, 23, 26, 29, 30, 31, 32, 33)};
uint32_t v100(uint64_t address) { return parities(address, kV100); }

/// The number of the granule as a polynomial over GF(2), modulo x^5 + x^2 + 1.
uint32_t ipoly_32(uint64_t address) {
  constexpr uint64_t kPolynomial = 0b100101;
  uint64_t rest = address / 256;
  while (rest >= 32) rest ^= kPolynomial << (std::bit_width(rest) - 6);
  return static_cast<uint32_t>(rest);
}

// Fitted on the measured granules; the physical address is known up to a multiple of 512 MiB.
constexpr uint64_t kH200Base = 29360128;
constexpr std::array<uint64_t, 6> kH200Masks{1157179392, 1783578624, 532521984,
                                             1700073728, 1575953408, 304498688};
constexpr uint32_t kH200Constants = 0b010001;
constexpr uint64_t kH200HomeMask = 1030402048;
constexpr uint32_t kH200HomeConstant = 1;
constexpr std::array<std::array<uint8_t, 47>, 2> kH200Pairs{
    {{30, 27, 0,  9,  36, 32, 6,  14, 17, 23, 1,  8,  35, 33, 26, 7,  18, 46, 43, 38, 28, 22, 15, 11,
      2,  44, 45, 29, 31, 21, 16, 10, 3,  4,  13, 19, 25, 42, 39, 37, 34, 5,  12, 20, 24, 41, 40},
     {27, 30, 9,  0,  32, 36, 14, 6, 23, 17, 8, 1,  33, 35, 26, 7,  18, 46, 43, 38, 28, 15, 22, 2,
      11, 45, 44, 31, 29, 16, 21, 3, 10, 13, 4, 25, 19, 39, 42, 34, 37, 12, 5,  24, 20, 40, 41}}};

uint32_t h200_pair(uint64_t address) { return h200_slice_of(address).pair; }
uint32_t h200_slice(uint64_t address) {
  const H200Slice slice = h200_slice_of(address);
  return slice.pair + 47 * slice.home;
}

constexpr std::string_view kMatrixTranspose = "NVIDIA, Optimizing Matrix Transpose in CUDA, 2010";
constexpr std::string_view kFractional = "Jain and others, Fractional GPUs, RTAS 2019, doc/REVERSE.md";
constexpr std::string_view kSlices = "tests/data/h200_slices.csv.gz";

constexpr std::array<AddressMap, 8> kMaps{
    {{"g80", Text::map_g80, MapOrigin::Published, kMatrixTranspose, Text::map_starts_at_0, 6, 256, linear_6},
     {"gt200", Text::map_gt200, MapOrigin::Published, kMatrixTranspose, Text::map_starts_at_0, 8, 256,
      linear_8},
     {"xor8", Text::map_xor8, MapOrigin::Model, "textbook", Text::map_no_device, 8, 256, folded_8},
     {"gtx1070", Text::map_gtx1070, MapOrigin::Published, kFractional, Text::map_physical, 8, 1024, gtx_1070},
     {"v100", Text::map_v100, MapOrigin::Published, kFractional, Text::map_physical, 32, 1024, v100},
     {"ipoly32", Text::map_ipoly32, MapOrigin::Model,
      "Rau, Pseudo-randomly interleaved memory, ISCA 1991; GPGPU-Sim's memory_partition_indexing 2",
      Text::map_simulators, 32, 256, ipoly_32},
     {"h200", Text::map_h200, MapOrigin::Measured, kSlices, Text::map_one_buffer, 47, 256, h200_pair},
     {"h200-all", Text::map_h200_all, MapOrigin::Measured, kSlices, Text::map_one_buffer, 94, 256,
      h200_slice}}};

}  // namespace

std::string_view name_of(MapOrigin origin) {
  switch (origin) {
    case MapOrigin::Published:
      return "published";
    case MapOrigin::Measured:
      return "measured";
    case MapOrigin::Model:
      return "MODEL";
  }
  return "unknown";
}

std::span<const AddressMap> address_maps() { return kMaps; }

const AddressMap* find_address_map(std::string_view name) {
  const auto found = std::ranges::find(kMaps, name, &AddressMap::name);
  return found == kMaps.end() ? nullptr : &*found;
}

H200Slice h200_slice_of(uint64_t offset) {
  const uint64_t physical = offset + kH200Base;
  const uint32_t number = parities(physical, kH200Masks) ^ kH200Constants;
  const uint32_t home = parity(physical & kH200HomeMask) ^ kH200HomeConstant;
  const auto at = static_cast<size_t>((64 * (physical >> 17) + number + 46) % 47);
  return {kH200Pairs[home][at], home};
}

StrideSpread spread_of_stride(const AddressMap& map, uint64_t stride_bytes, uint32_t count) {
  if (count == 0) return {};
  // First addresses: granules scattered over 256 MiB by the golden ratio.
  constexpr uint32_t kStarts = 256;
  constexpr auto first = [](uint64_t start) { return (start * 0x9e3779b97f4a7c15u >> 44) * 256; };
  StrideSpread spread;
  std::vector<uint32_t> hits(map.partitions);
  for (uint32_t start = 0; start < kStarts; ++start) {
    std::ranges::fill(hits, 0);
    for (uint32_t n = 0; n < count; ++n) ++hits[map.partition_of(first(start) + n * stride_bytes)];
    spread.distinct += static_cast<double>(map.partitions - std::ranges::count(hits, 0u));
    spread.busiest_share += static_cast<double>(std::ranges::max(hits)) / count;
  }
  return {spread.distinct / kStarts, spread.busiest_share / kStarts};
}

}  // namespace lanescope::model
