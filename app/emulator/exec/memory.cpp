// Loads and stores of all state spaces. Source: PTX ISA, "Data Movement: ld, st"; a destination wider than
// the type is filled with zeros or the sign. Tests: tests/unit/emulator/memory_test.cpp

#include "emulator/exec/access_handler.h"
#include "emulator/exec/executor.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

template <class T>
[[gnu::always_inline]] inline T load(uintptr_t from) {
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(from), sizeof value);
  return value;
}
template <class T>
[[gnu::always_inline]] inline void store(uintptr_t to, T value) {
  __builtin_memcpy(reinterpret_cast<void*>(to), &value, sizeof value);
}

/// Value of a register of cell type C after loading a T.
template <class T, class C>
[[gnu::always_inline]] constexpr C extended(T value) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<C>(static_cast<std::make_signed_t<C>>(value));
  } else {
    return static_cast<C>(value);
  }
}

/// Calls f(n, address) for `count` addresses in equal steps, in rising order: eight at a time, whose
/// distances are computed once.
template <int count, class F>
[[gnu::always_inline]] inline void for_each_step(uintptr_t at, uint64_t stride, F&& f) {
  const auto one = static_cast<uintptr_t>(stride);
  const uintptr_t three = one * 3;
  const uintptr_t five = one * 5;
  const uintptr_t seven = one * 7;
#pragma GCC unroll 1
  for (int n = 0; n < count; n += 8, at += one * 8) {
    f(n, at);
    f(n + 1, at + one);
    f(n + 2, at + one * 2);
    f(n + 3, at + three);
    f(n + 4, at + one * 4);
    f(n + 5, at + five);
    f(n + 6, at + three * 2);
    f(n + 7, at + seven);
  }
}

/// Loads values of type T into 32 register cells of type C, from addresses in equal steps.
template <class T, class C>
[[gnu::always_inline]] inline void load_affine(uintptr_t from, uint64_t stride, C* to) {
  if (stride == sizeof(T)) {
#pragma GCC ivdep
    for (uintptr_t l = 0; l < kLanes; ++l) to[l] = extended<T, C>(load<T>(from + l * sizeof(T)));
  } else if (stride == 0) {
    const C value = extended<T, C>(load<T>(from));
    for (int l = 0; l < kLanes; ++l) to[l] = value;
  } else {
    for_each_step<kLanes>(from, stride, [&](int l, uintptr_t at) { to[l] = extended<T, C>(load<T>(at)); });
  }
}

/// Loads values of type T into 32 register cells of type C, in rows of `lanes` lanes. `stride`: bytes from
/// lane to lane; `row`: from row to row.
template <class T, class C, uint32_t lanes>
[[gnu::always_inline]] inline void load_rows(uintptr_t from, uint64_t stride, uint64_t row, C* to) {
#pragma GCC unroll 1
  for (uint32_t l = 0; l < kLanes; l += lanes, from += row, to += lanes) {
    if (stride == sizeof(T)) {
#pragma GCC ivdep
      for (uint32_t x = 0; x < lanes; ++x) to[x] = extended<T, C>(load<T>(from + x * sizeof(T)));
    } else if (stride == 0) {
      const C value = extended<T, C>(load<T>(from));
#pragma GCC ivdep
      for (uint32_t x = 0; x < lanes; ++x) to[x] = value;
    } else {
      for_each_step<lanes>(from, stride, [&](int x, uintptr_t at) { to[x] = extended<T, C>(load<T>(at)); });
    }
  }
}
template <class T, class C>
[[gnu::noinline]] void load_rows(uintptr_t from, uint64_t stride, uint64_t row, uint32_t lanes, C* to) {
  if (lanes == 16) return load_rows<T, C, 16>(from, stride, row, to);
  if (lanes == 8) return load_rows<T, C, 8>(from, stride, row, to);
  for (uint32_t l = 0; l < kLanes; l += lanes, from += row)
    for (uint32_t x = 0; x < lanes; ++x)
      to[l + x] = extended<T, C>(load<T>(from + x * static_cast<uintptr_t>(stride)));
}

/// Calls f(n, address of lane 0, cells of the operand) for the warps in the range; `at`: of warp 0.
template <class C, class F>
[[gnu::always_inline]] inline void for_each_of_group(const Warps& warps, const Operand& operand, uintptr_t at,
                                                     const Spread& spread, WarpRange range, F&& f) {
  auto* here = cells<C>(warps, operand, range.first);
  const size_t pitch = operand.stride / sizeof(C);
  for (uint32_t n = range.first; n < range.end; ++n, here += pitch)
    f(n, at + static_cast<uintptr_t>(spread.base[n]), here);
}

