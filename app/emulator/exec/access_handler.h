// The handler of a memory instruction: how one of all warps of a group becomes accesses of single warps
// (access.h), with a fast path for the common case. Compiled once per instruction set, like lanes.h.

#pragma once

#include "emulator/exec/access.h"
#include "emulator/exec/group_access.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Members of the class Access of an instruction: bytes of an access, moves of its data, values for a sink.
/// kWholeWarps is true if the functions from move_lanes() on exist, and kLoads if the data are destinations;
/// load_constant() exists for loads only. An Access with data of its own (pieces.h) is an object, with
/// collect() and move() alone.
///   static uint32_t bytes(step)
///   static void collect(warps, step, addresses, target, n, values)    [n-th active lane][bytes]
///   static void move(warps, step, addresses, target, n)
///   static void move_lanes(warps, step, pointer, stride, mask, n)     lanes in `mask`; lane 0 at the pointer
///   static void move_affine(warps, step, pointer, stride, n)          all 32 lanes, the first at the pointer
///   static void move_group(warps, step, pointer, spread, range)       of some warps, warp 0 at the pointer
///   static void load_constant(warps, step, pointer)                   of all warps, all at the pointer

/// Does the access of one warp by the lanes in `mask`, at least one, with a constant stride within one
/// region. False, with nothing done, in any other case, for a faulty access, and for an access by some lanes
/// with an observer, which gets every address. `base`: where lane 0 accesses memory or would; `record` has
/// what is the same for all warps.
template <class Access>
[[gnu::always_inline]] inline bool access_affine(Warps& warps, const Step& step, uint64_t base,
                                                 int64_t stride, uint32_t mask, uint32_t n,
                                                 trace::WarpAccess& record) {
  BlockState& block = warps.block;
  const bool is_whole = mask == kAllLanes.bits;
  if (stride > Spread::kLongest || stride < -Spread::kLongest) return false;
  if (block.observer != nullptr && !is_whole) return false;
  if ((mask & (mask - 1)) == 0) {  // one lane has no stride
    base += static_cast<uint64_t>(stride * std::countr_zero(mask));
    stride = 0;
  }
  const uint64_t first = base + static_cast<uint64_t>(stride * std::countr_zero(mask));
  const uint64_t last = base + static_cast<uint64_t>(stride * (31 - std::countl_zero(mask)));
  // Lanes that are far apart may all be aligned though the stride is not: these are rare.
  const Extent extent{stride < 0 ? last : first, stride < 0 ? first : last,
                      first | static_cast<uint64_t>(stride)};
  const uint32_t bytes = Access::bytes(step);
  const uint32_t warp = warps.first + n;
  Target target;
  if (!find_target(block, step, step.space, extent, bytes, warp, target)) return false;
  if (block.observer != nullptr && !block.observer->on_whole_warp(step, base, stride, bytes, warp))
    return false;
  if (step.space != ptx::Space::Parameter && step.space != ptx::Space::Frame) {
    record.warp = {warp};
    record.step = block.next_access[warp]++;
    record.active = {mask};
    record.addresses.base = base;
    record.addresses.stride = stride;
    block.sink->on_access(record);
  }
  const uint64_t pitch = static_cast<uint64_t>(stride) + target.lane_pitch;
  if (is_whole)
    Access::move_affine(warps, step, target.data + static_cast<uintptr_t>(base), pitch, n);
  else
    Access::move_lanes(warps, step, target.data + static_cast<uintptr_t>(base), pitch, mask, n);
  return true;
}

/// The addresses of warp n of an operand that is in a form.
template <class C>
struct FormAddresses {
  FormAddresses(const Form& form, uint32_t n, const Warps& warps, int32_t offset)
      : base(static_cast<C>(static_cast<C>(form.first) + static_cast<C>(form.spread->base[n]) +
                            static_cast<C>(offset))),
        step(static_cast<C>(form.spread->step[n])),
        row(static_cast<C>(form.spread->row[n])),
        row_lanes(warps.block.code.forms.row_lanes) {}

  bool is_affine() const { return row_lanes == kLanes || row == static_cast<C>(step * row_lanes); }
  int64_t stride() const { return static_cast<std::make_signed_t<C>>(step); }
  /// Address of lane 0 by the stride from the first lane of the mask, without wrapping around.
  uint64_t base_of(uint32_t mask) const {
    const auto first = static_cast<uint32_t>(std::countr_zero(mask));
    return uint64_t{at(first)} - static_cast<uint64_t>(stride()) * first;
  }
  C at(uint32_t lane) const {
    return static_cast<C>(base + step * static_cast<C>(lane % row_lanes) +
                          row * static_cast<C>(lane / row_lanes));
  }

