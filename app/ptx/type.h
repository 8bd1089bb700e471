// The types of PTX, their sizes, and sets of them for the table of instructions.
// Source: PTX ISA, "Types". Tests: tests/unit/ptx/type_test.cpp

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::ptx {

/// Enumerators are spelled as in PTX, without the dot.
enum class Type : uint8_t {
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64,
  bf16,
  tf32,
  f16x2,
  bf16x2,
  u16x2,
  s16x2,
  f32x2,
  e4m3,  // 8 bits: 4 of exponent, 3 of significand
  e5m2,
  e4m3x2,
  e5m2x2,
  s4,  // matrices of small integers
  u4,
  b1,
};

enum class TypeClass : uint8_t { Predicate, Bits, Unsigned, Signed, Float };

/// "f32" for Type::f32.
std::string_view name_of(Type type);
/// The type spelled `name` (no dot); absent if PTX, or this program, has none of that name.
std::optional<Type> type_named(std::string_view name);

constexpr TypeClass class_of(Type type) {
  switch (type) {
    case Type::pred:
      return TypeClass::Predicate;
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
    case Type::b1:
      return TypeClass::Bits;
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::u16x2:
    case Type::u4:
      return TypeClass::Unsigned;
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
    case Type::s16x2:
    case Type::s4:
      return TypeClass::Signed;
    default:
      return TypeClass::Float;
  }
}

constexpr bool is_integer(Type type) {
  return class_of(type) == TypeClass::Unsigned || class_of(type) == TypeClass::Signed;
}
constexpr bool is_float(Type type) { return class_of(type) == TypeClass::Float; }
/// Of 16 bits, one or two in a register.
constexpr bool is_half(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2;
}

/// Two values of 8 bits in a register of 16.
constexpr bool is_packed_quarter(Type type) { return type == Type::e4m3x2 || type == Type::e5m2x2; }

/// Size of one value in memory; 0 for a predicate, which has no memory form. A value of less than a byte
/// counts as one.
constexpr int size_bytes(Type type) {
  switch (type) {
    case Type::pred:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2:
    case Type::s4:
    case Type::u4:
    case Type::b1:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2:
      return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::f32x2:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 4;
  }
}

/// Bits of a size in bytes, as parts of a register and what functions pass; absent where there is no such
/// type.
constexpr std::optional<Type> bits_of(int bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    case 8:
      return Type::b64;
    default:
      return std::nullopt;
  }
}

/// The integer of twice the width that .wide gives; the type itself where there is none.
constexpr Type widened(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

/// A set of types, for the table of instructions: `kB32 | kB64`.
struct TypeSet {
  uint64_t bits = 0;
  constexpr bool contains(Type type) const { return bits >> static_cast<uint64_t>(type) & 1; }
  constexpr bool empty() const { return bits == 0; }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
  bool operator==(const TypeSet&) const = default;
};

template <class... Types>
constexpr TypeSet types(Types... list) {
  return {(uint64_t{0} | ... | (uint64_t{1} << static_cast<uint64_t>(list)))};
}

}  // namespace lanescope::ptx
