// One memory instruction of all warps of a group whose addresses are in a form (form.h) and lie in one
// region. Mostly the same lanes of each warp take part. Bounds and alignment are those of the spread, the
// sink gets one call, and only then is anything moved. Compiled once per instruction set, like lanes.h.
// Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/exec/access.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Prepares the data registers of an access of all warps of a group. Fills the lanes that are read or only
/// partly overwritten, and discards the forms of registers that a load writes.
template <class Access>
[[gnu::always_inline]] inline void prepare_data(Warps& warps, const Step& step) {
  const bool whole = may_write_all(warps, step);
  const auto prepare = [&](const Operand& operand) {
    if (!Access::kLoads || !whole) put_in_lanes(warps, operand);
    if (Access::kLoads) drop_form(warps.registers, operand);
  };
  if (step.list_size == 0) return prepare(Access::kLoads ? step.destination[0] : step.source[1]);
  for (uint32_t n = 0; n < step.list_size; ++n) prepare(step.list[n]);
}

/// Prefetches the lines of a global access, and those of the instruction's next access, in the next block or
/// iteration, which is assumed at the same distance as this one from the last. `at`: of lane 0 of the first
/// warp.
[[gnu::always_inline]] inline void request_lines(BlockState& block, const Step& step, uintptr_t at,
                                                 const Spread& spread, uint32_t count) {
  constexpr uint64_t kLine = 64;
  const uint64_t ahead = at - std::exchange(block.last_place[step.index], at);
  for (uint32_t n = 0; n < count; ++n) {
    const uintptr_t first = at + static_cast<uintptr_t>(spread.base[n]);
    __builtin_prefetch(reinterpret_cast<const void*>(first));
    __builtin_prefetch(reinterpret_cast<const void*>(first + kLine));
    __builtin_prefetch(reinterpret_cast<const void*>(first + ahead), 0, 2);
    __builtin_prefetch(reinterpret_cast<const void*>(first + ahead + kLine), 0, 2);
  }
}

/// Passes the accesses of the first `count` warps on to the sink: by `lanes` of each warp, or by those in
/// `masks`.
[[gnu::always_inline]] inline void record_group(BlockState& block, const Step& step, const Spread& spread,
                                                uint64_t first, uint32_t bytes, uint32_t lanes,
                                                uint32_t count, const uint32_t* masks = nullptr) {
  block.sink->on_group({.site = {step.site},
                        .cta = block.cta,
                        .active = {lanes},
                        .operation = {trace_space(step.space), step.kind, static_cast<uint8_t>(bytes)},
                        .count = count,
                        .address = first,
                        .base = spread.base,
                        .stride = spread.step,
                        .row = spread.row,
                        .step = block.next_access.data(),
                        .row_lanes = spread.is_affine ? uint32_t{kLanes} : block.code.forms.row_lanes,
                        .base_bits = spread.base_bits,
                        .same_strides = spread.has_same_steps,
                        .pattern = {&block.spreads, spread.number},
                        .masks = masks});
  for (uint32_t n = 0; n < count; ++n) block.next_access[n] += masks == nullptr || masks[n] != 0 ? 1 : 0;
}

/// Lowest and highest offset of some lanes of a spread.
struct Range {
  int64_t lowest = 0;
  int64_t highest = 0;
};
/// Range of an affine spread in the lanes lanes_of(n) of the first `count` warps.
template <class F>
[[gnu::noinline]] Range range_of(const Spread& spread, uint32_t count, F&& lanes_of) {
  Range range{Spread::kLongest, -Spread::kLongest};
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t lanes = lanes_of(n);
    if (lanes == 0) continue;
    const int64_t a = spread.base[n] + spread.step[n] * std::countr_zero(lanes);
    const int64_t b = spread.base[n] + spread.step[n] * (31 - std::countl_zero(lanes));
    range = {std::min({range.lowest, a, b}), std::max({range.highest, a, b})};
  }
  return range;
}
/// True if accesses of `bytes` at `place` plus each offset in the range lie in the region.
[[gnu::always_inline]] inline bool lies_in(const Room& room, uint64_t place, const Range& range,
                                           uint32_t bytes) {
  // A negative sum wraps around and is larger than any size.
  return place + static_cast<uint64_t>(range.lowest) < room.size_bytes &&
         place + static_cast<uint64_t>(range.highest) + bytes <= room.size_bytes;
}

