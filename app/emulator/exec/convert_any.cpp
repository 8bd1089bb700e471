// The conversions that convert.cpp has no fast way for: halves and smaller formats, roundings other than
// to nearest, .relu, .satfinite, packed results. Source: PTX ISA, "Data Movement and Conversion: cvt,
// cvt.pack". Tests: tests/unit/emulator/convert_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/small_float.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

ptx::Rounding rounding_of(ptx::IntegerRounding rounding) {
  switch (rounding) {
    case ptx::IntegerRounding::Zero:
      return ptx::Rounding::Zero;
    case ptx::IntegerRounding::Down:
      return ptx::Rounding::Down;
    case ptx::IntegerRounding::Up:
      return ptx::Rounding::Up;
    default:
      return ptx::Rounding::NearestEven;
  }
}

struct IntegerRange {
  explicit IntegerRange(ptx::Type type) {
    const int bits = 8 * ptx::size_bytes(type);
    is_signed = ptx::class_of(type) == ptx::TypeClass::Signed;
    lowest = is_signed ? -power_of_two(bits - 1) : Quad{0};
    highest = power_of_two(is_signed ? bits - 1 : bits) - 1;
    mask = ~uint64_t{0} >> (64 - bits);
    sign = uint64_t{1} << (bits - 1);
  }
  Quad read(uint64_t bits) const {
    bits &= mask;
    if (is_signed && (bits & sign) != 0) return -static_cast<Quad>(((~bits) & mask) + 1);
    return static_cast<Quad>(bits);
  }
  /// Value clamped to the type, extended to 64 bits with its sign or zeros.
  uint64_t write(Quad value) const {
    if (is_nan(value)) return 0;
    if (value < lowest) value = lowest;
    if (value > highest) value = highest;
    const uint64_t size = static_cast<uint64_t>(value < 0 ? -value : value);
    return value < 0 ? ~size + 1 : size;
  }
  bool is_signed;
  Quad lowest;
  Quad highest;
  uint64_t mask;
  uint64_t sign;
};

class Conversion {
 public:
  Conversion(const ptx::Modifiers& modifiers, ptx::Type to, ptx::Type from)
      : modifiers_(modifiers), to_(to), from_(from) {}

  uint64_t operator()(uint64_t bits) const {
    if (modifiers_.rounding == ptx::Rounding::NearestAway) return nearest_away(static_cast<uint32_t>(bits));
    const Quad value = read(bits);
    return is_nan(value) ? of_nan(bits) : write(value);
  }

 private:
  /// cvt.rna.tf32 adds to the bits and cuts them off, whatever they mean (measured: H200).
  uint64_t nearest_away(uint32_t bits) const {
    constexpr uint32_t kKept = 0xffffe000;
    constexpr uint32_t kExponent = 0x7f800000;
    const uint32_t rounded = (bits + 0x1000) & kKept;
    const bool too_large = modifiers_.saturate_finite && (rounded & kExponent) == kExponent;
    return too_large ? rounded - 0x2000 : rounded;
  }

  /// Result for a NaN. From or to f64, a floating-point result keeps the payload as far as there is room;
  /// otherwise it is the format's NaN. An integer of 64 bits, or from f64, is the highest bit alone, else
  /// zero (measured: H200).
  uint64_t of_nan(uint64_t bits) const {
    if (!ptx::is_float(to_)) {
      const int width = 8 * ptx::size_bytes(to_);
      if (from_ != ptx::Type::f64 && width != 64) return 0;
      const bool is_signed = ptx::class_of(to_) == ptx::TypeClass::Signed;
      return (is_signed ? ~uint64_t{0} : uint64_t{1}) << (width - 1);
    }
    if (modifiers_.saturate) return 0;
    const FloatFormat from = format_of(from_);
    const FloatFormat to = format_of(to_);
    const bool keeps = (from_ == ptx::Type::f64 && ptx::size_bytes(to_) < 8) || to_ == ptx::Type::f64;
    if (!keeps) return to.nan << to.shift;
    const uint64_t sign = bits >> (from.bits - 1) & 1;
    const uint64_t fraction = bits & ((uint64_t{1} << (from.precision - 1)) - 1);
    const int wider = to.precision - from.precision;
    const uint64_t payload = wider >= 0 ? fraction << wider : fraction >> -wider;
    const uint64_t quiet = uint64_t{1} << (to.precision - 2);
    return sign << (to.bits - 1) | to.infinity | quiet | payload;
  }

  Quad read(uint64_t bits) const {
    if (!ptx::is_float(from_)) return IntegerRange(from_).read(bits);
    Quad value = decode(format_of(from_), bits);
    if (modifiers_.flush_to_zero && from_ == ptx::Type::f32) value = flushed(value);
    if (modifiers_.integer_rounding != ptx::IntegerRounding::None && __builtin_isfinite(value)) {
      constexpr Quad kWhole = Quad{0x1p112};  // from here on all numbers are whole
      if (value < kWhole && value > -kWhole) {
        const Quad whole = round_to_whole(value, rounding_of(modifiers_.integer_rounding));
        value = whole == 0 && is_negative(value) ? -Quad{0} : whole;
      }
    }
    return value;
  }

