// Constant expressions, seen through the offset of an address and the immediate of an instruction.

#include "support/ptx_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

/// The value of an expression, as mov's immediate.
int64_t value_of(std::string_view expression) {
  const auto instruction = first_instruction(fmt::format("mov.u64 %rd1, {};", expression));
  return static_cast<int64_t>(std::get<Immediate>(instruction.operands[1]).bits);
}

TEST(Constant, operators_bind_as_in_c) {
  EXPECT_EQ(value_of("2+3*4"), 14);
  EXPECT_EQ(value_of("(2+3)*4"), 20);
  EXPECT_EQ(value_of("20-5-3"), 12);
  EXPECT_EQ(value_of("1<<4+1"), 32);
  EXPECT_EQ(value_of("6&3^1"), 3);
  EXPECT_EQ(value_of("17%5*2"), 4);
  EXPECT_EQ(value_of("-7/2"), -3);
  EXPECT_EQ(value_of("- -7"), 7);
  EXPECT_EQ(value_of("~0"), -1);
  EXPECT_EQ(value_of("-16>>2"), -4);
  EXPECT_EQ(value_of("1<<64"), 0);
  EXPECT_EQ(value_of("WARP_SZ*2"), 64);
}

/// Each was also given to ptxas 13.0, which computes the same.
TEST(Constant, a_large_literal_a_U_and_a_complement_make_an_expression_unsigned) {
  EXPECT_EQ(value_of("0xFFFFFFFFFFFFFFFF/2"), 0x7fffffffffffffff);
  EXPECT_EQ(value_of("18446744073709551615U/3"), 0x5555555555555555);
  EXPECT_EQ(value_of("(0-8U)>>1"), 0x7ffffffffffffffc);
  EXPECT_EQ(value_of("0x8000000000000000>>4"), 0x0800000000000000);
  EXPECT_EQ(value_of("(~0)>>4"), 0x0fffffffffffffff);
  EXPECT_EQ(value_of("-7/2U"), 0x7ffffffffffffffc);
  EXPECT_EQ(value_of("-8>>1U"), -4) << "a shift has the type of what is shifted";
  EXPECT_EQ(value_of("-1>>70"), -1);
  EXPECT_EQ(value_of("(-6&-4)/2"), -4);
}

TEST(Constant, a_remainder_is_of_unsigned_numbers) {
  EXPECT_EQ(value_of("0xFFFFFFFFFFFFFFFE % 5"), 4);
  EXPECT_EQ(value_of("-7 % 3"), 0) << "2^64 - 7 is a multiple of 3";
}

TEST(Constant, a_minus_turns_the_sign_of_a_floating_point_pattern) {
  const auto instruction = first_instruction("mov.f32 %f1, -0f3F800000;");
  EXPECT_EQ(std::get<Immediate>(instruction.operands[1]), (Immediate{ImmediateKind::Float32, 0xbf800000}));
}

TEST(Constant, a_division_without_result_is_an_error) {
  EXPECT_NE(complaint("mov.u64 %rd1, 1/0;"), "");
  EXPECT_NE(complaint("mov.u64 %rd1, 1%0;"), "");
  EXPECT_NE(complaint("mov.u64 %rd1, (-0x7fffffffffffffff-1)/-1;"), "");
  EXPECT_EQ(value_of("0x8000000000000000/-1"), 0) << "unsigned, and less than what divides it";
}

TEST(Constant, depth_is_bounded) {
  const std::string deep(100000, '(');
  EXPECT_EQ(kind_of_complaint("mov.u64 %rd1, " + deep), ErrorKind::Limit);
  EXPECT_EQ(kind_of_complaint("mov.u64 %rd1, " + std::string(100000, '-') + "1;"), ErrorKind::Limit);
}

}  // namespace
}  // namespace lanescope::ptx
