// Halves: the bits of results, worked out by hand. f16 1.0 is 0x3c00, bf16 1.0 is 0x3f80.

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

uint16_t half(std::string_view instruction, uint16_t a, uint16_t b = 0, uint16_t c = 0) {
  return evaluate<uint16_t>(instruction, a, b, c);
}

TEST(Half, sums_and_products_round_once) {
  EXPECT_EQ(half("add.f16 %d, %a, %b;", 0x3c00, 0x1000), 0x3c00);  // 1 + 2^-11: a tie, to even
  EXPECT_EQ(half("add.f16 %d, %a, %b;", 0x3c01, 0x1000), 0x3c02);  // a tie, to even
  EXPECT_EQ(half("sub.f16 %d, %a, %b;", 0x3c00, 0x3c00), 0x0000);
  EXPECT_EQ(half("mul.f16 %d, %a, %b;", 0x4200, 0xb800), 0xbe00);  // 3 x -0.5
  EXPECT_EQ(half("add.f16 %d, %a, %b;", 0x7bff, 0x7bff), 0x7c00);
  EXPECT_EQ(half("sub.bf16 %d, %a, %b;", 0x4000, 0x3f80), 0x3f80);
  EXPECT_EQ(half("mul.bf16 %d, %a, %b;", 0x3f81, 0x3f81), 0x3f82);  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14
}

TEST(Half, fma_does_not_round_on_the_way) {
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20; minus (1 + 2^-9) leaves 2^-20, a subnormal of 16 units.
  EXPECT_EQ(half("fma.rn.f16 %d, %a, %b, %c;", 0x3c01, 0x3c01, 0xbc02), 0x0010);
  // 1 + 2^-11 + 2^-24 is above the tie, which an f32 on the way could lose with more terms: 2^-11 x 1 + 1 ...
  EXPECT_EQ(half("fma.rn.f16 %d, %a, %b, %c;", 0x1001, 0x3c00, 0x3c00), 0x3c01);
  EXPECT_EQ(half("fma.rn.relu.f16 %d, %a, %b, %c;", 0x3c00, 0xbc00, 0x0000), 0x0000);
  EXPECT_EQ(half("fma.rn.sat.f16 %d, %a, %b, %c;", 0x4000, 0x3c00, 0x0000), 0x3c00);
  // 2^60 x 2^60 - 2^120 + ...: the range of bf16 is that of f32.
  EXPECT_EQ(half("fma.rn.bf16 %d, %a, %b, %c;", 0x5d80, 0x5d80, 0xfb80), 0x0000);
}

TEST(Half, what_is_no_number_is_the_canonical_one) {
  EXPECT_EQ(half("add.f16 %d, %a, %b;", 0x7e01, 0x3c00), 0x7fff);
  EXPECT_EQ(half("sub.bf16 %d, %a, %b;", 0x7f80, 0x7f80), 0x7fff);
  EXPECT_EQ(half("min.f16 %d, %a, %b;", 0x7e01, 0x3c00), 0x3c00);
  EXPECT_EQ(half("max.NaN.f16 %d, %a, %b;", 0x7e01, 0x3c00), 0x7fff);
  EXPECT_EQ(half("min.f16 %d, %a, %b;", 0x0000, 0x8000), 0x8000);
  EXPECT_EQ(half("min.xorsign.abs.f16 %d, %a, %b;", 0xc000, 0x4200), 0xc000);
}

TEST(Half, ftz_flushes_subnormals) {
  EXPECT_EQ(half("add.f16 %d, %a, %b;", 0x0001, 0x0001), 0x0002);
  EXPECT_EQ(half("add.ftz.f16 %d, %a, %b;", 0x0001, 0x0001), 0x0000);
  EXPECT_EQ(half("mul.ftz.f16 %d, %a, %b;", 0x8400, 0x3800), 0x8000);
  EXPECT_EQ(half("neg.f16 %d, %a;", 0x3c00), 0xbc00);
  EXPECT_EQ(half("abs.bf16 %d, %a;", 0xbf80), 0x3f80);
}

TEST(Half, both_halves_of_a_register) {
  EXPECT_EQ(evaluate<uint32_t>("add.f16x2 %d, %a, %b;", 0x3c004000u, 0x3c003c00u), 0x40004200u);
  EXPECT_EQ(evaluate<uint32_t>("fma.rn.bf16x2 %d, %a, %b, %c;", 0x3f804000u, 0x40004000u, 0x3f803f80u),
            0x404040a0u);
  EXPECT_EQ(evaluate<uint32_t>("max.f16x2 %d, %a, %b;", 0x3c00c000u, 0x40003c00u), 0x40003c00u);
}

TEST(Half, comparisons) {
  EXPECT_TRUE(evaluate_truth("setp.lt.f16 %d, %a, %b;", uint16_t{0xbc00}, uint16_t{0x0000}));
  EXPECT_FALSE(evaluate_truth("setp.eq.f16 %d, %a, %b;", uint16_t{0x7e00}, uint16_t{0x7e00}));
  EXPECT_TRUE(evaluate_truth("setp.neu.bf16 %d, %a, %b;", uint16_t{0x7fc0}, uint16_t{0x7fc0}));
  EXPECT_TRUE(evaluate_truth("setp.eq.f16 %d, %a, %b;", uint16_t{0x0000}, uint16_t{0x8000}));
  EXPECT_TRUE(evaluate_truth("setp.gt.f16x2 %p9|%d, %a, %b;", 0x40003c00u, 0x3c003c00u));
  EXPECT_FALSE(evaluate_truth("setp.gt.f16x2 %d|%p9, %a, %b;", 0x40003c00u, 0x3c003c00u));
  EXPECT_EQ(evaluate<uint32_t>("set.gt.f16x2.f16x2 %d, %a, %b;", 0x40003c00u, 0x3c003c00u), 0x3c000000u);
  EXPECT_EQ(evaluate<uint32_t>("set.ge.u32.bf16x2 %d, %a, %b;", 0x40003f80u, 0x40004000u), 0xffff0000u);
}

TEST(Half, approximations_are_near) {
  EXPECT_EQ(half("ex2.approx.f16 %d, %a;", 0x4000), 0x4400);  // 2^2
  EXPECT_EQ(half("tanh.approx.f16 %d, %a;", 0x0000), 0x0000);
  EXPECT_EQ(half("ex2.approx.ftz.bf16 %d, %a;", 0xbf80), 0x3f00);
}

}  // namespace
}  // namespace lanescope::emulator
