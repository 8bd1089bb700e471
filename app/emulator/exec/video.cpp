// Video instructions: arithmetic on bytes and half-words of registers, alone and side by side, with a second
// operation on the result. Source: PTX ISA, "Video Instructions", "SIMD Video Instructions", whose pseudocode
// this follows. Tests: tests/unit/emulator/video_test.cpp

#include "emulator/exec/executor.h"

#include <algorithm>
#include <cstdlib>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Op;

__extension__ using Wide = __int128;

bool is_signed(ptx::Type type) { return ptx::class_of(type) == ptx::TypeClass::Signed; }

/// The lowest `bits` bits as a number.
int64_t number_of(uint32_t word, int bits, bool with_sign) {
  const uint64_t raised = uint64_t{word} << (64 - bits);
  return with_sign ? static_cast<int64_t>(raised) >> (64 - bits)
                   : static_cast<int64_t>(raised >> (64 - bits));
}

int64_t clamped(Wide value, int bits, bool with_sign) {
  const Wide highest = (Wide{1} << (with_sign ? bits - 1 : bits)) - 1;
  const Wide lowest = with_sign ? -highest - 1 : Wide{0};
  return static_cast<int64_t>(std::clamp(value, lowest, highest));
}

bool holds(ptx::Comparison comparison, int64_t a, int64_t b) {
  switch (comparison) {
    case ptx::Comparison::Eq:
      return a == b;
    case ptx::Comparison::Ne:
      return a != b;
    case ptx::Comparison::Lt:
      return a < b;
    case ptx::Comparison::Le:
      return a <= b;
    case ptx::Comparison::Gt:
      return a > b;
    case ptx::Comparison::Ge:
      return a >= b;
    default:
      return false;
  }
}

/// Operation that an instruction has in all its forms: `vadd`, `vadd2` and `vadd4` are an Add.
enum class Doing : uint8_t {
  Add,
  Subtract,
  Average,
  AbsoluteDifference,
  Minimum,
  Maximum,
  ShiftLeft,
  ShiftRight,
  Compare,
  MultiplyAdd
};

struct Form {
  Doing doing = Doing::Add;
  int parts = 1;  // of a register, side by side
};

Form form_of(Op op) {
  switch (op) {
    case Op::vadd:
      return {Doing::Add, 1};
    case Op::vsub:
      return {Doing::Subtract, 1};
    case Op::vabsdiff:
      return {Doing::AbsoluteDifference, 1};
    case Op::vmin:
      return {Doing::Minimum, 1};
    case Op::vmax:
      return {Doing::Maximum, 1};
    case Op::vshl:
      return {Doing::ShiftLeft, 1};
    case Op::vshr:
      return {Doing::ShiftRight, 1};
    case Op::vmad:
      return {Doing::MultiplyAdd, 1};
    case Op::vset:
      return {Doing::Compare, 1};
    case Op::vadd2:
      return {Doing::Add, 2};
    case Op::vsub2:
      return {Doing::Subtract, 2};
    case Op::vavrg2:
      return {Doing::Average, 2};
    case Op::vabsdiff2:
      return {Doing::AbsoluteDifference, 2};
    case Op::vmin2:
      return {Doing::Minimum, 2};
    case Op::vmax2:
      return {Doing::Maximum, 2};
    case Op::vset2:
      return {Doing::Compare, 2};
    case Op::vadd4:
      return {Doing::Add, 4};
    case Op::vsub4:
      return {Doing::Subtract, 4};
    case Op::vavrg4:
      return {Doing::Average, 4};
    case Op::vabsdiff4:
      return {Doing::AbsoluteDifference, 4};
    case Op::vmin4:
      return {Doing::Minimum, 4};
    case Op::vmax4:
      return {Doing::Maximum, 4};
    case Op::vset4:
      return {Doing::Compare, 4};
    default:
      return {Doing::Add, 0};
  }
}

