// The 16-bit floating-point formats, against values computed by hand and against every bit pattern.

#include "launch/element.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Element, sizes_are_those_of_the_names) {
  EXPECT_EQ(size_bytes(ElementType::U8), 1u);
  EXPECT_EQ(size_bytes(ElementType::F16), 2u);
  EXPECT_EQ(size_bytes(ElementType::BF16), 2u);
  EXPECT_EQ(size_bytes(ElementType::I32), 4u);
  EXPECT_EQ(size_bytes(ElementType::F64), 8u);
  EXPECT_EQ(size_bytes(ElementType::Bytes16), 16u);
}

TEST(Element, float16_of_known_values) {
  EXPECT_EQ(to_float16(0.0).bits, 0x0000);
  EXPECT_EQ(to_float16(-0.0).bits, 0x8000);
  EXPECT_EQ(to_float16(1.0).bits, 0x3c00);
  EXPECT_EQ(to_float16(-2.0).bits, 0xc000);
  EXPECT_EQ(to_float16(65504.0).bits, 0x7bff);  // the largest finite value
  EXPECT_EQ(to_float16(std::ldexp(1.0, -14)).bits, 0x0400);
  EXPECT_EQ(to_float16(std::ldexp(1.0, -24)).bits, 0x0001);  // the smallest subnormal
}

TEST(Element, float16_rounds_ties_to_even) {
  EXPECT_EQ(to_float16(2049.0).bits, to_float16(2048.0).bits);  // the spacing is 2 here
  EXPECT_EQ(to_float16(2051.0).bits, to_float16(2052.0).bits);
  EXPECT_EQ(to_float16(std::ldexp(1.0, -25)).bits, 0x0000);
  EXPECT_EQ(to_float16(std::ldexp(3.0, -25)).bits, 0x0002);
  EXPECT_EQ(to_float16(std::ldexp(1.0001, -25)).bits, 0x0001);
}

TEST(Element, float16_overflows_to_infinity_from_65520) {
  EXPECT_EQ(to_float16(65519.99).bits, 0x7bff);
  EXPECT_EQ(to_float16(65520.0).bits, 0x7c00);
  EXPECT_EQ(to_float16(-kInfinity).bits, 0xfc00);
}

TEST(Element, float16_rounding_carries_from_subnormal_to_normal) {
  EXPECT_EQ(to_float16(std::ldexp(1023.75, -24)).bits, 0x0400);
}

TEST(Element, a_nan_stays_a_nan) {
  EXPECT_TRUE(std::isnan(to_double(to_float16(std::nan("")))));
  EXPECT_TRUE(std::isnan(to_double(to_bfloat16(std::nan("")))));
}

TEST(Element, every_float16_survives_a_round_trip_through_double) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Float16 value{static_cast<uint16_t>(bits)};
    if (std::isnan(to_double(value))) continue;
    ASSERT_EQ(to_float16(to_double(value)).bits, bits);
  }
}

TEST(Element, every_bfloat16_survives_a_round_trip_through_double) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const BFloat16 value{static_cast<uint16_t>(bits)};
    if (std::isnan(to_double(value))) continue;
    ASSERT_EQ(to_bfloat16(to_double(value)).bits, bits);
  }
}

TEST(Element, halfway_between_neighbors_rounds_to_even) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<uint16_t>(bits + 1);
    const double middle = (to_double(Float16{bits}) + to_double(Float16{next})) / 2;
    ASSERT_EQ(to_float16(middle).bits, bits % 2 == 0 ? bits : next) << bits;
  }
}

TEST(Element, bfloat16_is_the_upper_half_of_a_float) {
  EXPECT_EQ(to_bfloat16(1.0).bits, 0x3f80);
  EXPECT_EQ(to_bfloat16(257.0).bits, to_bfloat16(256.0).bits);  // a tie, the spacing is 2
  EXPECT_EQ(to_bfloat16(259.0).bits, to_bfloat16(260.0).bits);
  EXPECT_EQ(to_bfloat16(1e39).bits, 0x7f80);
}

}  // namespace
}  // namespace lanescope::launch