  C base;
  C step;
  C row;
  uint32_t row_lanes;
};

/// Computes from a form the addresses that read_addresses() reads from lanes.
template <class C>
[[gnu::noinline]] void make_addresses(const FormAddresses<C>& from, uint32_t mask, Addresses& to) {
  to.mask = mask;
  const bool has_one = (mask & (mask - 1)) == 0;
  to.affine = has_one || from.is_affine();
  to.stride = has_one ? 0 : from.stride();
  to.base = has_one ? uint64_t{from.at(static_cast<uint32_t>(std::countr_zero(mask)))} : from.base_of(mask);
  if (to.affine) return;
  const C at_first = from.at(static_cast<uint32_t>(std::countr_zero(mask)));
  for (uint32_t l = 0; l < kLanes; ++l) to.lane[l] = mask >> l & 1 ? from.at(l) : at_first;
}

/// Does the accesses of the warps that were not done as one group: all but those in `done`. `form`: the
/// address's, copied before the first access, since a load may write to the register of the address.
template <class Access, class C>
[[gnu::noinline]] void access_others(Warps& warps, const Step& step, const Form& form, uint32_t done) {
  const BlockState& block = warps.block;
  const bool is_simple = step.space != ptx::Space::Generic && !block.wants_values && !block.code.is_reference;
  trace::WarpAccess record = record_of_step(block, step, Access::bytes(step));
  const bool in_form = warps.has_forms && (form.state & kInForm) != 0;
  if (warps.has_forms) prepare_data<Access>(warps, step);
  Masks masks(warps, step);
  Cursor<const C> from(warps, step.source[0]);
  for (uint32_t n = 0; n < warps.count && !block.stopped; ++n, masks.next(), from.next()) {
    if (done >> n & 1) continue;
    const uint32_t mask = masks.here();
    if (mask == 0) continue;
    const bool is_whole = mask == kAllLanes.bits && is_simple;
    Addresses all;
    if (in_form) {
      const FormAddresses<C> addresses(form, n, warps, step.immediate);
      if (is_simple && addresses.is_affine()) [[likely]] {
        const bool done = is_whole ? access_affine<Access>(warps, step, addresses.base, addresses.stride(),
                                                           kAllLanes.bits, n, record)
                                   : access_affine<Access>(warps, step, addresses.base_of(mask),
                                                           addresses.stride(), mask, n, record);
        if (done) continue;
      }
      make_addresses(addresses, mask, all);
      access_at(warps, step, all, n, data_of<Access>(step));
      continue;
    }
    if (is_whole && !is_affine(from.here()) &&
        access_gather(warps, step, from.here(), n, data_of<Access>(step), record))
      continue;
    read_addresses(from.here(), step.immediate, mask, all);
    if (is_whole && all.affine &&
        access_affine<Access>(warps, step, all.base, all.stride, kAllLanes.bits, n, record))
      continue;
    access_at(warps, step, all, n, data_of<Access>(step));
  }
}

/// Does the accesses of all warps of a step whose addresses are in cells of type C.
template <class Access, class C>
[[gnu::always_inline]] inline void access_cells(Warps& warps, const Step& step) {
  Form form;
  uint32_t done = 0;
  if (warps.has_forms) {
    form = form_of(warps.registers, step.source[0]);
    uint32_t lanes = warps.common;
    if (step.guarded) {
      if (!has_truth(warps.registers, step.guard))
        lanes = 0;
      else if ((truth_of(warps.registers, step.guard) != 0) == step.guard_negated)
        return;
    }
    const bool is_observed = warps.block.wants_values && step.space != ptx::Space::Parameter;
    if ((form.state & kInForm) != 0 && !is_observed) [[likely]] {
      done = access_group<Access, C>(warps, step, form, lanes);
      if (done == first_warps(warps.count)) [[likely]]
        return;
    }
  }
  access_others<Access, C>(warps, step, form, done);
}

/// A memory instruction: everything about an access except the data, which Access moves.
template <class Access>
void access_warps(Warps& warps, const Step& step) {
  if constexpr (!Access::kWholeWarps) {
    access_each_warp(warps, step, data_of<Access>(step));
  } else if (step.address_is_word) {
    access_cells<Access, uint32_t>(warps, step);
  } else {
    access_cells<Access, uint64_t>(warps, step);
  }
}

/// The handler of a memory instruction.
template <class Access>
inline constexpr Handler access_memory{access_warps<Access>, Access::kWholeWarps};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
