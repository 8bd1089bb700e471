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
    const uintptr_t first = at + static_cast<uint64_t>(spread.base[n]);
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
[[gnu::noinline]] inline Range range_of_lanes(const Spread& spread, uint32_t lanes, uint32_t count) {
  return range_of(spread, count, [lanes](uint32_t) { return lanes; });
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

/// Accesses of a group whose warps differ in the lanes that take part.
struct MaskedGroup {
  WarpLanes masks{};  // 0 for warps that are not done
  uint32_t count = 0;
  uint32_t done = 0;               // warps; 0 in other cases and for a faulty access
  uintptr_t at = 0;                // of lane 0 of the first warp
  const Spread* places = nullptr;  // null: no lane takes part
};
/// Checks the accesses of a group and passes them on to the sink, if they are affine and in one region.
template <class C>
[[gnu::noinline]] void record_masked(Warps& warps, const Step& step, const Form& form, uint32_t bytes,
                                     MaskedGroup& group) {
  BlockState& block = warps.block;
  const Spread& spread = *form.spread;
  if (!spread.is_affine || spread.is_long) return;
  Masks masks(warps, step);
  uint32_t any = 0;
  group.count = warps.count;
  for (uint32_t n = 0; n < group.count; ++n, masks.next()) any |= group.masks[n] = masks.here();
  if (any == 0) {
    group.done = first_warps(group.count);
    return;
  }
  const uint64_t first = first_address<C>(step, form);
  const Range range = range_of(spread, group.count, [&](uint32_t n) { return group.masks[n]; });
  const Room room = room_of(block, step, static_cast<C>(first + static_cast<uint64_t>(range.lowest)));
  if (((first | spread.bits) & (bytes - 1)) != 0 || !lies_in(room, first - room.start, range, bytes)) return;
  const Spread* const places = places_of(block, step, spread);
  if (places == nullptr) return;
  group.done = first_warps(group.count);
  if (block.observer != nullptr) {
    group.done = block.observer->on_group({.step = step,
                                           .first = first,
                                           .spread = spread,
                                           .bytes = bytes,
                                           .warps = group.count,
                                           .masks = &group.masks});
    for (uint32_t n = 0; n < group.count; ++n)
      if ((group.done >> n & 1) == 0) group.masks[n] = 0;
    if (group.done == 0) return;
  }
  group.places = places;
  if (step.space != ptx::Space::Parameter)
    record_group(block, step, spread, first, bytes, any, group.count, group.masks.data());
  group.at = room.data + first;
}

/// Moves the data of some lanes of each warp. `at`: of lane 0 of the first warp.
template <class Access>
[[gnu::always_inline]] inline void move_masked(Warps& warps, const Step& step, uintptr_t at,
                                               const Spread& places, const uint32_t* masks, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    if (masks[n] == kAllLanes.bits) {
      Access::move_group(warps, step, at, places, {n, n + 1});
    } else if (masks[n] != 0) {
      Access::move_lanes(warps, step, at + static_cast<uint64_t>(places.base[n]),
                         static_cast<uint64_t>(places.step[n]), masks[n], n);
    }
  }
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

/// Does the accesses of warps that differ in the lanes that take part. Returns the warps that were done.
template <class Access, class C>
[[gnu::noinline]] uint32_t access_masked(Warps& warps, const Step& step, const Form& form) {
  MaskedGroup group;
  record_masked<C>(warps, step, form, Access::bytes(step), group);
  if (group.places == nullptr) return group.done;
  const bool are_all = group.done == first_warps(group.count);
  if (are_all && load_constant<Access>(warps, step, *group.places, group.at)) return group.done;
  prepare_data<Access>(warps, step);
  move_masked<Access>(warps, step, group.at, *group.places, group.masks.data(), group.count);
  return group.done;
}

/// Records and does the accesses of the `chosen` warps; the others have to be reported one by one. `at`: of
/// lane 0 of the first warp, at address `first`; `lanes` of each warp.
template <class Access>
[[gnu::noinline]] void access_chosen(Warps& warps, const Step& step, const Spread& spread,
                                     const Spread& places, uint64_t first, uintptr_t at, uint32_t lanes,
                                     uint32_t chosen, uint32_t count) {
  uint32_t masks[SpreadNumbers::kMostWarps];
  for (uint32_t n = 0; n < count; ++n) masks[n] = chosen >> n & 1 ? lanes : 0;
  if (step.space != ptx::Space::Parameter)
    record_group(warps.block, step, spread, first, Access::bytes(step), lanes, count, masks);
  prepare_data<Access>(warps, step);
  move_masked<Access>(warps, step, at, places, masks, count);
}

/// Reports the access of a group by `lanes` of each warp. Returns the warps that may make it.
[[gnu::noinline]] inline uint32_t observe_lanes(BlockState& block, ObservedGroup access, uint32_t lanes) {
  WarpLanes masks{};
  std::fill_n(masks.begin(), access.warps, lanes);
  access.masks = &masks;
  return block.observer->on_group(access);
}

/// Does the accesses of all warps of a group. Returns the warps that were done: none if they are not in one
/// region or faulty, not all if the checks have to examine some one by one. `form`: of the address; `lanes`
/// of each warp.
template <class Access, class C>
[[gnu::always_inline]] inline uint32_t access_group(Warps& warps, const Step& step, const Form& form,
                                                    uint32_t lanes) {
  BlockState& block = warps.block;
  const Spread& spread = *form.spread;
  const uint64_t first = first_address<C>(step, form);
  const Room room = room_of(block, step, first);
  const uint32_t bytes = Access::bytes(step);
  const uint64_t place = first - room.start;
  const bool is_whole = lanes == kAllLanes.bits;
  // Nothing overflows: no spread is longer than 2^40.
  if (spread.is_long || ((first | spread.bits) & (bytes - 1)) != 0) return 0;
  if (is_whole ? place >= room.size_bytes : !spread.is_affine) return 0;
  const uint32_t count = warps.count;
  const Range all{spread.lowest, spread.highest};
  if (!lies_in(room, place, all, bytes) &&
      ((is_whole && count == block.code.warps) || !spread.is_affine ||
       !lies_in(room, place, range_of_lanes(spread, lanes, count), bytes)))
    return 0;
  const Spread* const places = places_of(block, step, spread);
  if (places == nullptr) return 0;
  const uintptr_t at = room.data + first;
  const uint32_t done = first_warps(count);
  if (block.observer != nullptr) {
    const ObservedGroup access{
        .step = step, .first = first, .spread = spread, .bytes = bytes, .warps = count};
    const uint32_t may = is_whole ? block.observer->on_group(access) : observe_lanes(block, access, lanes);
    if (may != done) {
      if (may != 0) access_chosen<Access>(warps, step, spread, *places, first, at, lanes, may, count);
      return may;
    }
  }
  if (step.space != ptx::Space::Parameter) record_group(block, step, spread, first, bytes, lanes, count);
  if (load_constant<Access>(warps, step, *places, at)) return done;
  prepare_data<Access>(warps, step);
  if (!is_whole) {
    for (uint32_t n = 0; n < count; ++n)
      Access::move_lanes(warps, step, at + static_cast<uint64_t>(places->base[n]),
                         static_cast<uint64_t>(places->step[n]), lanes, n);
    return done;
  }
  if (step.space == ptx::Space::Global && !spread.is_uniform) request_lines(block, step, at, spread, count);
  Access::move_group(warps, step, at, *places, {0, count});
  return done;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
