// One memory instruction of all warps of a block whose addresses are in a form (form.h), in the common case:
// all lanes take part, and all addresses lie in one region. Bounds and alignment are checked once, the sink
// gets one call, and only then is anything moved. Compiled once per instruction set, like lanes.h. Tests:
// tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/exec/access.h"

#include <bit>
#include <type_traits>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Where the warps of a group go: lane l of warp n to base[n] + l % row_lanes * stride[n] + l / row_lanes *
/// row[n].
struct GroupAddresses {
  static constexpr uint32_t kMostWarps = 32;  // 1024 threads: launch::check

  alignas(64) uint64_t base[kMostWarps];
  alignas(64) int64_t stride[kMostWarps];
  alignas(64) int64_t row[kMostWarps];
  uint64_t bits = 0;         // of all bases, strides and rows: what alignment depends on
  uint64_t differences = 0;  // bits in which the bases differ
  bool same_strides = true;  // and rows
  bool affine = true;
};

/// False where a stride or a row is longer than any region, or an address is not in [start, start + limit].
/// Method: the lanes at the corners of a warp are the outermost; sums and differences alone, whose sign says
/// it, are computed for several warps at once.
template <class C>
[[gnu::always_inline]] inline bool read_group(const Form<C>& form, const FormLayout& layout, int32_t offset,
                                              uint64_t start, uint64_t limit, GroupAddresses& to) {
  using Signed = std::make_signed_t<C>;
  constexpr uint64_t kLongest = uint64_t{1} << 40;
  const int row_shift = std::countr_zero(layout.row_lanes);
  const int rows_shift = std::countr_zero(uint32_t{kLanes}) - row_shift;
  uint64_t outside = 0;  // the highest bit: below the start, or beyond the limit
  uint64_t bits = 0;
  uint64_t too_long = 0;
  uint64_t base_differences = 0;
  uint64_t stride_differences = 0;
  uint64_t bent = 0;
  const auto first_base = static_cast<C>(form.base[0] + static_cast<C>(offset));
  const C first_step = form.step[0];
  const C first_row = form.row[0];
  for (uint32_t first = 0; first < layout.warps; first += kWarpsTogether) {
    const C* const bases = form.base + first;
    const C* const steps = form.step + first;
    const C* const rows = form.row + first;
    uint64_t* const to_base = to.base + first;
    int64_t* const to_stride = to.stride + first;
    int64_t* const to_row = to.row + first;
#pragma GCC unroll 1
#pragma GCC ivdep
    for (uint32_t n = 0; n < kWarpsTogether; ++n) {
      const uint64_t base = static_cast<C>(bases[n] + static_cast<C>(offset));
      const auto stride = static_cast<uint64_t>(int64_t{static_cast<Signed>(steps[n])});
      const auto row = static_cast<uint64_t>(int64_t{static_cast<Signed>(rows[n])});
      const uint64_t place = base - start;
      const uint64_t along = place + (stride << row_shift) - stride;
      const uint64_t down = (row << rows_shift) - row;
      outside |= place | (limit - place) | along | (limit - along);
      outside |= (place + down) | (limit - place - down) | (along + down) | (limit - along - down);
      bits |= base | stride | row;
      too_long |= (stride + kLongest) | (row + kLongest);
      base_differences |= base ^ first_base;
      stride_differences |= uint64_t{(steps[n] ^ first_step) | (rows[n] ^ first_row)};
      bent |= row - (stride << row_shift);
      to_base[n] = base;
      to_stride[n] = static_cast<int64_t>(stride);
      to_row[n] = static_cast<int64_t>(row);
    }
  }
  to.bits = bits;
  to.differences = base_differences;
  to.same_strides = stride_differences == 0;
  to.affine = rows_shift == 0 || bent == 0;
  return too_long < 2 * kLongest && outside >> 63 == 0;
}

/// Asks for the lines of a global access before the first is used.
[[gnu::always_inline]] inline void request_lines(const GroupAddresses& group, uint32_t count,
                                                 const Target& target, bool loads) {
  constexpr uint64_t kLine = 64;
  for (uint32_t n = 0; n < count; ++n) {
    const auto* const first = reinterpret_cast<const std::byte*>(target.data + group.base[n]);
    if (loads) {
      __builtin_prefetch(first, 0);
      __builtin_prefetch(first + kLine, 0);
    } else {
      __builtin_prefetch(first, 1);
      __builtin_prefetch(first + kLine, 1);
    }
  }
}

/// False, with nothing done, in any other case and for a faulty access. `record` has what is the same for all
/// warps.
template <class Access, class C>
[[gnu::always_inline]] inline bool access_group(Warps& warps, const Step& step, const Form<C>& form,
                                                const trace::WarpAccess& record) {
  BlockState& block = warps.block;
  const FormLayout& layout = block.code.forms;
  const ptx::Space space = step.space;
  if (space == ptx::Space::Local || space == ptx::Space::Frame || block.checker != nullptr) return false;
  const uint32_t count = count_of(warps, step);
  const uint32_t bytes = Access::bytes(step);
  const uint64_t first = static_cast<C>(form.base[0] + static_cast<C>(step.immediate));
  const Bounds bounds = bounds_of(block, space, first);
  if (bounds.size_bytes < bytes) return false;
  GroupAddresses group;
  Target target;
  if (!read_group(form, layout, step.immediate, bounds.start, bounds.size_bytes - bytes, group) ||
      !find_target(block, space, {first, first, group.bits}, bytes, 0, target))
    return false;
  if (space == ptx::Space::Global) request_lines(group, count, target, Access::kLoads);
  if (space != ptx::Space::Parameter) {
    block.sink->on_group({.first = record,
                          .count = count,
                          .base = group.base,
                          .stride = group.stride,
                          .row = group.row,
                          .step = block.next_access.data(),
                          .row_lanes = group.affine ? uint32_t{kLanes} : layout.row_lanes,
                          .base_differences = group.differences,
                          .same_strides = group.same_strides});
    for (uint32_t n = 0; n < count; ++n) ++block.next_access[n];
  }
  for (uint32_t n = 0; n < count; ++n) {
    const uintptr_t at = target.data + group.base[n];
    if (group.affine) {
      Access::move_affine(warps, step, at, static_cast<uint64_t>(group.stride[n]), n);
    } else {
      Access::move_rows(warps, step, at, static_cast<uint64_t>(group.stride[n]),
                        static_cast<uint64_t>(group.row[n]), layout.row_lanes, n);
    }
  }
  return true;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
