// Roundings other than to nearest, with values worked out by hand.

#include "emulator/exec/rounding.h"

#include "kernel_run.h"

#include <bit>
#include <limits>

namespace lanescope::emulator {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

TEST(Rounding, a_sum_rounds_in_the_given_direction) {
  // 1 + 2^-25 is between 1 and 1 + 2^-23.
  EXPECT_EQ(evaluate<float>("add.rz.f32 %d, %a, %b;", 1.0f, 0x1p-25f), 1.0f);
  EXPECT_EQ(evaluate<float>("add.rp.f32 %d, %a, %b;", 1.0f, 0x1p-25f), 1 + 0x1p-23f);
  EXPECT_EQ(evaluate<float>("add.rm.f32 %d, %a, %b;", -1.0f, -0x1p-25f), -1 - 0x1p-23f);
  EXPECT_EQ(evaluate<float>("add.rz.f32 %d, %a, %b;", -1.0f, -0x1p-25f), -1.0f);
  // Too small to change an f64 on the way.
  EXPECT_EQ(evaluate<float>("add.rp.f32 %d, %a, %b;", 1.0f, 0x1p-140f), 1 + 0x1p-23f);
  EXPECT_EQ(evaluate<double>("add.rp.f64 %d, %a, %b;", 1.0, 0x1p-1000), 1 + 0x1p-52);
  EXPECT_EQ(evaluate<double>("sub.rm.f64 %d, %a, %b;", 1.0, 0x1p-1000), 1 - 0x1p-53);
}

TEST(Rounding, products_quotients_and_roots) {
  EXPECT_EQ(evaluate<float>("mul.rz.f32 %d, %a, %b;", 1 + 0x1p-23f, 1 + 0x1p-23f), 1 + 0x1p-22f);
  EXPECT_EQ(evaluate<float>("mul.rp.f32 %d, %a, %b;", 1 + 0x1p-23f, 1 + 0x1p-23f), 1 + 3 * 0x1p-23f);
  EXPECT_EQ(evaluate<float>("div.rm.f32 %d, %a, %b;", 1.0f, 3.0f), 0x1.555554p-2f);
  EXPECT_EQ(evaluate<float>("div.rp.f32 %d, %a, %b;", 1.0f, 3.0f), 0x1.555556p-2f);
  EXPECT_EQ(evaluate<float>("div.rm.f32 %d, %a, %b;", 1.0f, -3.0f), -0x1.555556p-2f);
  EXPECT_EQ(evaluate<float>("rcp.rz.f32 %d, %a;", 3.0f), 0x1.555554p-2f);
  EXPECT_EQ(evaluate<float>("sqrt.rm.f32 %d, %a;", 2.0f), 0x1.6a09e6p+0f);
  EXPECT_EQ(evaluate<float>("sqrt.rp.f32 %d, %a;", 2.0f), 0x1.6a09e8p+0f);
  EXPECT_EQ(evaluate<double>("div.rp.f64 %d, %a, %b;", 1.0, 3.0), 0x1.5555555555556p-2);
  EXPECT_EQ(evaluate<float>("fma.rp.f32 %d, %a, %b, %c;", 1 + 0x1p-12f, 1 + 0x1p-12f, 0x1p-60f),
            1 + 0x1p-11f + 0x1p-23f);
  EXPECT_EQ(evaluate<double>("fma.rz.f64 %d, %a, %b, %c;", 1.0, 1.0, -0x1p-1000), 1 - 0x1p-53);
}

TEST(Rounding, the_ends_of_the_range) {
  EXPECT_EQ(evaluate<float>("add.rz.f32 %d, %a, %b;", kLargest, kLargest), kLargest);
  EXPECT_EQ(evaluate<float>("add.rp.f32 %d, %a, %b;", -kLargest, -kLargest), -kLargest);
  EXPECT_EQ(evaluate<float>("add.rp.f32 %d, %a, %b;", kLargest, kLargest), kInfinity);
  EXPECT_EQ(evaluate<float>("add.rz.f32 %d, %a, %b;", kInfinity, 1.0f), kInfinity);
  EXPECT_EQ(evaluate<float>("mul.rp.f32 %d, %a, %b;", 0x1p-149f, 0x1p-149f), 0x1p-149f);
  EXPECT_EQ(evaluate<float>("mul.rz.f32 %d, %a, %b;", 0x1p-149f, 0x1p-149f), 0.0f);
  EXPECT_EQ(std::bit_cast<uint32_t>(evaluate<float>("add.rm.f32 %d, %a, %b;", 1.0f, -1.0f)), 0x80000000u);
  EXPECT_EQ(std::bit_cast<uint32_t>(evaluate<float>("add.rz.f32 %d, %a, %b;", 1.0f, -1.0f)), 0u);
  EXPECT_EQ(evaluate<float>("add.rz.sat.f32 %d, %a, %b;", 1.0f, 1.0f), 1.0f);
}

TEST(Rounding, of_two_operands_that_are_no_numbers_the_second_gives_its_bits) {
  const double signaling = std::bit_cast<double>(uint64_t{0xfff0000000000001}),
               quiet = std::bit_cast<double>(uint64_t{0xfff8000000000000});
  for (const char* operation : {"mul.rn.f64", "mul.rm.f64", "mul.rz.f64", "add.rn.f64", "add.rp.f64"}) {
    const std::string text = std::string(operation) + " %d, %a, %b;";
    EXPECT_EQ(std::bit_cast<uint64_t>(evaluate<double>(text, signaling, quiet)), 0xfff8000000000000) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(evaluate<double>(text, quiet, signaling)), 0xfff8000000000001) << text;
  }
}

TEST(Rounding, to_odd_never_lands_on_a_tie) {
  EXPECT_EQ(std::bit_cast<uint64_t>(add_to_odd(1.0, 0x1p-80)) & 1, 1u);
  EXPECT_EQ(add_to_odd(1.0, 0x1p-52), 1 + 0x1p-52);
  EXPECT_EQ(std::bit_cast<uint32_t>(to_odd(1.0 + 0x1p-30)), std::bit_cast<uint32_t>(1.0f) | 1);
  EXPECT_EQ(to_odd(0.5), 0.5f);
}

}  // namespace
}  // namespace lanescope::emulator
