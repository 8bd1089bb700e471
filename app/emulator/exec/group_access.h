// One memory instruction of all warps of a block whose addresses are in a form (form.h), in the common case:
// all lanes take part, and all addresses lie in one region. Bounds and alignment are those of the spread, the
// sink gets one call, and only then is anything moved. Compiled once per instruction set, like lanes.h.
// Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/exec/access.h"
#include "emulator/exec/group_check.h"

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Asks for the lines of a global access before the first is used. `at`: of lane 0 of the first warp.
[[gnu::always_inline]] inline void request_lines(uintptr_t at, const Spread& spread, uint32_t count,
                                                 bool loads) {
  constexpr uint64_t kLine = 64;
  for (uint32_t n = 0; n < count; ++n) {
    const auto* const first = reinterpret_cast<const std::byte*>(at + static_cast<uint64_t>(spread.base[n]));
    if (loads) {
      __builtin_prefetch(first, 0);
      __builtin_prefetch(first + kLine, 0);
    } else {
      __builtin_prefetch(first, 1);
      __builtin_prefetch(first + kLine, 1);
    }
  }
}

/// How many of the warps it has done, from the first on: none in any other case and for a faulty access, not
/// all where the checks need a closer look at the next one. `record` has what is the same for all warps.
template <class Access, class C>
[[gnu::always_inline]] inline uint32_t access_group(Warps& warps, const Step& step, const Form& form,
                                                    const trace::WarpAccess& record) {
  BlockState& block = warps.block;
  const ptx::Space space = step.space;
  if (space == ptx::Space::Local || space == ptx::Space::Frame) return 0;
  const Spread& spread = *form.spread;
  if (spread.is_long) return 0;
  uint32_t count = count_of(warps, step);
  const uint32_t bytes = Access::bytes(step);
  const uint64_t first = static_cast<C>(static_cast<C>(form.first) + static_cast<C>(step.immediate));
  const Bounds bounds = bounds_of(block, space, first);
  if (first - bounds.start >= bounds.size_bytes) return 0;
  const auto place = static_cast<int64_t>(first - bounds.start);
  Target target;
  if (place + spread.lowest < 0 || place + spread.highest + bytes > static_cast<int64_t>(bounds.size_bytes) ||
      !find_target(block, space, {first, first, first | spread.bits}, bytes, 0, target))
    return 0;
  const uint32_t row_lanes = block.code.forms.row_lanes;
  if (block.checker != nullptr) {
    count = check_group(*block.checker, step, first, spread, bytes, count, row_lanes);
    if (count == 0) return 0;
  }
  const uintptr_t at_first = target.data + first;
  if (space == ptx::Space::Global) request_lines(at_first, spread, count, Access::kLoads);
  if (space != ptx::Space::Parameter) {
    block.sink->on_group({.first = record,
                          .count = count,
                          .address = first,
                          .base = spread.base,
                          .stride = spread.step,
                          .row = spread.row,
                          .step = block.next_access.data(),
                          .row_lanes = spread.is_affine ? uint32_t{kLanes} : row_lanes,
                          .base_bits = spread.base_bits,
                          .same_strides = spread.has_same_steps});
    for (uint32_t n = 0; n < count; ++n) ++block.next_access[n];
  }
  for (uint32_t n = 0; n < count; ++n) {
    const uintptr_t at = at_first + static_cast<uint64_t>(spread.base[n]);
    const auto stride = static_cast<uint64_t>(spread.step[n]);
    if (spread.is_affine) {
      Access::move_affine(warps, step, at, stride, n);
    } else {
      Access::move_rows(warps, step, at, stride, static_cast<uint64_t>(spread.row[n]), row_lanes, n);
    }
  }
  return count;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
