#include "emulator/values/form.h"

#include "base/lane_mask.h"

#include <bit>
#include <cstring>
#include <optional>
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
        reinterpret_cast<const C*>(registers + operand.offset + size_t{operand.stride} * warp);
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

/// True if all lanes in `mask` have the value.
template <class C>
bool have_value(const C* cells, uint32_t mask, C value) {
  if (mask == kAllLanes.bits)  // each lane is equal to the next
    return cells[0] == value && std::memcmp(cells, cells + 1, (kLanes - 1) * sizeof(C)) == 0;
  bool is_equal = true;
  for_each_lane({mask}, [&](int lane) { is_equal = is_equal && cells[lane] == value; });
  return is_equal;
}

/// The value of all lanes in alive[warp]; none if they differ, or if there are none.
template <class C>
std::optional<C> common_value(const std::byte* at, size_t stride, std::span<const uint32_t> alive) {
  std::optional<C> value;
  for (const uint32_t lanes : alive) {
    const auto* const cells = reinterpret_cast<const C*>(at);
    at += stride;
    if (lanes == 0) continue;
    if (!value) value = cells[std::countr_zero(lanes)];
    if (!have_value(cells, lanes, *value)) return std::nullopt;
  }
  return value;
}

/// The truth of all lanes in alive[warp], 0 or all ones; none if they differ.
std::optional<uint32_t> common_truth(const std::byte* at, std::span<const uint32_t> alive) {
  uint32_t any = 0;
  uint32_t all = kAllLanes.bits;
  for (const uint32_t lanes : alive) {
    uint32_t mask = 0;
    std::memcpy(&mask, at, sizeof mask);
    at += sizeof mask;
    any |= mask & lanes;
    all &= mask | ~lanes;
  }
  if (all == kAllLanes.bits) return all;
  return any == 0 ? std::optional(any) : std::nullopt;
}

}  // namespace

void find_form(const Code& code, Spreads& spreads, std::byte* registers, const Operand& operand) {
  operand.width == ptx::SlotWidth::Double ? find_form_of<uint64_t>(code, spreads, registers, operand)
                                          : find_form_of<uint32_t>(code, spreads, registers, operand);
}

void make_constant(std::byte* registers, const Operand& operand) {
  const std::byte* const lanes = registers + operand.offset;
  const uint64_t value = operand.width == ptx::SlotWidth::Double ? *reinterpret_cast<const uint64_t*>(lanes)
                                                                 : *reinterpret_cast<const uint32_t*>(lanes);
  form_of(registers, operand) = {kConstantSpread.state & ~kOnlyForm, value, &kConstantSpread};
}

void find_constant(std::byte* registers, const Operand& operand, std::span<const uint32_t> alive) {
  const std::byte* const at = registers + operand.offset;
  std::optional<uint64_t> value;
  uint32_t state = kConstantSpread.state;
  switch (operand.width) {
    case ptx::SlotWidth::Predicate:
      value = common_truth(at, alive);
      state &= ~kOnlyForm;
      break;
    case ptx::SlotWidth::Word:
      value = common_value<uint32_t>(at, operand.stride, alive);
      break;
    case ptx::SlotWidth::Double:
      value = common_value<uint64_t>(at, operand.stride, alive);
      break;
  }
  if (value) form_of(registers, operand) = {state, *value, &kConstantSpread};
}

}  // namespace lanescope::emulator
