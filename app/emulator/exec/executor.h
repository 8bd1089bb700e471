// The executor: which function executes a step. Every family of instructions has a file FAMILY.cpp with
// a switch that gives the handler of each of its instructions, and null for those of other families. Method:
// these files are compiled once per instruction set of the CPU, each time in another namespace; the best that
// was built and that the machine has is chosen at run time (vectors.h). To add an instruction: a row in
// ptx/opcode.def, a line in one of the switches. Tests: tests/unit/emulator/*_test.cpp

#pragma once

#include "emulator/exec/lanes.h"

namespace lanescope::emulator {

namespace plain_vectors {
extern const Executor executor;
}
namespace avx2_vectors {
extern const Executor executor;
}
namespace avx512_vectors {
extern const Executor executor;
}

namespace LANESCOPE_VECTORS {

Handler cluster_handler(const ptx::Program& program, const ptx::Step& step);
Handler move_handler(const ptx::Program& program, const ptx::Step& step);
Handler convert_handler(const ptx::Program& program, const ptx::Step& step);
Handler any_conversion_handler(const ptx::Program& program, const ptx::Step& step);
Handler integer_handler(const ptx::Program& program, const ptx::Step& step);
Handler carry_handler(const ptx::Program& program, const ptx::Step& step);
Handler bits_handler(const ptx::Program& program, const ptx::Step& step);
Handler float_handler(const ptx::Program& program, const ptx::Step& step);
Handler directed_handler(const ptx::Program& program, const ptx::Step& step);
Handler half_handler(const ptx::Program& program, const ptx::Step& step);
Handler video_handler(const ptx::Program& program, const ptx::Step& step);
Handler compare_handler(const ptx::Program& program, const ptx::Step& step);
Handler memory_handler(const ptx::Program& program, const ptx::Step& step);
Handler image_handler(const ptx::Program& program, const ptx::Step& step);
Handler atomic_handler(const ptx::Program& program, const ptx::Step& step);
Handler stack_handler(const ptx::Program& program, const ptx::Step& step);
Handler warp_handler(const ptx::Program& program, const ptx::Step& step);
Handler bulk_reduction_handler(const ptx::Program& program, const ptx::Step& step);
Handler async_copy_handler(const ptx::Program& program, const ptx::Step& step);
Handler mbarrier_handler(const ptx::Program& program, const ptx::Step& step);
Handler matrix_move_handler(const ptx::Program& program, const ptx::Step& step);
Handler quad_product_handler(const ptx::Program& program, const ptx::Step& step);
Handler sparse_product_handler(const ptx::Program& program, const ptx::Step& step);
Handler matrix_product_handler(const ptx::Program& program, const ptx::Step& step);
Handler warpgroup_product_handler(const ptx::Program& program, const ptx::Step& step);

inline const ptx::Modifiers& modifiers_of(const Warps& warps, const Step& step) {
  const ptx::Program& program = *warps.block.code.program;
  return program.modifiers[program.steps[step.index].modifiers];
}

/// map<F, T, T...> with `arity` sources.
template <class F, class T, int arity>
constexpr Handler same_type() {
  static_assert(arity >= 1 && arity <= 3);
  if constexpr (arity == 1) {
    return map<F, T, T>;
  } else if constexpr (arity == 2) {
    return map<F, T, T, T>;
  } else {
    return map<F, T, T, T, T>;
  }
}

/// The handler of F for values that are the same whatever their sign.
template <class F, int arity>
constexpr Handler by_size(ptx::Type type) {
  switch (ptx::size_bytes(type)) {
    case 2:
      return same_type<F, uint16_t, arity>();
    case 4:
      return same_type<F, uint32_t, arity>();
    case 8:
      return same_type<F, uint64_t, arity>();
    default:
      return nullptr;
  }
}

/// The handler of F for integers, signed or not by the instruction's type.
template <class F, int arity>
constexpr Handler by_integer(ptx::Type type) {
  switch (type) {
    case ptx::Type::s16:
      return same_type<F, int16_t, arity>();
    case ptx::Type::s32:
      return same_type<F, int32_t, arity>();
    case ptx::Type::s64:
      return same_type<F, int64_t, arity>();
    default:
      return ptx::class_of(type) == ptx::TypeClass::Float ? nullptr : by_size<F, arity>(type);
  }
}

template <class F, int arity>
constexpr Handler by_float(ptx::Type type) {
  switch (type) {
    case ptx::Type::f32:
      return same_type<F, float, arity>();
    case ptx::Type::f64:
      return same_type<F, double, arity>();
    default:
      return nullptr;
  }
}

/// Unsigned and at least 32 bits wide: arithmetic on it never overflows into undefined behavior.
template <class T>
using Modular = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

/// Writes `value` where `mask` says so; the rest of a predicate stays.
[[gnu::always_inline]] inline void write_predicate(uint32_t& predicate, uint32_t mask, bool whole,
                                                   uint32_t value) {
  predicate = whole ? value : (predicate & ~mask) | (value & mask);
}

}  // namespace LANESCOPE_VECTORS
}  // namespace lanescope::emulator