/// Offsets of the data in memory from that of lane 0 of the first warp: those of the addresses, but for a
/// batch, where each block has its own shared memory. Null where there is no room for the spread.
[[gnu::always_inline]] inline const Spread* places_of(BlockState& block, const Step& step,
                                                      const Spread& addresses) {
  if (block.code.batch == 1 || step.space != ptx::Space::Shared) return &addresses;
  return block.spreads.places_of(step.index, addresses, block.shared_start);
}

/// Address of lane 0 of the first warp. With 32 bits it is signed: it may be below 0 if that lane takes no
/// part.
template <class C>
[[gnu::always_inline]] inline uint64_t first_address(const Step& step, const Form& form) {
  const auto first = static_cast<C>(static_cast<C>(form.first) + static_cast<C>(step.immediate));
  return sizeof(C) == 4 ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(first)}) : first;
}

/// Loads a value that all lanes of the group read from one address, and gives the destinations constant
/// forms; false, with nothing done, if the addresses differ or lanes of the destinations keep their values.
template <class Access>
[[gnu::always_inline]] inline bool load_constant(Warps& warps, const Step& step, const Spread& places,
                                                 uintptr_t at) {
  if constexpr (Access::kLoads) {
    if (&places == &kConstantSpread && may_write_all(warps, step)) {
      Access::load_constant(warps, step, at);
      return true;
    }
  }
  return false;
}

/// Access of a group by some lanes of each warp, which lies in one region.
struct PartialAccess {
  WarpLanes masks{};               // lanes of each warp
  uint32_t any = 0;                // lanes of any warp
  bool is_common = false;          // each warp has the lanes `any`
  uint32_t done = 0;               // warps that may make it, or take no part
  uint64_t first = 0;              // address of lane 0 of the first warp
  uintptr_t at = 0;                // data of that lane
  const Spread* places = nullptr;  // null: no lane takes part, or the access is faulty
};

/// Leaves out the warps that the observer examines one by one: all but those in `done`.
inline void leave_out_others(PartialAccess& access, uint32_t done, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n)
    if ((done >> n & 1) == 0) access.masks[n] = 0;
  access.is_common = access.is_common && done == first_warps(count);
  access.done = done;
}

/// Finds the lanes of each warp that make an access, and reports the access to the observer. `common`: the
/// lanes of each warp; 0 if warps differ.
template <class C>
[[gnu::noinline]] void find_lanes(Warps& warps, const Step& step, const Form& form, uint32_t bytes,
                                  uint32_t common, PartialAccess& access) {
  BlockState& block = warps.block;
  const Spread& spread = *form.spread;
  const uint32_t count = warps.count;
  access.first = first_address<C>(step, form);
  if (!spread.is_affine || spread.is_long || ((access.first | spread.bits) & (bytes - 1)) != 0) return;
  access.any = common;
  access.is_common = common != 0;
  Masks masks(warps, step);
  for (uint32_t n = 0; n < count; ++n, masks.next())
    access.any |= access.masks[n] = common != 0 ? common : masks.here();
  if (access.any == 0) {
    access.done = first_warps(count);
    return;
  }
  const Range range = range_of(spread, count, [&](uint32_t n) { return access.masks[n]; });
  const Room room = room_of(block, step, static_cast<C>(access.first + static_cast<uint64_t>(range.lowest)));
  if (!lies_in(room, access.first - room.start, range, bytes)) return;
  const Spread* const places = places_of(block, step, spread);
  if (places == nullptr) return;
  access.done = first_warps(count);
  if (block.observer != nullptr)
    leave_out_others(access,
                     block.observer->on_group({.step = step,
                                               .first = access.first,
                                               .spread = spread,
                                               .bytes = bytes,
                                               .warps = count,
                                               .masks = &access.masks}),
                     count);
  if (access.done != 0) access.places = places;
  access.at = room.data + static_cast<uintptr_t>(access.first);
}

