// One memory access of one warp: its addresses, their bounds and alignment, and its record. Loads, stores and
// atomics share it, so that checking and recording exist once and happen before any register is written.
// Compiled once per instruction set, like lanes.h.

#pragma once

#include "emulator/block/fault.h"
#include "emulator/exec/cluster_ranks.h"
#include "emulator/exec/lanes.h"

#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// The addresses of the active lanes. Affine: lane l accesses base + l * stride; else lane[l], which for an
/// inactive lane is an active lane's address, so that loops over all 32 need no mask.
struct Addresses {
  uint32_t mask = 0;
  bool affine = true;
  uint64_t base = 0;
  int64_t stride = 0;
  uint32_t rank = 0;  // of shared memory: 1 + rank of its block in the cluster; 0: the block's own
  trace::SharedOwner owner = trace::SharedOwner::OwnBlock;
  alignas(64) uint64_t lane[kLanes];

  uint64_t at(int l) const { return affine ? base + static_cast<uint64_t>(stride * l) : lane[l]; }
};

/// Address of byte 0 of a space whose byte `first` is at `data`. It may lie before all memory: sums with it
/// wrap, also where an address has 32 bits.
[[gnu::always_inline]] inline uintptr_t origin_of(const void* data, uint64_t first) {
  return reinterpret_cast<uintptr_t>(data) - static_cast<uintptr_t>(first);
}

/// Bytes that an access may touch: byte `address` is data[address + l * lane_pitch] for lane l.
struct Target {
  uintptr_t data = 0;
  uint64_t lane_pitch = 0;
  bool is_global = false;
  bool others_see_it = false;  // blocks that run at the same time do
};

/// True if the addresses of the 32 lanes have a constant stride.
template <class C>
[[gnu::always_inline]] inline bool is_affine(const C* cells) {
  if (static_cast<C>(cells[1] - cells[0]) != static_cast<C>(cells[2] - cells[1])) return false;
  // Explicit vectors: the products of lane and stride are computed once and advanced by
  // additions. The compiler alone computes a 64-bit product for every lane, which costs more than everything
  // else here.
  using Part [[gnu::vector_size(kVectorBytes)]] = C;
  constexpr int kPart = kVectorBytes / sizeof(C);
  const C stride = cells[1] - cells[0];
  Part expected;
  for (int l = 0; l < kPart; ++l) expected[l] = static_cast<C>(l);
  expected = expected * stride + cells[0];
  Part wrong{};
  for (int part = 0; part < kLanes; part += kPart, expected += stride * C{kPart}) {
    Part here;
    __builtin_memcpy(&here, cells + part, sizeof here);
    wrong |= here - expected;
  }
  return is_zero(wrong);
}

/// Reads the addresses of the lanes in `mask`, of which there is at least one, and finds out if they are
/// affine.
template <class C>
inline void read_addresses(const C* cells, int32_t offset, uint32_t mask, Addresses& to) {
  using Signed = std::make_signed_t<C>;
  to.mask = mask;
  if (mask == kAllLanes.bits) {
    to.affine = is_affine(cells);
    to.base = static_cast<C>(cells[0] + static_cast<C>(offset));
    to.stride = static_cast<Signed>(cells[1] - cells[0]);
    if (to.affine) return;
    for (int l = 0; l < kLanes; ++l) to.lane[l] = static_cast<C>(cells[l] + static_cast<C>(offset));
    return;
  }
  const int first = std::countr_zero(mask);
  const uint32_t others = mask & (mask - 1);
  const C at_first = cells[first] + static_cast<C>(offset);
  int64_t stride = 0;
  if (others != 0) {
    const int second = std::countr_zero(others);
    stride = static_cast<Signed>(cells[second] - cells[first]);
    if (second - first != 1) [[unlikely]]
      stride /= second - first;  // if there is a rest, the check below sees it
  }
  const uint64_t base = uint64_t{at_first} - static_cast<uint64_t>(stride * first);
  C wrong = 0;
  for (int l = 0; l < kLanes; ++l) {
    const C off =
        cells[l] + static_cast<C>(offset) - static_cast<C>(base) - static_cast<C>(stride) * static_cast<C>(l);
    wrong |= mask >> l & 1 ? off : 0;
  }
  to.affine = wrong == 0;
  to.base = base;
  to.stride = stride;
  if (!to.affine) {
    for (int l = 0; l < kLanes; ++l)
      to.lane[l] = mask >> l & 1 ? static_cast<C>(cells[l] + static_cast<C>(offset)) : at_first;
  }
}

/// Lowest and highest address, and all their bits: what bounds and alignment depend on.
struct Extent {
  uint64_t lowest = ~uint64_t{0};
  uint64_t highest = 0;
  uint64_t bits = 0;
  uint32_t rank = 0;  // as in Addresses
};

