// Maps from addresses to DRAM partitions or slices of the L2 cache: the plain ones of the first CUDA cards,
// those that others published for later ones, the one that was measured on an H200, and the one that
// simulators assume; and what a stride does on each. Sources: with each map (source()); the H200:
// tests/data/h200_slices.csv.gz. Tests: tests/unit/model/address_maps_test.cpp

#pragma once

#include "base/text.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::model {

/// Where a map comes from. Model: no source says that hardware has it.
enum class MapOrigin : uint8_t { Published, Measured, Model };
std::string_view name_of(MapOrigin origin);

struct AddressMap {
  std::string_view name;  // "gt200": what --maps takes
  Text title = {};        // "GTX 280: 8 partitions, plain"
  MapOrigin origin = MapOrigin::Published;
  std::string_view source;
  Text limits = {};  // what it does not cover
  uint32_t partitions = 0;
  uint32_t granule_bytes = 0;  // addresses closer than this and equally aligned share a partition
  uint32_t (*partition_of)(uint64_t address) = nullptr;
};

/// All of them, the oldest first.
std::span<const AddressMap> address_maps();
/// The map of this name, or null.
const AddressMap* find_address_map(std::string_view name);

/// Partitions that `count` accesses at `stride` bytes hit, as a mean over first addresses.
struct StrideSpread {
  double distinct = 0;       // partitions hit
  double busiest_share = 0;  // of the accesses, at the busiest of them
};
StrideSpread spread_of_stride(const AddressMap& map, uint64_t stride_bytes, uint32_t count);

/// Slice pair (0 to 46) and home half (0, 1) of a byte offset in the measured buffer of an H200.
struct H200Slice {
  uint32_t pair = 0;
  uint32_t home = 0;
};
H200Slice h200_slice_of(uint64_t offset);

}  // namespace lanescope::model
