// One memory instruction executed by one warp: the unit of everything that Lanescope counts and draws.
// Method: addresses are in normal form, equal for both producers. A global address is (buffer, offset) packed
// into 64 bits, a shared or local one an offset in bytes from the start of that space (of the CTA, of the
// thread). Tests: tests/unit/trace/access_test.cpp

#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "trace/site.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::trace {

/// Buffer n of the launch occupies [global_address(n, 0), global_address(n + 1, 0)): 1 TiB of address space
/// each, so that a wild pointer hits a gap and not the next buffer. The emulator's pointers have these
/// values.
inline constexpr int kBufferShift = 40;

constexpr uint64_t global_address(uint32_t buffer, uint64_t offset) {
  return (uint64_t{buffer} + 1) << kBufferShift | offset;
}
/// Buffer of an address made by global_address. Addresses below 1 TiB belong to none: check with has_buffer.
constexpr uint32_t buffer_of(uint64_t address) { return static_cast<uint32_t>(address >> kBufferShift) - 1; }
constexpr bool has_buffer(uint64_t address) { return address >> kBufferShift != 0; }
constexpr uint64_t offset_of(uint64_t address) { return address & ((uint64_t{1} << kBufferShift) - 1); }

/// Addresses of the lanes of an access. Affine: lane l accesses base + l * stride. In rows, as the lanes of a
/// narrow block: base + l % row_lanes * stride + l / row_lanes * row. Listed: list[n] is the address of the
/// n-th set lane of the access's mask. The list is borrowed; its owner defines its lifetime. A stored access
/// is affine or listed.
struct AddressRef {
  uint64_t base = 0;
  int64_t stride = 0;
  const uint64_t* list = nullptr;  // null: affine, or in rows
  int64_t row = 0;
  uint32_t row_lanes = kLanes;  // a power of two

  constexpr bool listed() const { return list != nullptr; }
  constexpr bool affine() const { return list == nullptr && row_lanes == kLanes; }
  /// Address of `lane`, which is the `n`-th set lane.
  constexpr uint64_t at(int n, int lane) const {
    if (list) return list[n];
    const int in_row = lane & static_cast<int>(row_lanes - 1);
    return base +
           static_cast<uint64_t>(stride * in_row + (lane - in_row) / static_cast<int>(row_lanes) * row);
  }
};

/// Owner of the shared memory that the lanes of an access go to. An instruction whose lanes go to the memory
/// of several blocks of a cluster makes an access for each block.
enum class SharedOwner : uint8_t {
  OwnBlock,
  OtherBlock,
  OtherBlocksAlone,  // the first access of an instruction that goes to other blocks' alone
};

struct WarpAccess {
  SiteId site;
  CtaId cta;
  WarpId warp;        // within the CTA
  uint32_t step = 0;  // order within this warp only, from 0; no order between warps is promised
  LaneMask active;    // lanes that accessed memory: execution mask and predicate; never empty
  Operation operation;
  SharedOwner owner = SharedOwner::OwnBlock;  // not stored in a .lane file
  AddressRef addresses;
  /// Lanes that read global memory, and where, at the write of an asynchronous copy; the others write zeros.
  /// No lanes where it is not known.
  LaneMask reading = {};
  AddressRef source = {};
  /// Bytes that each lane read or wrote, [n-th set lane][bytes_per_lane]; null if values were not requested.
  /// For a load, the values read. Borrowed like the addresses.
  const std::byte* values = nullptr;
};

/// Identity of a group's bases, strides and rows: two groups of one maker with one number have the same.
struct PatternId {
  const void* maker = nullptr;  // null: not known
  uint64_t number = 0;
  bool operator==(const PatternId&) const = default;
};

/// The accesses of one instruction by several warps of a block, from its first on.
struct GroupAccess {
  SiteId site;
  CtaId cta;
  LaneMask active;  // of each warp, unless there are `masks`
  Operation operation;
  uint32_t count = 0;
  uint64_t address = 0;             // of lane 0 of the first warp
  const int64_t* base = nullptr;    // [warp] offset of its lane 0 from `address`
  const int64_t* stride = nullptr;  // [warp] as in AddressRef
  const int64_t* row = nullptr;     // [warp]
  const uint32_t* step = nullptr;   // [warp]
  uint32_t row_lanes = kLanes;
  uint64_t base_bits = 0;           // of all bases
  bool same_strides = false;        // and rows
  PatternId pattern;                // lives as long as the sink
  const uint32_t* masks = nullptr;  // [warp] lanes, perhaps none; null: the same of all warps

  constexpr LaneMask lanes_of(uint32_t n) const { return masks == nullptr ? active : LaneMask{masks[n]}; }
  constexpr WarpAccess at(uint32_t n) const {
    return {.site = site,
            .cta = cta,
            .warp = {n},
            .step = step[n],
            .active = lanes_of(n),
            .operation = operation,
            .addresses = {.base = address + static_cast<uint64_t>(base[n]),
                          .stride = stride[n],
                          .list = nullptr,
                          .row = row[n],
                          .row_lanes = row_lanes},
            .values = nullptr};
  }
};

/// Calls f(n, lane, address) for each active lane in rising order; n counts the active lanes.
template <class F>
constexpr void for_each_address(const WarpAccess& access, F&& f) {
  int n = 0;
  for_each_lane(access.active, [&](int lane) {
    f(n, lane, access.addresses.at(n, lane));
    ++n;
  });
}

}  // namespace lanescope::trace