[[gnu::always_inline]] inline Extent extent_of(const Addresses& addresses) {
  Extent extent;
  extent.rank = addresses.rank;
  if (addresses.affine) {
    const int first = std::countr_zero(addresses.mask);
    const int last = 31 - std::countl_zero(addresses.mask);
    const uint64_t a = addresses.at(first);
    const uint64_t b = addresses.at(last);
    // With a stride this long the highest lane may have wrapped around; no buffer is that large.
    constexpr int64_t kLongest = int64_t{1} << 48;
    if (addresses.stride > kLongest || addresses.stride < -kLongest) return extent;
    extent.lowest = a < b ? a : b;
    extent.highest = a < b ? b : a;
    if (addresses.mask == kAllLanes.bits) {
      extent.bits = a | static_cast<uint64_t>(addresses.stride);
    } else {
      // Lanes that are far apart may all be aligned though the stride is not.
      for_each_lane({addresses.mask}, [&](int l) { extent.bits |= addresses.at(l); });
    }
    return extent;
  }
  for (const uint64_t address : addresses.lane) {
    extent.lowest = address < extent.lowest ? address : extent.lowest;
    extent.highest = address > extent.highest ? address : extent.highest;
    extent.bits |= address;
  }
  return extent;
}

/// True if `bytes` from offset `address` on lie in a region of `size` bytes. An address below the region has
/// wrapped around to a large offset.
constexpr bool fits(uint64_t address, uint32_t bytes, uint64_t size) {
  return address < size && bytes <= size - address;
}

/// Finds the region of a space that is not generic; in global memory, the buffer of the lowest address. False
/// if the access is misaligned or not within the region.
[[gnu::always_inline]] inline bool find_target(BlockState& block, const Step& step, ptx::Space space,
                                               const Extent& extent, uint32_t bytes, uint32_t warp,
                                               Target& target) {
  if ((extent.bits & (bytes - 1)) != 0 || extent.lowest > extent.highest) return false;
  switch (space) {
    case ptx::Space::Global: {
      const uint64_t buffer = (extent.lowest >> trace::kBufferShift) - 1;
      if (buffer >= block.memory.buffers().size()) return false;
      const Region& region = block.memory.buffers()[static_cast<size_t>(buffer)];
      const uint64_t start = trace::global_address(static_cast<uint32_t>(buffer), 0);
      if (extent.highest - start + bytes > region.size_bytes) return false;
      target = {origin_of(region.data, start), 0, true, !block.code.one_worker};
      return true;
    }
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      target = {reinterpret_cast<uintptr_t>(extent.rank == 0
                                                ? block.shared.data() + block.shared_start[warp]
                                                : block.cluster->blocks[extent.rank - 1]->shared.data())};
      return extent.lowest >= step.shared_first && fits(extent.highest, bytes, step.shared_end);
    case ptx::Space::Local:
    case ptx::Space::Frame: {
      const uint64_t pitch = block.code.program->local_bytes;
      const uint64_t before = uint64_t{warp} * kLanes * pitch;  // of the block, whose warps fit into memory
      target = {reinterpret_cast<uintptr_t>(block.local.data()) + static_cast<uintptr_t>(before), pitch};
      return block.local.allows(extent.lowest, bytes) && block.local.allows(extent.highest, bytes);
    }
    case ptx::Space::Constant:
      target = {reinterpret_cast<uintptr_t>(block.memory.constants().data)};
      return fits(extent.highest, bytes, block.memory.constants().size_bytes);
    case ptx::Space::Parameter:
      target = {reinterpret_cast<uintptr_t>(block.memory.parameters().data)};
      return fits(extent.highest, bytes, block.memory.parameters().size_bytes);
    case ptx::Space::Generic:
    case ptx::Space::Texture:  // no address leads there: exec/image.cpp
    case ptx::Space::Surface:
      break;
  }
  return false;
}

/// Memory that a step may access: all that it may access of its space (in shared memory, for the first block
/// of a batch), or the global buffer that an address is in. It has `size_bytes` from address `start` on; byte
/// `address` is data[address]. Empty if there is no such memory, or if it differs from warp to warp.
struct Room {
  uint64_t start = 0;
  uint64_t size_bytes = 0;
  uintptr_t data = 0;
};
[[gnu::always_inline]] inline Room room_of(const BlockState& block, const Step& step, uint64_t address) {
  const auto all_of = [](const auto& region) {
    return Room{0, region.size_bytes, reinterpret_cast<uintptr_t>(region.data)};
  };
  switch (step.space) {
    case ptx::Space::Global: {
      const uint64_t buffer = (address >> trace::kBufferShift) - 1;
      if (buffer >= block.memory.buffers().size()) return {};
      const Region& region = block.memory.buffers()[static_cast<size_t>(buffer)];
      const uint64_t start = trace::global_address(static_cast<uint32_t>(buffer), 0);
      return {start, region.size_bytes, origin_of(region.data, start)};
    }
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return {step.shared_first, step.shared_end - step.shared_first,
              reinterpret_cast<uintptr_t>(block.shared.data())};
    case ptx::Space::Constant:
      return all_of(block.memory.constants());
    case ptx::Space::Parameter:
      return all_of(block.memory.parameters());
    default:
      return {};
  }
}

constexpr trace::Space trace_space(ptx::Space space) {
  return ptx::memory_space(space).value_or(trace::Space::Global);
}