template <class T, class C>
[[gnu::always_inline]] inline void load_group(const Warps& warps, const Operand& to, uintptr_t from,
                                              const Spread& spread, WarpRange range) {
  const auto for_each = [&](auto&& f) __attribute__((always_inline)) {
    for_each_of_group<C>(warps, to, from, spread, range, f);
  };
  const auto stride = static_cast<uint64_t>(spread.step[0]);
  if (!spread.is_affine || !spread.has_same_steps) {
    for_each([&](uint32_t n, uintptr_t at, C* cells) {
      load_rows<T, C>(at, static_cast<uint64_t>(spread.step[n]), static_cast<uint64_t>(spread.row[n]),
                      warps.block.code.forms.row_lanes, cells);
    });
  } else if (stride == sizeof(T)) {
    for_each([](uint32_t, uintptr_t at, C* cells) { load_affine<T>(at, sizeof(T), cells); });
  } else if (stride == 0) {
    for_each([](uint32_t, uintptr_t at, C* cells) { load_affine<T>(at, 0, cells); });
  } else {
    for_each([&](uint32_t, uintptr_t at, C* cells) { load_affine<T>(at, stride, cells); });
  }
}

template <class T, class C>
[[gnu::always_inline]] inline void store_affine(uintptr_t to, uint64_t stride, const C* from) {
  if (stride == sizeof(T)) {
#pragma GCC ivdep
    for (uintptr_t l = 0; l < kLanes; ++l) store(to + l * sizeof(T), static_cast<T>(from[l]));
  } else {
    // In rising order: where lanes write to one place, the last stays.
    for_each_step<kLanes>(to, stride, [&](int l, uintptr_t at) { store(at, static_cast<T>(from[l])); });
  }
}

template <class T, class C>
[[gnu::noinline]] void store_rows(uintptr_t to, uint64_t stride, uint64_t row, uint32_t lanes,
                                  const C* from) {
  for (uint32_t l = 0; l < kLanes; l += lanes, to += row, from += lanes) {
    if (stride == sizeof(T) && lanes == 16) {
#pragma GCC ivdep
      for (uintptr_t x = 0; x < 16; ++x) store(to + x * sizeof(T), static_cast<T>(from[x]));
    } else {
      for (uint32_t x = 0; x < lanes; ++x)
        store(to + x * static_cast<uintptr_t>(stride), static_cast<T>(from[x]));
    }
  }
}

template <class T, class C>
[[gnu::always_inline]] inline void store_group(const Warps& warps, const Operand& from, uintptr_t to,
                                               const Spread& spread, WarpRange range) {
  const auto for_each = [&](auto&& f) __attribute__((always_inline)) {
    for_each_of_group<const C>(warps, from, to, spread, range, f);
  };
  const auto stride = static_cast<uint64_t>(spread.step[0]);
  if (!spread.is_affine || !spread.has_same_steps) {
    for_each([&](uint32_t n, uintptr_t at, const C* cells) {
      store_rows<T, C>(at, static_cast<uint64_t>(spread.step[n]), static_cast<uint64_t>(spread.row[n]),
                       warps.block.code.forms.row_lanes, cells);
    });
  } else if (stride == sizeof(T)) {
    for_each([](uint32_t, uintptr_t at, const C* cells) { store_affine<T>(at, sizeof(T), cells); });
  } else {
    for_each([&](uint32_t, uintptr_t at, const C* cells) { store_affine<T>(at, stride, cells); });
  }
}

/// The registers that an access fills or empties: the elements of a vector, or the one.
inline const Operand& loaded(const Step& step, uint32_t element) {
  return step.list_size != 0 ? step.list[element] : step.destination[0];
}
inline const Operand& stored(const Step& step, uint32_t element) {
  return step.list_size != 0 ? step.list[element] : step.source[1];
}
template <class C>
[[gnu::always_inline]] inline C* loaded(const Warps& warps, const Step& step, uint32_t element, uint32_t n) {
  return cells<C>(warps, loaded(step, element), n);
}
template <class C>
[[gnu::always_inline]] inline const C* stored(const Warps& warps, const Step& step, uint32_t element,
                                              uint32_t n) {
  return cells<const C>(warps, stored(step, element), n);
}

