// Arithmetic of f32 and f64 rounded towards zero, down or up. Source: PTX ISA, "Floating-Point Instructions";
// .ftz, .sat and NaN as in float.cpp. Tests: tests/unit/emulator/rounding_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/rounding.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

struct RoundedSum {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a, T b) const {
    return with.sum(a, b);
  }
};
struct RoundedDifference {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a, T b) const {
    return with.sum(a, -b);
  }
};
struct RoundedProduct {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a, T b) const {
    return with.product(a, b);
  }
};
struct RoundedProductSum {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a, T b, T c) const {
    return with.product_sum(a, b, c);
  }
};
struct RoundedQuotient {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a, T b) const {
    return with.quotient(a, b);
  }
};
struct RoundedReciprocal {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a) const {
    return with.quotient(T{1}, a);
  }
};
struct RoundedRoot {
  template <class T>
  T operator()(const Arithmetic<T>& with, T a) const {
    return with.root(a);
  }
};

/// F on T with the instruction's rounding and modifiers.
template <class F, class T>
struct Directed {
  explicit Directed(const Step& step)
      : with{step.rounding}, flush(step.flush_to_zero && sizeof(T) == 4), saturate(step.saturate) {}
  T flushed(T value) const {
    const bool subnormal = flush && std::fpclassify(value) == FP_SUBNORMAL;
    return subnormal ? std::copysign(T{0}, value) : value;
  }
  template <class... S>
  T operator()(S... operands) const {
    T result = flushed(F{}(with, flushed(operands)...));
    if (sizeof(T) == 4 && is_nan(result)) result = static_cast<T>(__builtin_bit_cast(float, 0x7fffffffu));
    if (saturate) result = result > 0 ? (result > 1 ? T{1} : result) : T{0};
    return result;
  }
  Arithmetic<T> with;
  bool flush;
  bool saturate;
};

template <class F, int arity>
Handler directed_handler(ptx::Type type) {
  return type == ptx::Type::f32 ? same_type<Directed<F, float>, float, arity>()
                                : same_type<Directed<F, double>, double, arity>();
}

}  // namespace

Handler directed_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.type != ptx::Type::f32 && step.type != ptx::Type::f64) return nullptr;
  const ptx::Rounding rounding = program.modifiers[step.modifiers].rounding;
  if (rounding != ptx::Rounding::Zero && rounding != ptx::Rounding::Down && rounding != ptx::Rounding::Up)
    return nullptr;
  switch (step.op) {
    case ptx::Op::add:
      return directed_handler<RoundedSum, 2>(step.type);
    case ptx::Op::sub:
      return directed_handler<RoundedDifference, 2>(step.type);
    case ptx::Op::mul:
      return directed_handler<RoundedProduct, 2>(step.type);
    case ptx::Op::mad:
    case ptx::Op::fma:
      return directed_handler<RoundedProductSum, 3>(step.type);
    case ptx::Op::div:
      return directed_handler<RoundedQuotient, 2>(step.type);
    case ptx::Op::rcp:
      return directed_handler<RoundedReciprocal, 1>(step.type);
    case ptx::Op::sqrt:
      return directed_handler<RoundedRoot, 1>(step.type);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
