// cp.reduce.async.bulk: reduces shared memory into global memory, element by element, as red does. Like
// cp.async.bulk it is done at once. Source: PTX ISA, "Data
// Movement: cp.reduce.async.bulk". Tests: tests/unit/emulator/async_copy_test.cpp, probe_test.cpp

#include "emulator/exec/atomic_update.h"
#include "emulator/exec/bulk_copy.h"
#include "emulator/exec/executor.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::AtomicOperation;
using ptx::Type;

/// A sum of f32 keeps subnormals here, unlike that of red: so does an H200 (tests/data/probes).
struct AddKeepingSubnormals {
  float operator()(float old, float b) const { return canonical(old + b); }
};

/// A sum of f64 leaves a NaN as it is.
struct AddDoubles {
  double operator()(double old, double b) const {
    if (__builtin_isnan(old)) return old;
    return __builtin_isnan(b) ? b : old + b;
  }
};

/// Operation on each element. A pointer, so that the code that calls it is compiled once and not per
/// operation.
struct Element {
  void (*update)(uintptr_t at, const std::byte* value, const Target& target);
  uint32_t bytes;
};

template <class F, class T>
void update_element(uintptr_t at, const std::byte* value, const Target& target) {
  T operand;
  std::memcpy(&operand, value, sizeof operand);
  update<F, T>(at, target, to_cell<T>(operand), Cell<T>{0});
}

struct ReducePieces : StorePieces {
  Element element;

  void move(const Warps&, const Step&, const Addresses& addresses, const Target& target, uint32_t) const {
    for_each_pointer(addresses, target, [&](int lane, uintptr_t at) {
      for (uint32_t done = 0; done < size; done += element.bytes)
        element.update(at + done, pieces.bytes[lane] + done, target);
    });
  }
};

void reduce_by(Warps& warps, const Step& step, Element element) {
  for_each_bulk_copy(warps, step, [&](const BulkCopy& copy, uint32_t n, int lane) {
    copy_bulk(warps, step, ptx::Space::Shared, copy, n, trace::Kind::Reduction,
              [&](const Pieces& pieces, uint32_t size) { return ReducePieces{{pieces, size}, element}; });
    begin_bulk(warps, step, copy, {.end = AsyncCopy::End::BulkGroup, .updates = true}, n, lane);
  });
}

template <class F, class T>
void reduce_bulk(Warps& warps, const Step& step) {
  reduce_by(warps, step, {update_element<F, T>, sizeof(T)});
}

template <class F>
Handler on_halves(Type type) {
  return type == Type::f16    ? reduce_bulk<OnHalf<F, Half>, uint16_t>
         : type == Type::bf16 ? reduce_bulk<OnHalf<F, Bfloat>, uint16_t>
                              : nullptr;
}

template <class F>
Handler on_integers(Type type) {
  switch (type) {
    case Type::u32:
    case Type::b32:
      return reduce_bulk<F, uint32_t>;
    case Type::s32:
      return reduce_bulk<F, int32_t>;
    case Type::u64:
    case Type::b64:
      return reduce_bulk<F, uint64_t>;
    case Type::s64:
      return reduce_bulk<F, int64_t>;
    default:
      return nullptr;
  }
}

template <class F>
Handler on_numbers(Type type) {
  return ptx::is_half(type) ? on_halves<NumberOf<F>>(type) : on_integers<F>(type);
}

}  // namespace

Handler bulk_reduction_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op != ptx::Op::cp_reduce_async_bulk) return nullptr;
  const Type type = step.type;
  switch (program.modifiers[step.modifiers].atomic) {
    case AtomicOperation::Add:
      if (type == Type::f32) return reduce_bulk<AddKeepingSubnormals, float>;
      if (type == Type::f64) return reduce_bulk<AddDoubles, double>;
      return ptx::is_half(type) ? on_halves<Add>(type) : on_integers<Add>(type);
    case AtomicOperation::Min:
      return on_numbers<Minimum>(type);
    case AtomicOperation::Max:
      return on_numbers<Maximum>(type);
    case AtomicOperation::And:
      return on_integers<And>(type);
    case AtomicOperation::Or:
      return on_integers<Or>(type);
    case AtomicOperation::Xor:
      return on_integers<Xor>(type);
    case AtomicOperation::Inc:
      return type == Type::u32 ? reduce_bulk<Increment, uint32_t> : nullptr;
    case AtomicOperation::Dec:
      return type == Type::u32 ? reduce_bulk<Decrement, uint32_t> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