/// True if the lanes are neighbors whose values lie side by side in memory as in the register.
template <class T, class C>
[[gnu::always_inline]] inline bool are_one_piece(uint64_t stride, uint32_t mask) {
  return sizeof(T) == sizeof(C) && stride == sizeof(T) && is_one_run({mask});
}
template <class T>
[[gnu::always_inline]] inline size_t bytes_of_piece(uint32_t mask) {
  return sizeof(T) * static_cast<size_t>(LaneMask{mask}.count());
}

/// True for accesses with the fast path for whole warps: all but bytes and halves in 64-bit registers, and
/// signed vectors of bytes and halves, which are rare.
template <class T, class C, uint32_t Elements>
inline constexpr bool kIsCommon =
    sizeof(T) >= 4 || (sizeof(C) == 4 && (Elements == 1 || !std::is_signed_v<T>));

/// `Elements` is 1, or 0 for a vector whose width is in the step.
template <class T, class C, uint32_t Elements>
struct Load {
  static constexpr bool kWholeWarps = kIsCommon<T, C, Elements>;
  static constexpr bool kLoads = true;
  static uint32_t elements(const Step& step) { return Elements != 0 ? Elements : step.list_size; }
  static uint32_t bytes(const Step& step) { return static_cast<uint32_t>(sizeof(T)) * elements(step); }

  static void collect(const Warps&, const Step& step, const Addresses& addresses, const Target& target,
                      uint32_t, std::byte* values) {
    for_each_pointer(addresses, target, [&](int, uintptr_t from) {
      std::memcpy(values, reinterpret_cast<const void*>(from), bytes(step));
      values += bytes(step);
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element) {
      C* to = loaded<C>(warps, step, element, n);
      const uint32_t skip = element * static_cast<uint32_t>(sizeof(T));
      for_each_pointer(addresses, target,
                       [&](int l, uintptr_t from) { to[l] = extended<T, C>(load<T>(from + skip)); });
    }
  }
  static void move_lanes(const Warps& warps, const Step& step, uintptr_t from, uint64_t stride, uint32_t mask,
                         uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element) {
      C* to = loaded<C>(warps, step, element, n);
      const uintptr_t first = from + element * sizeof(T);
      if (are_one_piece<T, C>(stride, mask)) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
        std::memcpy(to + lane, reinterpret_cast<const void*>(first + static_cast<uintptr_t>(stride) * lane),
                    bytes_of_piece<T>(mask));
        continue;
      }
      for_each_lane({mask}, [&](int l) {
        to[l] = extended<T, C>(load<T>(first + static_cast<uintptr_t>(stride) * static_cast<uintptr_t>(l)));
      });
    }
  }
  [[gnu::always_inline]] static void move_affine(const Warps& warps, const Step& step, uintptr_t from,
                                                 uint64_t stride, uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element)
      load_affine<T>(from + element * sizeof(T), stride, loaded<C>(warps, step, element, n));
  }
  [[gnu::always_inline]] static void move_group(const Warps& warps, const Step& step, uintptr_t from,
                                                const Spread& spread, WarpRange range) {
    for (uint32_t element = 0; element < elements(step); ++element)
      load_group<T, C>(warps, loaded(step, element), from + element * sizeof(T), spread, range);
  }
  [[gnu::always_inline]] static void load_constant(const Warps& warps, const Step& step, uintptr_t from) {
    for (uint32_t element = 0; element < elements(step); ++element)
      form_of(warps.registers, loaded(step, element)) = {
          kConstantSpread.state, extended<T, C>(load<T>(from + element * sizeof(T))), &kConstantSpread};
  }
};

