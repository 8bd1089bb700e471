// Arithmetic with a carry from one instruction to the next. The carry flag is a predicate: destination 1 of
// the instruction that sets it, source 3 of the one that takes it; of a subtraction it is the borrow. Source:
// PTX ISA, "Extended-Precision Integer Arithmetic Instructions". Tests: tests/unit/emulator/integer_test.cpp

#include "emulator/exec/executor.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

/// Twice as wide as T: holds any sum and any product.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, uint64_t, Unsigned128>;
template <class T>
using SignedWide = std::conditional_t<sizeof(T) == 4, int64_t, Signed128>;

/// Sum that an instruction computes: a + b, a - b, or c plus a part of a x b.
enum class Sum : uint8_t { Plus, Minus, LowProduct, HighProduct, SignedHighProduct };

template <class T, Sum sum, bool takes_carry, bool sets_carry>
void with_carry(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const T* a = cells<const T>(warps, step.source[0], n);
    const T* b = cells<const T>(warps, step.source[1], n);
    const T* c = cells<const T>(warps, step.source[2], n);
    const uint32_t carries = takes_carry ? *cells<const uint32_t>(warps, step.source[3], n) : 0;
    T* to = cells<T>(warps, step.destination[0], n);
    uint32_t out = 0;
    for_each_lane({mask}, [&](int l) {
      const T carry = carries >> l & 1;
      T left = a[l];
      T right = b[l];
      if constexpr (sum == Sum::LowProduct) left = static_cast<T>(left * right);
      if constexpr (sum == Sum::HighProduct) left = static_cast<T>(Wide<T>{left} * right >> 8 * sizeof(T));
      if constexpr (sum == Sum::SignedHighProduct) {
        const auto signed_left = static_cast<SignedWide<T>>(static_cast<std::make_signed_t<T>>(left));
        const auto signed_right = static_cast<SignedWide<T>>(static_cast<std::make_signed_t<T>>(right));
        left = static_cast<T>(signed_left * signed_right >> 8 * sizeof(T));
      }
      if constexpr (sum != Sum::Plus && sum != Sum::Minus) right = c[l];
      if constexpr (sum == Sum::Minus) {
        const Wide<T> taken = Wide<T>{right} + carry;
        out |= uint32_t{Wide<T>{left} < taken} << l;
        to[l] = static_cast<T>(left - taken);
      } else {
        const Wide<T> total = Wide<T>{left} + right + carry;
        out |= static_cast<uint32_t>(total >> 8 * sizeof(T)) << l;
        to[l] = static_cast<T>(total);
      }
    });
    if constexpr (sets_carry)
      write_predicate(*cells<uint32_t>(warps, step.destination[1], n), mask, false, out);
  });
}

template <class T, Sum sum>
Handler carrying(bool takes_carry, bool sets_carry) {
  if (takes_carry) return sets_carry ? with_carry<T, sum, true, true> : with_carry<T, sum, true, false>;
  return with_carry<T, sum, false, true>;
}

template <Sum sum>
Handler carrying(const ptx::Step& step, bool takes_carry, bool sets_carry) {
  return ptx::size_bytes(step.type) == 8 ? carrying<uint64_t, sum>(takes_carry, sets_carry)
                                         : carrying<uint32_t, sum>(takes_carry, sets_carry);
}

Handler multiply_add(const ptx::Step& step, ptx::ProductPart part, bool takes_carry, bool sets_carry) {
  if (part == ptx::ProductPart::Low) return carrying<Sum::LowProduct>(step, takes_carry, sets_carry);
  if (part != ptx::ProductPart::High) return nullptr;
  return ptx::class_of(step.type) == ptx::TypeClass::Signed
             ? carrying<Sum::SignedHighProduct>(step, takes_carry, sets_carry)
             : carrying<Sum::HighProduct>(step, takes_carry, sets_carry);
}

}  // namespace

Handler carry_handler(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const bool sets_carry = modifiers.carry_out;
  switch (step.op) {
    case ptx::Op::add:
      return sets_carry ? carrying<Sum::Plus>(step, false, true) : nullptr;
    case ptx::Op::sub:
      return sets_carry ? carrying<Sum::Minus>(step, false, true) : nullptr;
    case ptx::Op::mad:
      return sets_carry ? multiply_add(step, modifiers.part, false, true) : nullptr;
    case ptx::Op::addc:
      return carrying<Sum::Plus>(step, true, sets_carry);
    case ptx::Op::subc:
      return carrying<Sum::Minus>(step, true, sets_carry);
    case ptx::Op::madc:
      return multiply_add(step, modifiers.part, true, sets_carry);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