constexpr uint32_t kMaximumBytes = 32;  // per lane

/// Calls f(lane, pointer) for the active lanes.
template <class F>
[[gnu::always_inline]] inline void for_each_pointer(const Addresses& addresses, const Target& target, F&& f) {
  const auto at = [&target](uint64_t address) { return target.data + static_cast<uintptr_t>(address); };
  if (!addresses.affine && addresses.mask == kAllLanes.bits && target.lane_pitch == 0) {
    const uint64_t* lane = addresses.lane;
#pragma GCC unroll 1
    for (int l = 0; l < kLanes; l += 4, lane += 4) {
      f(l, at(lane[0]));
      f(l + 1, at(lane[1]));
      f(l + 2, at(lane[2]));
      f(l + 3, at(lane[3]));
    }
  } else if (addresses.affine) {
    const uintptr_t base = at(addresses.base);
    const uint64_t stride = static_cast<uint64_t>(addresses.stride) + target.lane_pitch;
    for_each_lane({addresses.mask},
                  [&](int l) { f(l, base + static_cast<uintptr_t>(stride) * static_cast<uintptr_t>(l)); });
  } else {
    for_each_lane({addresses.mask},
                  [&](int l) { f(l, at(addresses.lane[l] + target.lane_pitch * static_cast<uint64_t>(l))); });
  }
}

/// The data of an access without their type: what access.cpp needs of an Access (access_handler.h) for one
/// step.
struct AccessData {
  uint32_t bytes;                // per lane
  const void* access = nullptr;  // the Access, if it is an object
  // Lanes that read global memory, and [lane] where, at the write of an asynchronous copy.
  uint32_t reading = 0;
  const uint64_t* source = nullptr;
  void (*collect)(const Warps&, const Step&, const Addresses&, const Target&, uint32_t n, std::byte* values,
                  const void* access);
  void (*move)(const Warps&, const Step&, const Addresses&, const Target&, uint32_t n, const void* access);
};
/// The data of an Access to registers of the step, whose functions are static.
template <class Access>
[[gnu::always_inline]] inline AccessData data_of(const Step& step) {
  return {
      .bytes = Access::bytes(step),
      .collect = [](const Warps& warps, const Step& its_step, const Addresses& addresses,
                    const Target& target, uint32_t n, std::byte* values,
                    const void*) { Access::collect(warps, its_step, addresses, target, n, values); },
      .move = [](const Warps& warps, const Step& its_step, const Addresses& addresses, const Target& target,
                 uint32_t n, const void*) { Access::move(warps, its_step, addresses, target, n); }};
}
/// The data of an Access that is an object, which must outlive the result.
template <class Access>
AccessData data_of(const Access& access, uint32_t bytes) {
  return {.bytes = bytes,
          .access = &access,
          .collect =
              [](const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                 uint32_t n, std::byte* values, const void* its) {
                static_cast<const Access*>(its)->collect(warps, step, addresses, target, n, values);
              },
          .move =
              [](const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                 uint32_t n, const void* its) {
                static_cast<const Access*>(its)->move(warps, step, addresses, target, n);
              }};
}

/// Range of neighboring warps of a group.
struct WarpRange {
  uint32_t first = 0;
  uint32_t end = 0;
};

/// Operation that is recorded for a step's access to one state space.
[[gnu::always_inline]] inline trace::Operation operation_of(const Step& step, ptx::Space space,
                                                            uint32_t bytes) {
  const trace::Space in = trace_space(space);
  const bool has_detail = in == trace::Space::Shared || step.detail == trace::Detail::Bulk;
  return {in, step.kind, static_cast<uint8_t>(bytes), has_detail ? step.detail : trace::Detail::Plain};
}
/// Record of an access by all 32 lanes, without the members that depend on the warp.
[[gnu::always_inline]] inline trace::WarpAccess record_of_step(const BlockState& block, const Step& step,
                                                               uint32_t bytes) {
  return {.site = {step.site},
          .cta = block.cta,
          .warp = {},
          .step = 0,
          .active = kAllLanes,
          .operation = operation_of(step, step.space, bytes),
          .addresses = {}};
}

/// Checks, records and does the access of the n-th warp of the group, by all its lanes at arbitrary addresses
/// in one buffer or in shared memory. False, with nothing done, in any other case and for a faulty access.
/// `record`: from record_of_step(), reusable for the next warp.
template <class C>
bool access_gather(Warps& warps, const Step& step, const C* cells, uint32_t n, const AccessData& data,
                   trace::WarpAccess& record);

/// Checks, records and does the access of the n-th warp of the group at these addresses, in whatever state
/// spaces they lie.
void access_at(Warps& warps, const Step& step, Addresses& all, uint32_t n, const AccessData& data);

/// Checks, records and does the access of the n-th warp of the group by the lanes in `mask`, at the addresses
/// in the step's first source operand.
void access_some_lanes(Warps& warps, const Step& step, uint32_t mask, uint32_t n, const AccessData& data);

/// Checks, records and does the accesses of all warps of the group, one after the other.
void access_each_warp(Warps& warps, const Step& step, const AccessData& data);

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
