#include "emulator/form.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

template <class C>
void find_form_of(const Code& code, std::byte* registers, const Operand& operand) {
  const FormLayout& layout = code.forms;
  const Form<C> form = form_of<C>(registers, operand, layout);
  form.state = 0;
  bool is_uniform = true;
  for (uint32_t warp = 0; warp < layout.warps; ++warp) {
    const bool exists = warp < code.warps;
    const auto* const lanes =
        reinterpret_cast<const C*>(registers + operand.offset + size_t{operand.own} * (exists ? warp : 0));
    const C base = lanes[0];
    const C step = static_cast<C>(lanes[1] - base);
    const C row = layout.row_lanes < kLanes ? static_cast<C>(lanes[layout.row_lanes] - base) : C{0};
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (lanes[lane] != static_cast<C>(base + step * static_cast<C>(lane % layout.row_lanes) +
                                        row * static_cast<C>(lane / layout.row_lanes)))
        return;
    form.base[warp] = base;
    form.step[warp] = step;
    form.row[warp] = row;
    is_uniform = is_uniform && step == 0 && row == 0;
  }
  form.state = kInForm | (is_uniform ? kIsUniform : 0);
}

template <class C>
void make_uniform_of(const Code& code, std::byte* registers, const Operand& operand) {
  const Form<C> form = form_of<C>(registers, operand, code.forms);
  const C value = *reinterpret_cast<const C*>(registers + operand.offset);
  std::fill_n(form.base, code.forms.warps, value);
  std::fill_n(form.step, code.forms.warps, C{0});
  std::fill_n(form.row, code.forms.warps, C{0});
  form.state = kInForm | kIsUniform;
}

}  // namespace

void find_form(const Code& code, std::byte* registers, const Operand& operand) {
  operand.width == ptx::SlotWidth::Double ? find_form_of<uint64_t>(code, registers, operand)
                                          : find_form_of<uint32_t>(code, registers, operand);
}

void make_uniform(const Code& code, std::byte* registers, const Operand& operand) {
  operand.width == ptx::SlotWidth::Double ? make_uniform_of<uint64_t>(code, registers, operand)
                                          : make_uniform_of<uint32_t>(code, registers, operand);
}

}  // namespace lanescope::emulator
