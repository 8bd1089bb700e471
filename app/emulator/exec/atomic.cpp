// Atomics and reductions on global and shared memory. Lanes of a warp are applied in ascending order. Where
// all of them reduce integers into one address and no result is used, they become one update; where blocks
// run concurrently, the updates of several warps are combined: joined_updates.h. Global memory is then
// updated with the CPU's own atomics; a block's shared memory belongs to one thread of the CPU. Source: PTX
// ISA, "Parallel Synchronization: atom, red". Tests: tests/unit/emulator/atomic_test.cpp

#include "emulator/exec/access_handler.h"
#include "emulator/exec/atomic_update.h"
#include "emulator/exec/executor.h"
#include "emulator/exec/joined_updates.h"

#include <array>
#include <mutex>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

template <class F, class T>
struct Atomic {
  static constexpr bool kWholeWarps = false;
  static uint32_t bytes(const Step&) { return sizeof(T); }

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    const auto* b = cells<const Cell<T>>(warps, step.source[1], n);
    for_each_lane({addresses.mask}, [&](int l) {
      std::memcpy(values, b + l, sizeof(T));
      values += sizeof(T);
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    const auto* b = cells<const Cell<T>>(warps, step.source[1], n);
    const auto* c = cells<const Cell<T>>(warps, step.source[2], n);
    auto* to = cells<Cell<T>>(warps, step.destination[0], n);
    if constexpr (kJoins<F, T>) {
      const bool one_place = addresses.affine && addresses.stride == 0 && target.lane_pitch == 0;
      if (one_place && step.kind == trace::Kind::Reduction) {
        const int first = std::countr_zero(addresses.mask);
        T all = from_cell<T>(b[first]);
        for_each_lane({addresses.mask & (addresses.mask - 1)},
                      [&](int l) { all = F{}(all, from_cell<T>(b[l])); });
        update<F, T>(target.data + static_cast<uintptr_t>(addresses.base), target, to_cell<T>(all),
                     Cell<T>{0});
        return;
      }
    }
    const auto update_all = [&](const Target& where, auto&& keep) __attribute__((always_inline)) {
      for_each_pointer(addresses, where, [&](int l, uintptr_t at) __attribute__((always_inline)) {
        keep(l, update<F, T>(at, where, b[l], c[l]));
      });
    };
    const auto in_register = [&](int l, Cell<T> old) __attribute__((always_inline)) { to[l] = old; };
    const auto nowhere = [](int, Cell<T>) __attribute__((always_inline)) {};
    const bool is_kept = step.kind == trace::Kind::Atomic;
    if (target.others_see_it) return is_kept ? update_all(target, in_register) : update_all(target, nowhere);
    // A constant `others_see_it`, so that the loop does not test it for each lane.
    const Target own{target.data, target.lane_pitch, target.is_global, false};
    is_kept ? update_all(own, in_register) : update_all(own, nowhere);
  }
};

/// Reduction whose updates can wait until all warps of the group have executed the instruction.
template <class F, class T>
struct JoinedReduction : Atomic<F, T> {
  JoinedUpdates<F, T>& updates;

  void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
            uint32_t n) const {
    if (!target.others_see_it) return Atomic<F, T>::move(warps, step, addresses, target, n);
    const auto* b = cells<const Cell<T>>(warps, step.source[1], n);
    for_each_pointer(addresses, target, [&](int l, uintptr_t at) { updates.add(at, from_cell<T>(b[l])); });
  }
};

/// The handler of a reduction or an atomic on one value.
template <class F, class T>
void update_memory(Warps& warps, const Step& step) {
  if constexpr (kJoins<F, T>) {
    const bool others_see_it = !warps.block.code.one_worker && step.space != ptx::Space::Shared;
    if (step.kind == trace::Kind::Reduction && others_see_it && warps.count > 1) {
      JoinedUpdates<F, T> updates;
      const JoinedReduction<F, T> reduction{{}, updates};
      access_each_warp(warps, step, data_of(reduction, sizeof(T)));
      updates.make();
      return;
    }
  }
  access_warps<Atomic<F, T>>(warps, step);
}