template <class T, class C, uint32_t Elements>
struct Store {
  static constexpr bool kWholeWarps = kIsCommon<T, C, Elements>;
  static constexpr bool kLoads = false;
  static uint32_t elements(const Step& step) { return Elements != 0 ? Elements : step.list_size; }
  static uint32_t bytes(const Step& step) { return static_cast<uint32_t>(sizeof(T)) * elements(step); }

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    for_each_lane({addresses.mask}, [&](int l) {
      for (uint32_t element = 0; element < elements(step); ++element) {
        const T value = static_cast<T>(stored<C>(warps, step, element, n)[l]);
        std::memcpy(values, &value, sizeof value);
        values += sizeof value;
      }
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element) {
      const C* from = stored<C>(warps, step, element, n);
      const uint32_t skip = element * static_cast<uint32_t>(sizeof(T));
      for_each_pointer(addresses, target,
                       [&](int l, uintptr_t to) { store(to + skip, static_cast<T>(from[l])); });
    }
  }
  static void move_lanes(const Warps& warps, const Step& step, uintptr_t to, uint64_t stride, uint32_t mask,
                         uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element) {
      const C* from = stored<C>(warps, step, element, n);
      const uintptr_t first = to + element * sizeof(T);
      if (are_one_piece<T, C>(stride, mask)) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
        std::memcpy(reinterpret_cast<void*>(first + static_cast<uintptr_t>(stride) * lane), from + lane,
                    bytes_of_piece<T>(mask));
        continue;
      }
      for_each_lane({mask}, [&](int l) {
        store(first + static_cast<uintptr_t>(stride) * static_cast<uintptr_t>(l), static_cast<T>(from[l]));
      });
    }
  }
  [[gnu::always_inline]] static void move_affine(const Warps& warps, const Step& step, uintptr_t to,
                                                 uint64_t stride, uint32_t n) {
    for (uint32_t element = 0; element < elements(step); ++element)
      store_affine<T>(to + element * sizeof(T), stride, stored<C>(warps, step, element, n));
  }
  [[gnu::always_inline]] static void move_group(const Warps& warps, const Step& step, uintptr_t to,
                                                const Spread& spread, WarpRange range) {
    for (uint32_t element = 0; element < elements(step); ++element)
      store_group<T, C>(warps, stored(step, element), to + element * sizeof(T), spread, range);
  }
};

template <class T, class C>
Handler load_or_store(const ptx::Step& step) {
  using Bits = std::make_unsigned_t<T>;
  const bool is_vector = step.list_size != 0;
  if (step.op == ptx::Op::st)
    return is_vector ? access_memory<Store<Bits, C, 0>> : access_memory<Store<Bits, C, 1>>;
  return is_vector ? access_memory<Load<T, C, 0>> : access_memory<Load<T, C, 1>>;
}

template <class T>
Handler load_or_store(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Slot data = step.list_size != 0      ? static_cast<ptx::Slot>(program.lists[step.list])
                         : step.op == ptx::Op::st ? step.source[1]
                                                  : step.destination[0];
  const bool wide =
      data == ptx::kNoSlot ? sizeof(T) == 8 : program.slots[data].width == ptx::SlotWidth::Double;
  if (wide) return load_or_store<T, uint64_t>(step);
  if constexpr (sizeof(T) == 8) return nullptr;
  return load_or_store<std::conditional_t<sizeof(T) == 4, uint32_t, T>, uint32_t>(step);
}

void do_nothing(Warps&, const Step&) {}

/// A block runs on one core and sees its own writes: only an observer needs the fence.
template <AccessObserver::Reach reach>
void fence(Warps& warps, const Step& step) {
  if (warps.block.observer == nullptr) return;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask != 0) warps.block.observer->on_fence(warps.first + n, reach);
  });
}

}  // namespace

Handler memory_handler(const ptx::Program& program, const ptx::Step& step) {
  switch (step.op) {
    case ptx::Op::ld:
    case ptx::Op::ldu:
    case ptx::Op::st:
      switch (step.type) {
        case ptx::Type::s8:
          return load_or_store<int8_t>(program, step);
        case ptx::Type::s16:
          return load_or_store<int16_t>(program, step);
        case ptx::Type::s32:
          return load_or_store<int32_t>(program, step);
        default:
          switch (ptx::size_bytes(step.type)) {
            case 1:
              return load_or_store<uint8_t>(program, step);
            case 2:
              return load_or_store<uint16_t>(program, step);
            case 4:
              return load_or_store<uint32_t>(program, step);
            case 8:
              return load_or_store<uint64_t>(program, step);
            default:
              return nullptr;
          }
      }
    // A block runs on one core and sees its own writes; hints and fences between blocks change nothing.
    case ptx::Op::prefetch:
    case ptx::Op::prefetchu:
    case ptx::Op::applypriority:
    case ptx::Op::discard:
    case ptx::Op::fence_proxy:
    case ptx::Op::membar_proxy:
    case ptx::Op::barrier_cluster_arrive:
    case ptx::Op::griddepcontrol_launch:
    case ptx::Op::griddepcontrol_wait:
    case ptx::Op::setmaxnreg_inc:
    case ptx::Op::setmaxnreg_dec:
    case ptx::Op::pmevent:
    case ptx::Op::pmevent_mask:
      return {do_nothing, true};
    case ptx::Op::membar:
    case ptx::Op::fence:
    case ptx::Op::fence_mbarrier_init:
      if (program.modifiers[step.modifiers].scope == ptx::Scope::Cta)
        return {fence<AccessObserver::Reach::Block>, true};
      return {fence<AccessObserver::Reach::Everywhere>, true};
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
