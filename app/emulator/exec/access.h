// One memory access of one warp: its addresses, whether they may be accessed, and the record of it. Loads,
// stores and atomics share it, so that checking and recording exist once, and come before any register is
// written. Compiled once per instruction set, like lanes.h.

#pragma once

#include "emulator/block/fault.h"
#include "emulator/exec/access_check.h"
#include "emulator/exec/cluster_ranks.h"
#include "emulator/exec/lanes.h"

#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Where the active lanes go. Affine: lane l goes to base + l * stride; else to lane[l], which for a lane
/// that sits out is an active lane's address: what looks at all of them needs no mask.
struct Addresses {
  uint32_t mask = 0;
  bool affine = true;
  uint64_t base = 0;
  int64_t stride = 0;
  uint32_t rank = 0;  // of shared memory: 1 + rank of the block of the cluster whose it is; 0: one's own
  alignas(64) uint64_t lane[kLanes];

  uint64_t at(int l) const { return affine ? base + static_cast<uint64_t>(stride * l) : lane[l]; }
};

/// Bytes that an access may touch: byte `address` is data[address + l * lane_pitch] for lane l.
struct Target {
  uintptr_t data = 0;
  uint64_t lane_pitch = 0;
  bool is_global = false;
  bool others_see_it = false;  // blocks that run at the same time do
};