/// Records and does an access by some lanes of each warp.
template <class Access>
[[gnu::noinline]] void access_lanes(Warps& warps, const Step& step, const Spread& spread,
                                    const PartialAccess& access) {
  const uint32_t count = warps.count;
  const Spread& places = *access.places;
  if (step.space != ptx::Space::Parameter)
    record_group(warps.block, step, spread, access.first, Access::bytes(step), access.any, count,
                 access.is_common ? nullptr : access.masks.data());
  if (access.done == first_warps(count) && load_constant<Access>(warps, step, places, access.at)) return;
  prepare_data<Access>(warps, step);
  for (uint32_t n = 0; n < count; ++n) {
    if (access.masks[n] == kAllLanes.bits) {
      Access::move_group(warps, step, access.at, places, {n, n + 1});
    } else if (access.masks[n] != 0) {
      Access::move_lanes(warps, step, access.at + static_cast<uintptr_t>(places.base[n]),
                         static_cast<uint64_t>(places.step[n]), access.masks[n], n);
    }
  }
}

/// Does the accesses of all warps of a group. Returns the warps that were done: none if they are not in one
/// region or faulty, not all if the observer examines some one by one. `form`: of the address; `lanes` of
/// each warp, or 0 if warps differ.
template <class Access, class C>
[[gnu::always_inline]] inline uint32_t access_group(Warps& warps, const Step& step, const Form& form,
                                                    uint32_t lanes) {
  BlockState& block = warps.block;
  const Spread& spread = *form.spread;
  const uint32_t bytes = Access::bytes(step);
  const uint32_t count = warps.count;
  if (lanes != kAllLanes.bits) [[unlikely]] {
    PartialAccess access;
    find_lanes<C>(warps, step, form, bytes, lanes, access);
    if (access.places != nullptr) access_lanes<Access>(warps, step, spread, access);
    return access.done;
  }
  const uint64_t first = first_address<C>(step, form);
  const Room room = room_of(block, step, first);
  const uint64_t place = first - room.start;
  // Nothing overflows: no spread is longer than 2^40.
  if (spread.is_long || ((first | spread.bits) & (bytes - 1)) != 0 || place >= room.size_bytes) return 0;
  if (!lies_in(room, place, {spread.lowest, spread.highest}, bytes) &&
      (count == block.code.warps || !spread.is_affine ||
       !lies_in(room, place, range_of(spread, count, [](uint32_t) { return kAllLanes.bits; }), bytes)))
    return 0;
  const Spread* const places = places_of(block, step, spread);
  if (places == nullptr) return 0;
  const uintptr_t at = room.data + static_cast<uintptr_t>(first);
  const uint32_t all = first_warps(count);
  if (block.observer != nullptr) {
    const uint32_t done = block.observer->on_group(
        {.step = step, .first = first, .spread = spread, .bytes = bytes, .warps = count});
    if (done != all) [[unlikely]] {
      PartialAccess access{.any = kAllLanes.bits, .first = first, .at = at, .places = places};
      access.masks.fill(kAllLanes.bits);
      leave_out_others(access, done, count);
      if (done != 0) access_lanes<Access>(warps, step, spread, access);
      return done;
    }
  }
  if (step.space != ptx::Space::Parameter) record_group(block, step, spread, first, bytes, lanes, count);
  if (load_constant<Access>(warps, step, *places, at)) return all;
  prepare_data<Access>(warps, step);
  if (step.space == ptx::Space::Global && !spread.is_uniform) request_lines(block, step, at, spread, count);
  Access::move_group(warps, step, at, *places, {0, count});
  return all;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
