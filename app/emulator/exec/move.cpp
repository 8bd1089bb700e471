// Moves between registers, vectors that are packed into one register, generic addresses, parameters.
// Source: PTX ISA, "Data Movement and Conversion Instructions". Tests: tests/unit/emulator/move_test.cpp

#include "emulator/exec/executor.h"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

struct Same {
  static constexpr FormRule rule = FormRule::Linear;
  template <class T>
  constexpr T operator()(T a) const {
    return a;
  }
};

/// A policy of the caches, or the only block's rank.
template <class T>
struct Nothing {
  constexpr T operator()(T) const { return 0; }
};

void move_predicate(Warps& warps, const Step& step) {
  const bool whole = may_write_all(warps, step);
  const uint32_t flip = step.negated & 1 ? ~uint32_t{0} : 0;
  if (may_be_truth(warps, step) && has_truth(warps.registers, step.source[0]))
    return set_truth(warps, step.destination[0], truth_of(warps.registers, step.source[0]) ^ flip);
  drop_truth(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, whole,
                    *cells<const uint32_t>(warps, step.source[0], n) ^ flip);
  });
}

/// A clock: the warp instructions that the block has issued. It rises from one read to the next.
template <class T>
void read_clock(Warps& warps, const Step& step) {
  const auto special = static_cast<ptx::SpecialRegister>(step.immediate);
  const bool high =
      special == ptx::SpecialRegister::clock_hi || special == ptx::SpecialRegister::globaltimer_hi;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    BlockState& block = warps.block;
    const uint64_t issued = block.clock + (step.index - block.issued_from) * block.issuing;
    const uint64_t now = block.clock_read = std::max(block.clock_read, issued) + 1;
    T* to = cells<T>(warps, step.destination[0], n);
    for_each_lane({mask}, [&](int lane) { to[lane] = static_cast<T>(high ? now >> 32 : now); });
  });
}

/// mov.b64 %rd, {%r1, %r2}: the first element gets the low bits.
template <class Whole, class Part>
void pack_vector(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Cell<Whole>* to = cells<Cell<Whole>>(warps, step.destination[0], n);
    Cell<Whole> packed[kLanes] = {};
    for (int element = 0; element < step.list_size; ++element) {
      const auto* from = cells<const Cell<Part>>(warps, step.list[element], n);
      for (int lane = 0; lane < kLanes; ++lane)
        packed[lane] |= static_cast<Cell<Whole>>(static_cast<Part>(from[lane]))
                        << 8 * sizeof(Part) * static_cast<size_t>(element);
    }
    for (int lane = 0; lane < kLanes; ++lane) to[lane] = mask >> lane & 1 ? packed[lane] : to[lane];
  });
}

template <class Whole, class Part>
void unpack_vector(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Cell<Whole> packed[kLanes];
    std::memcpy(packed, cells<const Cell<Whole>>(warps, step.source[0], n), sizeof packed);
    for (int element = 0; element < step.list_size; ++element) {
      auto* to = cells<Cell<Part>>(warps, step.list[element], n);
      for (int lane = 0; lane < kLanes; ++lane) {
        const auto part = static_cast<Part>(packed[lane] >> 8 * sizeof(Part) * static_cast<size_t>(element));
        to[lane] = mask >> lane & 1 ? part : to[lane];
      }
    }
  });
}

template <class Whole, class Part>
Handler vector_move(const ptx::Step& step) {
  return step.list_written != 0 ? unpack_vector<Whole, Part> : pack_vector<Whole, Part>;
}

Handler vector_move(const ptx::Step& step) {
  const int whole = ptx::size_bytes(step.type);
  const int part = whole / step.list_size;
  if (whole == 8)
    return part == 4   ? vector_move<uint64_t, uint32_t>(step)
           : part == 2 ? vector_move<uint64_t, uint16_t>(step)
                       : vector_move<uint64_t, uint8_t>(step);
  if (whole == 4)
    return part == 2 ? vector_move<uint32_t, uint16_t>(step) : vector_move<uint32_t, uint8_t>(step);
  return whole == 2 ? vector_move<uint16_t, uint8_t>(step) : nullptr;
}

template <uint64_t window>
struct ToGeneric {
  static constexpr FormRule rule = FormRule::Offset;
  constexpr uint64_t operator()(uint64_t a) const { return a + (window << kWindowShift); }
};
template <uint64_t window>
struct FromGeneric {
  static constexpr FormRule rule = FormRule::Offset;
  constexpr uint64_t operator()(uint64_t a) const { return a - (window << kWindowShift); }
};

template <template <uint64_t> class F>
Handler change_window(ptx::Space space, ptx::Type type) {
  if (type != ptx::Type::u64 && type != ptx::Type::b64) return nullptr;
  switch (window_of(space)) {
    case 0:
      return map<F<0>, uint64_t, uint64_t>;
    case kSharedWindow:
      return map<F<kSharedWindow>, uint64_t, uint64_t>;
    case kLocalWindow:
      return map<F<kLocalWindow>, uint64_t, uint64_t>;
    case kConstantWindow:
      return map<F<kConstantWindow>, uint64_t, uint64_t>;
    case kParameterWindow:
      return map<F<kParameterWindow>, uint64_t, uint64_t>;
    default:
      return nullptr;
  }
}

void is_in_space(Warps& warps, const Step& step) {
  const bool whole = may_write_all(warps, step);
  const uint64_t window = window_of(step.space);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const auto* address = cells<const uint64_t>(warps, step.source[0], n);
    uint32_t inside = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool hit =
          window == 0 ? trace::has_buffer(address[lane]) : address[lane] >> kWindowShift == window;
      inside |= uint32_t{hit} << lane;
    }
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, whole, inside);
  });
}

}  // namespace

Handler move_handler(const ptx::Program& program, const ptx::Step& step) {
  switch (step.op) {
    case ptx::Op::mov:
      if (step.list_size != 0) return vector_move(step);
      if (step.source[0] == ptx::kNoSlot)
        return ptx::size_bytes(step.type) == 8 ? read_clock<uint64_t> : read_clock<uint32_t>;
      if (step.type == ptx::Type::pred) return {move_predicate, true};
      return by_size<Same, 1>(step.type);
    case ptx::Op::cvta:
      return change_window<ToGeneric>(program.modifiers[step.modifiers].space, step.type);
    case ptx::Op::cvta_to:
      return change_window<FromGeneric>(program.modifiers[step.modifiers].space, step.type);
    case ptx::Op::isspacep:
      return is_in_space;
    case ptx::Op::createpolicy_fractional:
    case ptx::Op::createpolicy_range:
    case ptx::Op::createpolicy_cvt:
      return map<Nothing<uint64_t>, uint64_t, uint64_t>;
    case ptx::Op::getctarank:  // a cluster is one block
      return map<Nothing<uint32_t>, uint32_t, uint32_t>;
    case ptx::Op::mapa:
      return by_size<Same, 1>(step.type);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
