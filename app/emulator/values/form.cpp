#include "emulator/values/form.h"

#include <type_traits>

namespace lanescope::emulator {
namespace {

template <class C>
void find_form_of(const Code& code, Spreads& spreads, std::byte* registers, const Operand& operand) {
  using Signed = std::make_signed_t<C>;
  const FormLayout& layout = code.forms;
  Form& form = form_of(registers, operand);
  form.state = 0;
  SpreadNumbers numbers;
  const C first = *reinterpret_cast<const C*>(registers + operand.offset);
  for (uint32_t warp = 0; warp < code.warps; ++warp) {
    const auto* const lanes =
        reinterpret_cast<const C*>(registers + operand.offset + size_t{operand.own} * warp);
    const C base = lanes[0];
    const C step = static_cast<C>(lanes[1] - base);
    const C row = layout.row_lanes < kLanes ? static_cast<C>(lanes[layout.row_lanes] - base) : C{0};
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (lanes[lane] != static_cast<C>(base + step * static_cast<C>(lane % layout.row_lanes) +
                                        row * static_cast<C>(lane / layout.row_lanes)))
        return;
    numbers.base[warp] = static_cast<Signed>(static_cast<C>(base - first));
    numbers.step[warp] = static_cast<Signed>(step);
    numbers.row[warp] = static_cast<Signed>(row);
  }
  const Spread* const found = spreads.find(numbers);
  if (found != nullptr) form = {found->state & ~kOnlyForm, first, found};
}

}  // namespace

void find_form(const Code& code, Spreads& spreads, std::byte* registers, const Operand& operand) {
  operand.width == ptx::SlotWidth::Double ? find_form_of<uint64_t>(code, spreads, registers, operand)
                                          : find_form_of<uint32_t>(code, spreads, registers, operand);
}

void make_uniform(std::byte* registers, const Operand& operand) {
  const std::byte* const lanes = registers + operand.offset;
  const uint64_t value = operand.width == ptx::SlotWidth::Double ? *reinterpret_cast<const uint64_t*>(lanes)
                                                                 : *reinterpret_cast<const uint32_t*>(lanes);
  form_of(registers, operand) = {kConstantSpread.state & ~kOnlyForm, value, &kConstantSpread};
}

}  // namespace lanescope::emulator