class Video {
 public:
  Video(const ptx::Step& step, const ptx::Modifiers& modifiers) : m_(modifiers), form_(form_of(step.op)) {
    // vset names the types of its sources alone; its result is a truth.
    const bool compares = form_.doing == Doing::Compare;
    to_signed_ = !compares && is_signed(step.type);
    a_signed_ = is_signed(compares ? step.type : step.second_type);
    b_signed_ = is_signed(compares ? step.second_type : modifiers.third_type);
  }

  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    if (form_.parts != 1) return side_by_side(a, b, c);
    const int64_t left = part(a, m_.selectors[1], a_signed_);
    const int64_t right = part(b, m_.selectors[2], b_signed_);
    return form_.doing == Doing::MultiplyAdd ? multiply_add(left, right, c) : alone(left, right, c);
  }

 private:
  /// Byte or half-word of a register that `selector` names, or the whole register, as a number.
  static int64_t part(uint32_t word, ptx::Selector selector, bool with_sign) {
    if (selector.unit == 0) return number_of(word, 32, with_sign);
    const int bits = 8 * selector.unit;
    return number_of(word >> (bits * (selector.digits & 3)), bits, with_sign);
  }

  int64_t combine(int64_t a, int64_t b) const {
    switch (form_.doing) {
      case Doing::Subtract:
        return a - b;
      case Doing::Average:
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
      case Doing::AbsoluteDifference:
        return std::abs(a - b);
      case Doing::Minimum:
        return std::min(a, b);
      case Doing::Maximum:
        return std::max(a, b);
      case Doing::Compare:
        return holds(m_.comparison, a, b) ? 1 : 0;
      default:
        return a + b;
    }
  }

  Wide shift(int64_t a, int64_t b) const {
    const auto amount =
        static_cast<int>(m_.shift == ptx::ShiftMode::Wrap ? b & 31 : std::min<int64_t>(b, 32));
    return form_.doing == Doing::ShiftLeft ? Wide{a} << amount : Wide{a} >> amount;
  }

  /// Saturate, then the second operation or the merge with c.
  uint32_t alone(int64_t left, int64_t right, uint32_t c) const {
    const bool shifts = form_.doing == Doing::ShiftLeft || form_.doing == Doing::ShiftRight;
    Wide result = shifts ? shift(left, right) : Wide{combine(left, right)};
    const ptx::Selector into = m_.selectors[0];
    const int bits = into.unit == 0 ? 32 : 8 * into.unit;
    if (m_.saturate) result = clamped(result, bits, to_signed_);
    const auto word = static_cast<uint32_t>(result);
    if (into.unit != 0) {
      const int at = bits * (into.digits & 3);
      const uint32_t mask = ((uint32_t{1} << bits) - 1) << at;
      return (word << at & mask) | (c & ~mask);
    }
    const int64_t first = number_of(word, 32, to_signed_);
    const int64_t second = number_of(c, 32, to_signed_);
    switch (m_.video) {
      case ptx::VideoOperation::Add:
        return word + c;
      case ptx::VideoOperation::Minimum:
        return static_cast<uint32_t>(std::min(first, second));
      case ptx::VideoOperation::Maximum:
        return static_cast<uint32_t>(std::max(first, second));
      case ptx::VideoOperation::None:
        break;
    }
    return word;
  }

  uint32_t multiply_add(int64_t left, int64_t right, uint32_t c) const {
    const bool is_signed_sum = a_signed_ || b_signed_;
    Wide sum = Wide{left} * right + number_of(c, 32, is_signed_sum);
    if (m_.video_scale == ptx::VideoScale::PlusOne) sum += 1;
    if (m_.video_scale == ptx::VideoScale::Shift7) sum >>= 7;
    if (m_.video_scale == ptx::VideoScale::Shift15) sum >>= 15;
    if (m_.saturate) sum = clamped(sum, 32, is_signed_sum);
    return static_cast<uint32_t>(sum);
  }

  /// Parts of (b:a) that `selector` names in each place.
  int64_t chosen(uint32_t a, uint32_t b, ptx::Selector selector, int place, int otherwise,
                 bool with_sign) const {
    const int bits = 32 / form_.parts;
    const int which = selector.unit == 0 ? otherwise + place : selector.digits >> 4 * place & 7;
    return number_of(static_cast<uint32_t>((uint64_t{b} << 32 | a) >> bits * which), bits, with_sign);
  }

  uint32_t side_by_side(uint32_t a, uint32_t b, uint32_t c) const {
    const int bits = 32 / form_.parts;
    uint32_t taken = m_.selectors[0].unit == 0 ? 0xf : 0;
    for (int n = 0; n < m_.selectors[0].count; ++n)
      taken |= uint32_t{1} << (m_.selectors[0].digits >> 4 * n & 3);
    const bool adds = m_.video == ptx::VideoOperation::Add;
    uint32_t result = adds ? c : 0;
    for (int place = 0; place < form_.parts; ++place) {
      const uint32_t mask = static_cast<uint32_t>(((uint64_t{1} << bits) - 1) << bits * place);
      const bool takes = taken >> place & 1;
      int64_t value = combine(chosen(a, b, m_.selectors[1], place, 0, a_signed_),
                              chosen(a, b, m_.selectors[2], place, form_.parts, b_signed_));
      if (m_.saturate) value = clamped(value, bits, to_signed_);
      if (adds) {
        result += takes ? static_cast<uint32_t>(value) : 0;
      } else {
        result |= takes ? static_cast<uint32_t>(value) << bits * place & mask : c & mask;
      }
    }
    return result;
  }

  const ptx::Modifiers& m_;
  Form form_;
  bool to_signed_ = false;
  bool a_signed_ = false;
  bool b_signed_ = false;
};

void execute(Warps& warps, const Step& step) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Step& from = program.steps[step.index];
  const Video video(from, program.modifiers[from.modifiers]);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const auto* a = cells<const uint32_t>(warps, step.source[0], n);
    const auto* b = cells<const uint32_t>(warps, step.source[1], n);
    const auto* c = cells<const uint32_t>(warps, step.source[2], n);
    auto* d = cells<uint32_t>(warps, step.destination[0], n);
    for_each_lane({mask}, [&](int lane) { d[lane] = video(a[lane], b[lane], c[lane]); });
  });
}

}  // namespace

Handler video_handler(const ptx::Program&, const ptx::Step& step) {
  return form_of(step.op).parts != 0 ? execute : nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