/// Several neighbors in one instruction: each on its own is atomic, all together are not.
template <class F, class T>
struct VectorAtomic {
  static constexpr bool kWholeWarps = false;
  static uint32_t elements(const Step& step) { return uint32_t{step.list_size} - step.list_written; }
  static uint32_t bytes(const Step& step) { return static_cast<uint32_t>(sizeof(T)) * elements(step); }
  static const Cell<T>* operand(const Warps& warps, const Step& step, uint32_t element, uint32_t n) {
    return cells<const Cell<T>>(warps, step.list[step.list_written + element], n);
  }

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    for_each_lane({addresses.mask}, [&](int l) {
      for (uint32_t element = 0; element < elements(step); ++element) {
        std::memcpy(values, operand(warps, step, element, n) + l, sizeof(T));
        values += sizeof(T);
      }
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    for_each_pointer(addresses, target, [&](int l, uintptr_t at) {
      for (uint32_t element = 0; element < elements(step); ++element) {
        const Cell<T> old =
            update<F, T>(at + element * sizeof(T), target, operand(warps, step, element, n)[l], Cell<T>{0});
        if (step.list_written != 0) cells<Cell<T>>(warps, step.list[element], n)[l] = old;
      }
    });
  }
};

/// 128 bits at once: the list has the halves of the destination, of the value to store or to compare with,
/// and of the one to store then. Blocks that run at the same time take turns at it.
template <bool compares>
struct WideAtomic {
  using Value = std::array<uint64_t, 2>;
  static constexpr bool kWholeWarps = false;
  static uint32_t bytes(const Step&) { return sizeof(Value); }
  static uint64_t half(const Warps& warps, const Step& step, uint32_t element, uint32_t n, int lane) {
    return cells<const uint64_t>(warps, step.list[element], n)[lane];
  }
  static Value operand(const Warps& warps, const Step& step, uint32_t first, uint32_t n, int lane) {
    return {half(warps, step, first, n, lane), half(warps, step, first + 1, n, lane)};
  }
  static constexpr uint32_t kStored = compares ? 4 : 2;

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    for_each_lane({addresses.mask}, [&](int l) {
      const Value value = operand(warps, step, kStored, n, l);
      std::memcpy(values, value.data(), sizeof value);
      values += sizeof value;
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    std::unique_lock lock(warps.block.memory.wide_atomics(), std::defer_lock);
    if (target.others_see_it) lock.lock();
    for_each_pointer(addresses, target, [&](int l, uintptr_t at) {
      Value old;
      std::memcpy(old.data(), reinterpret_cast<const void*>(at), sizeof old);
      const Value stored = operand(warps, step, kStored, n, l);
      if (!compares || old == operand(warps, step, 2, n, l))
        std::memcpy(reinterpret_cast<void*>(at), stored.data(), sizeof stored);
      for (uint32_t element = 0; element < 2; ++element)
        cells<uint64_t>(warps, step.list[element], n)[l] = old[element];
    });
  }
};

template <class F, class T>
constexpr Handler kAtomic = update_memory<F, T>;

template <class F>
Handler on_halves(const ptx::Step& step) {
  const bool is_vector = step.list_size != 0;
  switch (step.type) {
    case ptx::Type::f16:
      return is_vector ? access_memory<VectorAtomic<OnHalf<F, Half>, uint16_t>>
                       : kAtomic<OnHalf<F, Half>, uint16_t>;
    case ptx::Type::bf16:
      return is_vector ? access_memory<VectorAtomic<OnHalf<F, Bfloat>, uint16_t>>
                       : kAtomic<OnHalf<F, Bfloat>, uint16_t>;
    case ptx::Type::f16x2:
      return is_vector ? access_memory<VectorAtomic<OnPair<F, Half>, uint32_t>>
                       : kAtomic<OnPair<F, Half>, uint32_t>;
    case ptx::Type::bf16x2:
      return is_vector ? access_memory<VectorAtomic<OnPair<F, Bfloat>, uint32_t>>
                       : kAtomic<OnPair<F, Bfloat>, uint32_t>;
    default:
      return nullptr;
  }
}

template <class F>
Handler on_integers(ptx::Type type) {
  switch (type) {
    case ptx::Type::u32:
    case ptx::Type::b32:
      return kAtomic<F, uint32_t>;
    case ptx::Type::s32:
      return kAtomic<F, int32_t>;
    case ptx::Type::u64:
    case ptx::Type::b64:
      return kAtomic<F, uint64_t>;
    case ptx::Type::s64:
      return kAtomic<F, int64_t>;
    default:
      return nullptr;
  }
}

template <class F>
Handler on_bits(ptx::Type type) {
  switch (ptx::size_bytes(type)) {
    case 2:
      return kAtomic<F, uint16_t>;
    case 4:
      return kAtomic<F, uint32_t>;
    case 8:
      return kAtomic<F, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler atomic_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op != ptx::Op::atom && step.op != ptx::Op::red) return nullptr;
  const ptx::Type type = step.type;
  const ptx::AtomicOperation operation = program.modifiers[step.modifiers].atomic;
  if (ptx::is_half(type)) {
    if (operation == ptx::AtomicOperation::Add) return on_halves<Add>(step);
    if (operation == ptx::AtomicOperation::Min) return on_halves<NumberOf<Minimum>>(step);
    if (operation == ptx::AtomicOperation::Max) return on_halves<NumberOf<Maximum>>(step);
    return nullptr;
  }
  if (step.list_written == 2 && type == ptx::Type::b64) {
    return operation == ptx::AtomicOperation::Cas ? access_memory<WideAtomic<true>>
                                                  : access_memory<WideAtomic<false>>;
  }
  if (step.list_size != 0) {
    const bool adds = operation == ptx::AtomicOperation::Add && type == ptx::Type::f32;
    return adds ? access_memory<VectorAtomic<Add, float>> : nullptr;
  }
  switch (operation) {
    case ptx::AtomicOperation::Add:
      if (type == ptx::Type::f32) return kAtomic<Add, float>;
      if (type == ptx::Type::f64) return kAtomic<Add, double>;
      return on_integers<Add>(type);
    case ptx::AtomicOperation::Min:
      return on_integers<Minimum>(type);
    case ptx::AtomicOperation::Max:
      return on_integers<Maximum>(type);
    case ptx::AtomicOperation::And:
      return on_bits<And>(type);
    case ptx::AtomicOperation::Or:
      return on_bits<Or>(type);
    case ptx::AtomicOperation::Xor:
      return on_bits<Xor>(type);
    case ptx::AtomicOperation::Exch:
      return on_bits<Exchange>(type);
    case ptx::AtomicOperation::Cas:
      return on_bits<CompareAndSwap>(type);
    case ptx::AtomicOperation::Inc:
      return type == ptx::Type::u32 ? kAtomic<Increment, uint32_t> : nullptr;
    case ptx::AtomicOperation::Dec:
      return type == ptx::Type::u32 ? kAtomic<Decrement, uint32_t> : nullptr;
    case ptx::AtomicOperation::None:
      return nullptr;
  }
  return nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
