// Loads and stores of all state spaces. Source: PTX ISA, "Data Movement: ld, st"; a destination wider than
// the type is filled with zeros or the sign. Tests: tests/unit/emulator/memory_test.cpp

#include "emulator/access.h"
#include "emulator/exec.h"

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

/// What a register of cell type C holds after loading a T.
template <class T, class C>
[[gnu::always_inline]] constexpr C extended(T value) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<C>(static_cast<std::make_signed_t<C>>(value));
  } else {
    return static_cast<C>(value);
  }
}

/// Loads one element per lane from `skip` bytes behind its address.
template <class T, class C>
[[gnu::always_inline]] inline void load_lanes(const Addresses& addresses, const Target& target, uint32_t skip,
                                              C* to) {
  if (addresses.mask != kAllLanes.bits) {
    for_each_pointer(addresses, target,
                     [&](int l, uintptr_t from) { to[l] = extended<T, C>(load<T>(from + skip)); });
    return;
  }
  if (!addresses.affine) {
    for (int l = 0; l < kLanes; ++l)
      to[l] = extended<T, C>(
          load<T>(target.data + addresses.lane[l] + target.lane_pitch * static_cast<uint64_t>(l) + skip));
    return;
  }
  const uintptr_t from = target.data + addresses.base + skip;
  const uint64_t stride = static_cast<uint64_t>(addresses.stride) + target.lane_pitch;
  if (stride == sizeof(T)) {
    for (uintptr_t l = 0; l < kLanes; ++l) to[l] = extended<T, C>(load<T>(from + l * sizeof(T)));
  } else if (stride == 0) {
    const C value = extended<T, C>(load<T>(from));
    for (int l = 0; l < kLanes; ++l) to[l] = value;
  } else {
    for (uintptr_t l = 0; l < kLanes; ++l) to[l] = extended<T, C>(load<T>(from + l * stride));
  }
}

template <class T, class C>
[[gnu::always_inline]] inline void store_lanes(const Addresses& addresses, const Target& target,
                                               uint32_t skip, const C* from) {
  if (addresses.mask == kAllLanes.bits && addresses.affine) {
    const uintptr_t to = target.data + addresses.base + skip;
    const uint64_t stride = static_cast<uint64_t>(addresses.stride) + target.lane_pitch;
    if (stride == sizeof(T)) {
      for (uintptr_t l = 0; l < kLanes; ++l) store(to + l * sizeof(T), static_cast<T>(from[l]));
    } else {
      for (uintptr_t l = 0; l < kLanes; ++l) store(to + l * stride, static_cast<T>(from[l]));
    }
    return;
  }
  for_each_pointer(addresses, target,
                   [&](int l, uintptr_t to) { store(to + skip, static_cast<T>(from[l])); });
}

template <class T, class C>
void load_element(Warps& warps, const Step& step) {
  access_memory(
      warps, step, trace::Kind::Load, sizeof(T),
      [](const Addresses& addresses, const Target& target, uint32_t, std::byte* values) {
        for_each_pointer(addresses, target, [&](int, uintptr_t from) {
          std::memcpy(values, reinterpret_cast<const void*>(from), sizeof(T));
          values += sizeof(T);
        });
      },
      [&](const Addresses& addresses, const Target& target, uint32_t n) {
        load_lanes<T>(addresses, target, 0, cells<C>(warps, step.destination[0], n));
      });
}

template <class T, class C>
void store_element(Warps& warps, const Step& step) {
  access_memory(
      warps, step, trace::Kind::Store, sizeof(T),
      [&](const Addresses& addresses, const Target&, uint32_t n, std::byte* values) {
        const C* from = cells<const C>(warps, step.source[1], n);
        for_each_lane({addresses.mask}, [&](int l) {
          const T value = static_cast<T>(from[l]);
          std::memcpy(values, &value, sizeof value);
          values += sizeof value;
        });
      },
      [&](const Addresses& addresses, const Target& target, uint32_t n) {
        store_lanes<T>(addresses, target, 0, cells<const C>(warps, step.source[1], n));
      });
}

template <class T, class C>
void load_vector(Warps& warps, const Step& step) {
  const uint32_t bytes = static_cast<uint32_t>(sizeof(T)) * step.list_size;
  access_memory(
      warps, step, trace::Kind::Load, bytes,
      [&](const Addresses& addresses, const Target& target, uint32_t, std::byte* values) {
        for_each_pointer(addresses, target, [&](int, uintptr_t from) {
          std::memcpy(values, reinterpret_cast<const void*>(from), bytes);
          values += bytes;
        });
      },
      [&](const Addresses& addresses, const Target& target, uint32_t n) {
        for (uint32_t element = 0; element < step.list_size; ++element)
          load_lanes<T>(addresses, target, element * static_cast<uint32_t>(sizeof(T)),
                        cells<C>(warps, step.list[element], n));
      });
}

template <class T, class C>
void store_vector(Warps& warps, const Step& step) {
  access_memory(
      warps, step, trace::Kind::Store, static_cast<uint32_t>(sizeof(T)) * step.list_size,
      [&](const Addresses& addresses, const Target&, uint32_t n, std::byte* values) {
        for_each_lane({addresses.mask}, [&](int l) {
          for (uint32_t element = 0; element < step.list_size; ++element) {
            const T value = static_cast<T>(cells<const C>(warps, step.list[element], n)[l]);
            std::memcpy(values, &value, sizeof value);
            values += sizeof value;
          }
        });
      },
      [&](const Addresses& addresses, const Target& target, uint32_t n) {
        for (uint32_t element = 0; element < step.list_size; ++element)
          store_lanes<T>(addresses, target, element * static_cast<uint32_t>(sizeof(T)),
                         cells<const C>(warps, step.list[element], n));
      });
}

template <class T, class C>
Handler load_or_store(const ptx::Step& step) {
  const bool is_vector = step.list_size != 0;
  if (step.op == ptx::Op::st)
    return is_vector ? store_vector<std::make_unsigned_t<T>, C> : store_element<std::make_unsigned_t<T>, C>;
  return is_vector ? load_vector<T, C> : load_element<T, C>;
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
  return load_or_store<T, uint32_t>(step);
}

void do_nothing(Warps&, const Step&) {}

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
    case ptx::Op::prefetch:
    case ptx::Op::membar:
    case ptx::Op::fence:
      return do_nothing;  // a block runs on one core, whose own writes it sees
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