  uint64_t write(Quad value) const {
    if (!ptx::is_float(to_)) return IntegerRange(to_).write(value);
    if (modifiers_.saturate) value = value > 0 ? (value > 1 ? Quad{1} : value) : Quad{0};
    if (modifiers_.relu && !is_nan(value) && !(value > 0)) value = Quad{0};
    const Overflow overflow = modifiers_.saturate_finite ? Overflow::ToLargest : Overflow::ToInfinity;
    const FloatFormat format = format_of(to_);
    uint64_t bits = encode(format, value, modifiers_.rounding, overflow);
    if (modifiers_.flush_to_zero && to_ == ptx::Type::f32 && (bits & format.infinity) == 0)
      bits &= uint64_t{1} << (format.bits - 1);
    return bits;
  }

  static Quad flushed(Quad value) {
    const bool subnormal = value < Quad{0x1p-126} && value > -Quad{0x1p-126};
    return !subnormal ? value : is_negative(value) ? -Quad{0} : Quad{0};
  }

  const ptx::Modifiers& modifiers_;
  ptx::Type to_;
  ptx::Type from_;
};

uint64_t read_cell(const Warps& warps, const Operand& operand, bool wide, uint32_t n, int lane) {
  return wide ? cells<const uint64_t>(warps, operand, n)[lane]
              : uint64_t{cells<const uint32_t>(warps, operand, n)[lane]};
}

/// Registers of either width, one lane after the other.
template <bool wide_to, bool wide_from, class F>
void each_lane(Warps& warps, const Step& step, F&& convert) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_lane({mask}, [&](int lane) {
      const uint64_t bits = convert(read_cell(warps, step.source[0], wide_from, n, lane),
                                    read_cell(warps, step.source[1], wide_from, n, lane));
      if (wide_to) {
        cells<uint64_t>(warps, step.destination[0], n)[lane] = bits;
      } else {
        cells<uint32_t>(warps, step.destination[0], n)[lane] = static_cast<uint32_t>(bits);
      }
    });
  });
}

template <bool wide_to, bool wide_from>
void convert_one(Warps& warps, const Step& step) {
  const Conversion conversion(modifiers_of(warps, step), step.type, step.second_type);
  // A type of 8 or 16 bits in its register: zeros above, or the sign where the register is read as a number.
  const int register_bits = 8 * (wide_to ? 8 : 4);
  const int bits = 8 * ptx::size_bytes(step.type);
  const uint64_t mask =
      ptx::is_float(step.type) ? ~uint64_t{0} >> (64 - bits) : ~uint64_t{0} >> (64 - register_bits);
  each_lane<wide_to, wide_from>(warps, step, [&](uint64_t a, uint64_t) { return conversion(a) & mask; });
}

/// d, a, b: a goes to the upper half.
template <bool wide_to, bool wide_from>
void convert_two(Warps& warps, const Step& step) {
  const Conversion conversion(modifiers_of(warps, step), step.type, step.second_type);
  const int bits = 4 * ptx::size_bytes(step.type);
  each_lane<wide_to, wide_from>(
      warps, step, [&](uint64_t a, uint64_t b) { return conversion(a) << bits | conversion(b); });
}

/// From one packed format to another.
template <bool wide_to, bool wide_from>
void convert_pair(Warps& warps, const Step& step) {
  const Conversion conversion(modifiers_of(warps, step), step.type, step.second_type);
  const int to = 4 * ptx::size_bytes(step.type);
  const int from = 4 * ptx::size_bytes(step.second_type);
  each_lane<wide_to, wide_from>(warps, step, [&](uint64_t a, uint64_t) {
    return conversion(a >> from) << to | conversion(a & ((uint64_t{1} << from) - 1));
  });
}

/// cvt.pack: a and b, clamped, as the lowest part of c shifted up.
void pack(Warps& warps, const Step& step) {
  const IntegerRange from(step.second_type);
  const IntegerRange to(step.type);
  const int bits = 8 * ptx::size_bytes(step.type);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const auto* a = cells<const uint32_t>(warps, step.source[0], n);
    const auto* b = cells<const uint32_t>(warps, step.source[1], n);
    const auto* c = cells<const uint32_t>(warps, step.source[2], n);
    auto* d = cells<uint32_t>(warps, step.destination[0], n);
    for_each_lane({mask}, [&](int lane) {
      const uint64_t high = to.write(from.read(a[lane])) & to.mask;
      const uint64_t low = to.write(from.read(b[lane])) & to.mask;
      d[lane] = static_cast<uint32_t>(uint64_t{c[lane]} << 2 * bits | high << bits | low);
    });
  });
}

bool is_double(const ptx::Program& program, ptx::Slot slot) {
  return slot != ptx::kNoSlot && program.slots[slot].width == ptx::SlotWidth::Double;
}

}  // namespace

Handler any_conversion_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op == ptx::Op::cvt_pack) return pack;
  if (step.op != ptx::Op::cvt) return nullptr;
  if (program.modifiers[step.modifiers].rounding == ptx::Rounding::Stochastic) return nullptr;
  const auto is_packed = [](ptx::Type type) {
    return type == ptx::Type::f16x2 || type == ptx::Type::bf16x2 || ptx::is_packed_quarter(type);
  };
  const bool wide_to = is_double(program, step.destination[0]);
  const bool wide_from = is_double(program, step.source[0]);
  if (is_packed(step.type)) {
    if (wide_to || wide_from) return nullptr;
    return is_packed(step.second_type) ? convert_pair<false, false> : convert_two<false, false>;
  }
  if (wide_to) return wide_from ? convert_one<true, true> : convert_one<true, false>;
  return wide_from ? convert_one<false, true> : convert_one<false, false>;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
