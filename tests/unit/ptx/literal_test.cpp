#include "ptx/literal.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

constexpr auto kInteger = ImmediateKind::Integer;
constexpr auto kFloat32 = ImmediateKind::Float32;
constexpr auto kFloat64 = ImmediateKind::Float64;

TEST(Literal, integers_of_every_base) {
  EXPECT_EQ(parse_literal("0"), (Immediate{kInteger, 0}));
  EXPECT_EQ(parse_literal("123"), (Immediate{kInteger, 123}));
  EXPECT_EQ(parse_literal("0x1F"), (Immediate{kInteger, 31}));
  EXPECT_EQ(parse_literal("0XfU"), (Immediate{kInteger, 15, true}));
  EXPECT_EQ(parse_literal("0b101"), (Immediate{kInteger, 5}));
  EXPECT_EQ(parse_literal("017"), (Immediate{kInteger, 15}));
  EXPECT_EQ(parse_literal("18446744073709551615"), (Immediate{kInteger, UINT64_MAX, true}))
      << "too large to be signed";
  EXPECT_EQ(parse_literal("9223372036854775807"), (Immediate{kInteger, INT64_MAX, false}));
}

TEST(Literal, an_integer_beyond_64_bits_is_none) {
  EXPECT_EQ(parse_literal("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_literal("0x10000000000000000"), std::nullopt);
}

TEST(Literal, floating_point_patterns_keep_their_bits) {
  EXPECT_EQ(parse_literal("0f3F800000"), (Immediate{kFloat32, 0x3f800000}));
  EXPECT_EQ(parse_literal("0d3FF0000000000000"), (Immediate{kFloat64, 0x3ff0000000000000}));
  EXPECT_EQ(parse_literal("0f7FC00001"), (Immediate{kFloat32, 0x7fc00001}));
}

TEST(Literal, decimal_fractions_are_doubles) {
  EXPECT_EQ(parse_literal("1.5"), (Immediate{kFloat64, 0x3ff8000000000000}));
  EXPECT_EQ(parse_literal("25e-1"), (Immediate{kFloat64, 0x4004000000000000}));
}

TEST(Literal, what_is_no_number_is_none) {
  for (const char* text :
       {"", "0x", "0b", "0b2", "08", "1a", "0f3F80000", "0f3F8000000", "0d3F", "1.5.2", "1e", "U"}) {
    EXPECT_EQ(parse_literal(text), std::nullopt) << text;
  }
}

TEST(Literal, a_constant_takes_the_form_of_its_operand) {
  EXPECT_EQ(bits_as({kInteger, static_cast<uint64_t>(-5)}, Type::s32), 0xfffffffbu);
  EXPECT_EQ(bits_as({kInteger, static_cast<uint64_t>(-5)}, Type::s64), 0xfffffffffffffffbu);
  EXPECT_EQ(bits_as({kInteger, 0x12345}, Type::u16), 0x2345u);
  EXPECT_EQ(bits_as({kInteger, 2}, Type::pred), 1u);
  EXPECT_EQ(bits_as({kInteger, uint64_t{1} << 63, true}, Type::f64), 0x43e0000000000000u) << "2^63";
  EXPECT_EQ(bits_as({kInteger, uint64_t{1} << 63}, Type::f64), 0xc3e0000000000000u) << "-2^63";
  EXPECT_EQ(bits_as({kFloat64, 0x3ff8000000000000}, Type::f32), 0x3fc00000u);
  EXPECT_EQ(bits_as({kFloat32, 0x3fc00000}, Type::f64), 0x3ff8000000000000u);
  EXPECT_EQ(bits_as({kFloat32, 0x7fc00001}, Type::f32), 0x7fc00001u) << "a NaN keeps its payload";
  EXPECT_EQ(bits_as({kFloat32, 0x3f800000}, Type::b32), 0x3f800000u);
}

}  // namespace
}  // namespace lanescope::ptx