/// Whether all 32 lanes go from the first in equal steps.
template <class C>
[[gnu::always_inline]] inline bool is_affine(const C* cells) {
  // As vectors, written out: the lanes' products with the stride are made once and moved on by
  // sums, where the compiler alone makes a product of 64 bits, which costs more than all the rest, for every
  // lane.
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

/// Whether `bytes` from `address` on lie in a region of this size; an address below it has wrapped around.
constexpr bool fits(uint64_t address, uint32_t bytes, uint64_t size) {
  return address < size && bytes <= size - address;
}

/// A space that is not generic, and the region that it is; of global memory the buffer of the lowest address.
[[gnu::always_inline]] inline bool find_target(BlockState& block, ptx::Space space, const Extent& extent,
                                               uint32_t bytes, uint32_t warp, Target& target) {
  if ((extent.bits & (bytes - 1)) != 0 || extent.lowest > extent.highest) return false;
  switch (space) {
    case ptx::Space::Global: {
      const uint64_t buffer = (extent.lowest >> trace::kBufferShift) - 1;
      if (buffer >= block.memory.buffers().size()) return false;
      const Region& region = block.memory.buffers()[buffer];
      const uint64_t start = trace::global_address(static_cast<uint32_t>(buffer), 0);
      if (extent.highest - start + bytes > region.size_bytes) return false;
      target = {reinterpret_cast<uintptr_t>(region.data) - start, 0, true, !block.code.one_worker};
      return true;
    }
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      target = {reinterpret_cast<uintptr_t>(
          extent.rank == 0 ? block.shared.data() : block.cluster->blocks[extent.rank - 1]->shared.data())};
      return fits(extent.highest, bytes, block.code.shared_bytes);
    case ptx::Space::Local:
    case ptx::Space::Frame: {
      const uint64_t pitch = block.code.program->local_bytes;
      target = {reinterpret_cast<uintptr_t>(block.local.data()) + uint64_t{warp} * kLanes * pitch, pitch};
      return fits(extent.highest, bytes, block.local.limit());
    }
    case ptx::Space::Constant:
      target = {reinterpret_cast<uintptr_t>(block.memory.constants().data)};
      return fits(extent.highest, bytes, block.memory.constants().size_bytes);
    case ptx::Space::Parameter:
      target = {reinterpret_cast<uintptr_t>(block.memory.parameters().data)};
      return fits(extent.highest, bytes, block.memory.parameters().size_bytes);
    case ptx::Space::Generic:
      break;
  }
  return false;
}

/// Hands the access to the sink. `values`: [n-th active lane][bytes], or null.
[[gnu::always_inline]] inline void record(BlockState& block, const Step& step, uint32_t site_offset,
                                          uint32_t warp, trace::Operation operation,
                                          const Addresses& addresses, const std::byte* values) {
  trace::WarpAccess access{.site = {step.site + site_offset},
                           .cta = block.cta,
                           .warp = {warp},
                           .step = block.next_access[warp]++,
                           .active = {addresses.mask},
                           .operation = operation,
                           .addresses = {.base = addresses.base, .stride = addresses.stride},
                           .values = values};
  if (addresses.affine) {
    block.sink->on_access(access);
  } else if (addresses.mask == kAllLanes.bits) {
    access.addresses.list = addresses.lane;
    block.sink->on_access(access);
  } else {
    uint64_t list[kLanes];
    int n = 0;
    for_each_lane({addresses.mask}, [&](int l) { list[n++] = addresses.lane[l]; });
    access.addresses.list = list;
    block.sink->on_access(access);
  }
}

constexpr trace::Space trace_space(ptx::Space space) {
  return ptx::memory_space(space).value_or(trace::Space::Global);
}

/// Calls access(space, site_offset, addresses) for what lies in each state space: once, unless the address is
/// generic and the lanes go to several. Site offsets are in the order of ptx::lower: global, shared, local,
/// constant.
template <class F>
[[gnu::always_inline]] inline void for_each_space(const Step& step, Addresses& addresses, F&& access) {
  if (step.space != ptx::Space::Generic) {
    access(step.space, 0u, addresses);
    return;
  }
  constexpr ptx::Space kSpaces[] = {ptx::Space::Global, ptx::Space::Shared, ptx::Space::Local,
                                    ptx::Space::Constant, ptx::Space::Parameter};
  uint32_t rest = addresses.mask;
  for (uint32_t n = 0; n < std::size(kSpaces) && rest != 0; ++n) {
    const uint64_t window = window_of(kSpaces[n]);
    uint32_t inside = 0;
    for_each_lane({rest}, [&](int l) {
      const uint64_t address = addresses.at(l);
      const uint64_t high = address >> kWindowShift;
      // What is in no window is a wrong global address.
      const bool hit = window == 0 ? high < kSharedWindow || high > kParameterWindow : high == window;
      inside |= uint32_t{hit} << l;
    });
    if (inside == 0) continue;
    rest &= ~inside;
    alignas(64) uint64_t local[kLanes] = {};
    for_each_lane({inside}, [&](int l) { local[l] = addresses.at(l) - (window << kWindowShift); });
    Addresses part;
    read_addresses(local, 0, inside, part);
    access(kSpaces[n], n, part);
  }
}

/// Constants and parameters are nobody's to write. What functions pass each other may be a structure with
/// gaps, so only its being written is noted.
constexpr bool is_checked(ptx::Space space, trace::Kind kind) {
  return space != ptx::Space::Constant && space != ptx::Space::Parameter &&
         (space != ptx::Space::Frame || kind == trace::Kind::Store);
}

constexpr uint32_t kMaximumBytes = 32;  // per lane

/// Calls f(lane, pointer) for the active lanes.
template <class F>
[[gnu::always_inline]] inline void for_each_pointer(const Addresses& addresses, const Target& target, F&& f) {
  if (!addresses.affine && addresses.mask == kAllLanes.bits && target.lane_pitch == 0) {
#pragma GCC unroll 8
    for (int l = 0; l < kLanes; ++l) f(l, target.data + addresses.lane[l]);
  } else if (addresses.affine) {
    const uintptr_t base = target.data + addresses.base;
    const uint64_t stride = static_cast<uint64_t>(addresses.stride) + target.lane_pitch;
    for_each_lane({addresses.mask}, [&](int l) { f(l, base + stride * static_cast<uint64_t>(l)); });
  } else {
    for_each_lane({addresses.mask}, [&](int l) {
      f(l, target.data + addresses.lane[l] + target.lane_pitch * static_cast<uint64_t>(l));
    });
  }
}

/// What an instruction adds to an access: how many bytes, what to move, and the values that a sink may want.
/// Access is made from the step for each warp; kWholeWarps says that move_affine() exists.
///   static uint32_t bytes(step)
///   static void collect(warps, step, addresses, target, n, values)    [n-th active lane][bytes]
///   static void move(warps, step, addresses, target, n)
///   static void move_affine(warps, step, pointer, stride, n)          all 32 lanes, from pointer on
template <class Access>
void check_and_move(Warps& warps, const Step& step, ptx::Space space, const Addresses& addresses,
                    const Target& target, uint32_t n) {
  Checker* const checker = warps.block.checker.get();
  if (checker == nullptr || !is_checked(space, step.kind))
    return Access::move(warps, step, addresses, target, n);
  uint64_t each[kLanes];
  if (addresses.affine)
    for (int l = 0; l < kLanes; ++l) each[l] = addresses.at(l);
  const CheckedAccess checked{step,
                              space,
                              Access::bytes(step),
                              warps.first + n,
                              addresses.mask,
                              addresses.affine ? each : addresses.lane,
                              addresses.rank};
  if (!check_lanes(*checker, checked) && checker->check(checked)) {
    std::byte values[kLanes * kMaximumBytes];
    Access::collect(warps, step, addresses, target, n, values);
    checker->compare_values(checked, values, target.data);
  }
  Access::move(warps, step, addresses, target, n);
  checker->finish(checked);
}

/// One request, whatever it needs. `values` are written where a sink wants them.
[[gnu::always_inline]] inline void record_lanes(BlockState& block, const Step& step, ptx::Space space,
                                                uint32_t site, uint32_t bytes, uint32_t warp,
                                                const Addresses& addresses, const std::byte* values) {
  if (space == ptx::Space::Parameter || space == ptx::Space::Frame) return;
  const trace::Space in = trace_space(space);
  const trace::Detail detail = in == trace::Space::Shared ? step.detail : trace::Detail::Plain;
  record(block, step, site, warp, {in, step.kind, static_cast<uint8_t>(bytes), detail}, addresses, values);
}

/// Calls f(part) for the lanes of each buffer that global addresses go to.
template <class F>
void for_each_buffer(const Addresses& addresses, F&& f) {
  Addresses part;
  part.affine = false;
  for (uint32_t rest = addresses.mask; rest != 0; rest &= ~part.mask) {
    const uint64_t first = addresses.at(std::countr_zero(rest));
    part.mask = 0;
    for (int l = 0; l < kLanes; ++l) {
      const uint64_t address = addresses.at(l);
      const bool is_here =
          (rest >> l & 1) != 0 && address >> trace::kBufferShift == first >> trace::kBufferShift;
      part.mask |= uint32_t{is_here} << l;
      part.lane[l] = is_here ? address : first;
    }
    f(std::as_const(part));
  }
}

/// Lanes that go to several buffers: one request all the same. False, with nothing done, if they do not, or
/// if one of them may not.
template <class Access>
[[gnu::noinline]] bool access_buffers(Warps& warps, const Step& step, uint32_t site,
                                      const Addresses& addresses, uint32_t n) {
  BlockState& block = warps.block;
  const uint32_t bytes = Access::bytes(step);
  const uint32_t warp = warps.first + n;
  const auto target_of = [&](const Addresses& part, Target& target) {
    return find_target(block, ptx::Space::Global, extent_of(part), bytes, warp, target);
  };
  bool may = true;
  int parts = 0;
  for_each_buffer(addresses, [&](const Addresses& part) {
    Target target;
    may = may && target_of(part, target);
    ++parts;
  });
  if (!may || parts < 2) return false;
  std::byte values[kLanes * kMaximumBytes];
  if (block.wants_values) {
    for_each_buffer(addresses, [&](const Addresses& part) {
      Target target;
      std::byte own[kLanes * kMaximumBytes];
      if (target_of(part, target)) Access::collect(warps, step, part, target, n, own);
      const std::byte* from = own;
      for_each_lane({part.mask}, [&](int l) {
        const auto rank = static_cast<size_t>(std::popcount(addresses.mask & ((uint32_t{1} << l) - 1)));
        std::memcpy(values + rank * bytes, from, bytes);
        from += bytes;
      });
    });
  }
  record_lanes(block, step, ptx::Space::Global, site, bytes, warp, addresses,
               block.wants_values ? values : nullptr);
  for_each_buffer(addresses, [&](const Addresses& part) {
    Target target;
    if (target_of(part, target)) check_and_move<Access>(warps, step, ptx::Space::Global, part, target, n);
  });
  return true;
}

/// What lies in one state space.
template <class Access>
[[gnu::always_inline]] inline void access_space(Warps& warps, const Step& step, ptx::Space space,
                                                uint32_t site, const Addresses& addresses, uint32_t n) {
  BlockState& block = warps.block;
  if (block.stopped) return;
  const uint32_t bytes = Access::bytes(step);
  const uint32_t warp = warps.first + n;
  Target target;
  if (!find_target(block, space, extent_of(addresses), bytes, warp, target)) {
    if (space == ptx::Space::Global && access_buffers<Access>(warps, step, site, addresses, n)) return;
    uint64_t each[kLanes];
    for (int l = 0; l < kLanes; ++l) each[l] = addresses.at(l);
    report_fault(block, step, space, step.kind, bytes, warp, addresses.mask, each);
    return;
  }
  std::byte values[kLanes * kMaximumBytes];
  if (block.wants_values) Access::collect(warps, step, addresses, target, n, values);
  record_lanes(block, step, space, site, bytes, warp, addresses, block.wants_values ? values : nullptr);
  check_and_move<Access>(warps, step, space, addresses, target, n);
}

/// Of a block in a cluster, whose lanes may go to several blocks' shared memory: a request for each.
template <class Access>
[[gnu::noinline]] void access_in_cluster(Warps& warps, const Step& step, Addresses& all, uint32_t n) {
  for_each_space(step, all, [&](ptx::Space space, uint32_t site, const Addresses& addresses) {
    if (window_of(space) != kSharedWindow)
      return access_space<Access>(warps, step, space, site, addresses, n);
    for_each_rank(*warps.block.cluster, addresses,
                  [&](const Addresses& part) { access_space<Access>(warps, step, space, site, part, n); });
  });
}

template <class Access>
void access_at(Warps& warps, const Step& step, Addresses& all, uint32_t n) {
  if (warps.block.cluster != nullptr) [[unlikely]]
    return access_in_cluster<Access>(warps, step, all, n);
  for_each_space(step, all, [&](ptx::Space space, uint32_t site, const Addresses& addresses) {
    access_space<Access>(warps, step, space, site, addresses, n);
  });
}

template <class Access>
[[gnu::noinline]] void access_some_lanes(Warps& warps, const Step& step, uint32_t mask, uint32_t n) {
  Addresses all;
  if (step.address_is_word) {
    read_addresses(cells<const uint32_t>(warps, step.source[0], n), step.immediate, mask, all);
  } else {
    read_addresses(cells<const uint64_t>(warps, step.source[0], n), step.immediate, mask, all);
  }
  access_at<Access>(warps, step, all, n);
}

/// The common case, and nothing else: 32 lanes in equal steps within one region. False, with nothing done, if
/// it is another case, or a wrong one. `record` has what is the same for all warps.
template <class Access, class C>
[[gnu::always_inline]] inline bool access_whole_warp(Warps& warps, const Step& step, const C* cells_here,
                                                     uint32_t n, trace::WarpAccess& record) {
  BlockState& block = warps.block;
  if (!is_affine(cells_here)) return false;
  const uint64_t base = static_cast<C>(cells_here[0] + static_cast<C>(step.immediate));
  const int64_t stride = static_cast<std::make_signed_t<C>>(cells_here[1] - cells_here[0]);
  constexpr int64_t kLongest = int64_t{1} << 40;  // no region is that long
  if (stride > kLongest || stride < -kLongest) return false;
  const uint64_t last = base + static_cast<uint64_t>(stride) * (kLanes - 1);
  const Extent extent{stride < 0 ? last : base, stride < 0 ? base : last,
                      base | static_cast<uint64_t>(stride)};
  const uint32_t bytes = Access::bytes(step);
  const uint32_t warp = warps.first + n;
  Target target;
  if (!find_target(block, step.space, extent, bytes, warp, target)) return false;
  if (block.checker != nullptr && !check_whole_warp(*block.checker, step, base, stride, bytes, warp))
    return false;
  if (step.space != ptx::Space::Parameter && step.space != ptx::Space::Frame) {
    record.warp = {warp};
    record.step = block.next_access[warp]++;
    record.addresses.base = base;
    record.addresses.stride = stride;
    block.sink->on_access(record);
  }
  Access::move_affine(warps, step, target.data + base, static_cast<uint64_t>(stride) + target.lane_pitch, n);
  return true;
}

/// All warps of a step whose addresses are in cells of type C.
template <class Access, class C>
[[gnu::always_inline]] inline void access_warps(Warps& warps, const Step& step) {
  const BlockState& block = warps.block;
  const bool may_be_whole = Access::kWholeWarps && step.space != ptx::Space::Generic && !block.wants_values;
  trace::WarpAccess record{
      .site = {step.site},
      .cta = block.cta,
      .warp = {},
      .step = 0,
      .active = kAllLanes,
      .operation = {trace_space(step.space), step.kind, static_cast<uint8_t>(Access::bytes(step))},
      .addresses = {}};
  Masks masks(warps, step);
  Cursor<const C> from(warps, step.source[0]);
  const uint32_t count = count_of(warps, step);
  for (uint32_t n = 0; n < count && !block.stopped; ++n, masks.next(), from.next()) {
    const uint32_t mask = masks.here();
    if constexpr (Access::kWholeWarps) {
      if (mask == kAllLanes.bits && may_be_whole) [[likely]] {
        if (access_whole_warp<Access>(warps, step, from.here(), n, record)) continue;
      }
    }
    if (mask != 0) access_some_lanes<Access>(warps, step, mask, n);
  }
}

/// The handler of a memory instruction: everything about an access but the data, which is Access's.
template <class Access>
void access_memory(Warps& warps, const Step& step) {
  if (step.address_is_word)
    access_warps<Access, uint32_t>(warps, step);
  else
    access_warps<Access, uint64_t>(warps, step);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
