#include "emulator/exec/executor.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

Handler find_handler(const ptx::Program& program, const ptx::Step& step) {
  for (const FindHandler family :
       {cluster_handler,          move_handler,        convert_handler,      any_conversion_handler,
        integer_handler,          carry_handler,       bits_handler,         float_handler,
        directed_handler,         half_handler,        compare_handler,      memory_handler,
        atomic_handler,           warp_handler,        async_copy_handler,   bulk_reduction_handler,
        mbarrier_handler,         matrix_move_handler, quad_product_handler, sparse_product_handler,
        matrix_product_handler,   video_handler,       stack_handler,        image_handler,
        warpgroup_product_handler}) {
    if (const Handler handler = family(program, step)) return handler;
  }
  return nullptr;
}

template <class C>
void fill(std::byte* registers, const Operand& operand, const FormLayout& layout, uint32_t warps) {
  Form& form = form_of(registers, operand);
  const Spread& spread = *form.spread;
  const auto first = static_cast<C>(form.first);
  const uint32_t copies = operand.stride == 0 ? 1 : warps;
  if (form.state & kIsUniform) {
    for (uint32_t warp = 0; warp < copies; ++warp) {
      C* const to = reinterpret_cast<C*>(registers + operand.offset) + size_t{warp} * kLanes;
      const C value = first + static_cast<C>(spread.base[warp]);
      for (int lane = 0; lane < kLanes; ++lane) to[lane] = value;
    }
    form.state &= ~kOnlyForm;
    return;
  }
  alignas(64) C columns[kLanes];
  alignas(64) C rows[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    columns[lane] = static_cast<C>(lane % layout.row_lanes);
    rows[lane] = static_cast<C>(lane / layout.row_lanes);
  }
  for (uint32_t warp = 0; warp < copies; ++warp) {
    C* const to = reinterpret_cast<C*>(registers + operand.offset) + size_t{warp} * kLanes;
    const C base = first + static_cast<C>(spread.base[warp]);
    const C step = static_cast<C>(spread.step[warp]);
    const C row = static_cast<C>(spread.row[warp]);
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane)
      to[lane] = static_cast<C>(base + columns[lane] * step + rows[lane] * row);
  }
  form.state &= ~kOnlyForm;
}

void fill_lanes(std::byte* registers, const Operand& operand, const FormLayout& layout, uint32_t warps) {
  operand.width == ptx::SlotWidth::Double ? fill<uint64_t>(registers, operand, layout, warps)
                                          : fill<uint32_t>(registers, operand, layout, warps);
}

template <class F>
void for_each_source(const Step& step, F&& f) {
  for (const Operand& operand : step.source) f(operand);
  for (uint32_t n = step.list_written; n < step.list_size; ++n) f(step.list[n]);
}

/// True if the results are the same in all lanes, since the sources are.
bool is_constant(const Warps& warps, const Step& step) {
  uint32_t states = step.keeps_constant && may_write_all(warps, step) ? kIsConstant : 0;
  for_each_source(step, [&](const Operand& operand) { states &= form_of(warps.registers, operand).state; });
  return states != 0;
}

/// Gives a register or predicate the value that lane 0 of the first warp has, as a constant form.
void keep_first(const Warps& warps, const Operand& operand) {
  const std::byte* const from = warps.registers + operand.offset;
  switch (operand.width) {
    case ptx::SlotWidth::Predicate:
      return set_truth(warps, operand, *reinterpret_cast<const uint32_t*>(from) & 1 ? kAllLanes.bits : 0);
    case ptx::SlotWidth::Word:
      form_of(warps.registers, operand) = {kConstantSpread.state, *reinterpret_cast<const uint32_t*>(from),
                                           &kConstantSpread};
      return;
    case ptx::SlotWidth::Double:
      form_of(warps.registers, operand) = {kConstantSpread.state, *reinterpret_cast<const uint64_t*>(from),
                                           &kConstantSpread};
      return;
  }
}

/// Executes the step for one warp, and gives constant forms to the results.
void compute_once(const Warps& warps, const Step& step) {
  for_each_source(step, [&](const Operand& operand) { put_in_first_warp(warps, operand); });
  const uint32_t lanes = kAllLanes.bits;
  Warps one = warps;
  one.count = 1;
  one.whole = true;
  one.common = lanes;
  one.has_forms = false;
  one.active = &lanes;
  step.in_lanes(one, step);
  const auto keep = [&](const Operand& operand) { keep_first(warps, operand); };
  std::ranges::for_each(step.destination, keep);
  for (uint32_t n = 0; n < step.list_written; ++n) keep(step.list[n]);
}

void with_lanes(Warps& warps, const Step& step) {
  if (warps.has_forms) {
    if (is_constant(warps, step)) return compute_once(warps, step);
    put_in_lanes(warps, step);
  }
  step.in_lanes(warps, step);
}

}  // namespace

const Executor executor{find_handler, with_lanes, fill_lanes};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
