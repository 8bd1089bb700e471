#include "emulator/exec/executor.h"

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
  const uint32_t copies = operand.group == 0 ? 1 : warps;
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

void with_lanes(Warps& warps, const Step& step) {
  if (warps.has_forms) put_in_lanes(warps, step);
  step.in_lanes(warps, step);
  if (warps.has_forms && step.once) keep_uniform(warps, step);
}

}  // namespace

const Executor executor{find_handler, with_lanes, fill_lanes};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
