// Floating-point arithmetic, with values computed by hand from the PTX ISA.

#include "kernel_run.h"

#include <bit>
#include <cmath>
#include <limits>

namespace lanescope::emulator {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kSubnormal = 0x1p-130f;

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(Float, arithmetic_rounds_to_nearest_even) {
  EXPECT_EQ(evaluate<float>("add.f32 %d, %a, %b;", 0.1f, 0.2f), 0.1f + 0.2f);
  EXPECT_EQ(evaluate<float>("add.rn.f32 %d, %a, %b;", 16777216.0f, 1.0f), 16777216.0f);
  EXPECT_EQ(evaluate<double>("sub.f64 %d, %a, %b;", 1.0, 0x1p-53), 1.0 - 0x1p-53);
  EXPECT_EQ(evaluate<float>("mul.f32 %d, %a, %b;", 3.0f, -0.5f), -1.5f);
  EXPECT_EQ(evaluate<double>("div.rn.f64 %d, %a, %b;", 1.0, 3.0), 1.0 / 3.0);
  EXPECT_EQ(evaluate<float>("sqrt.rn.f32 %d, %a;", 2.0f), 0x1.6a09e6p+0f);
  EXPECT_EQ(evaluate<float>("rcp.rn.f32 %d, %a;", 3.0f), 0x1.555556p-2f);
}

TEST(Float, fma_rounds_once) {
  // (1 + e)^2 - (1 + 2 e) = e^2, which a rounded product loses.
  const float e = 0x1p-12f;
  EXPECT_EQ(evaluate<float>("fma.rn.f32 %d, %a, %b, %c;", 1 + e, 1 + e, -(1 + 2 * e)), 0x1p-24f);
  EXPECT_EQ(evaluate<double>("fma.rn.f64 %d, %a, %b, %c;", 1 + 0x1p-30, 1 + 0x1p-30, -(1 + 0x1p-29)),
            0x1p-60);
}

TEST(Float, a_result_that_is_no_number_is_the_canonical_one) {
  EXPECT_EQ(bits(evaluate<float>("sub.f32 %d, %a, %b;", kInfinity, kInfinity)), 0x7fffffffu);
  EXPECT_EQ(bits(evaluate<float>("add.f32 %d, %a, %b;", std::bit_cast<float>(0xffc01234u), 1.0f)),
            0x7fffffffu);
  EXPECT_EQ(bits(evaluate<float>("sqrt.rn.f32 %d, %a;", -1.0f)), 0x7fffffffu);
}

TEST(Float, ftz_flushes_inputs_and_results_and_keeps_the_sign) {
  EXPECT_EQ(evaluate<float>("add.f32 %d, %a, %b;", kSubnormal, kSubnormal), 2 * kSubnormal);
  EXPECT_EQ(bits(evaluate<float>("add.ftz.f32 %d, %a, %b;", kSubnormal, 0.0f)), 0u);
  EXPECT_EQ(bits(evaluate<float>("mul.ftz.f32 %d, %a, %b;", -0x1p-100f, 0x1p-30f)), 0x80000000u);
}

TEST(Float, sat_clamps_to_zero_and_one_and_makes_nan_zero) {
  EXPECT_EQ(evaluate<float>("add.sat.f32 %d, %a, %b;", 0.75f, 0.75f), 1.0f);
  EXPECT_EQ(evaluate<float>("mul.sat.f32 %d, %a, %b;", -2.0f, 3.0f), 0.0f);
  EXPECT_EQ(bits(evaluate<float>("add.sat.f32 %d, %a, %b;", kNan, 1.0f)), 0u);
  EXPECT_EQ(evaluate<float>("fma.rn.sat.f32 %d, %a, %b, %c;", 0.5f, 0.5f, 0.25f), 0.5f);
}

TEST(Float, min_and_max_prefer_numbers_and_know_signed_zeros) {
  EXPECT_EQ(evaluate<float>("min.f32 %d, %a, %b;", kNan, 2.0f), 2.0f);
  EXPECT_EQ(evaluate<float>("max.f32 %d, %a, %b;", 2.0f, kNan), 2.0f);
  EXPECT_EQ(bits(evaluate<float>("min.f32 %d, %a, %b;", kNan, kNan)), 0x7fffffffu);
  EXPECT_EQ(bits(evaluate<float>("min.NaN.f32 %d, %a, %b;", 1.0f, kNan)), 0x7fffffffu);
  EXPECT_EQ(bits(evaluate<float>("min.f32 %d, %a, %b;", 0.0f, -0.0f)), 0x80000000u);
  EXPECT_EQ(bits(evaluate<float>("max.f32 %d, %a, %b;", -0.0f, 0.0f)), 0u);
  EXPECT_EQ(evaluate<double>("max.f64 %d, %a, %b;", -3.0, -4.0), -3.0);
}

TEST(Float, abs_neg_copysign) {
  EXPECT_EQ(evaluate<float>("abs.f32 %d, %a;", -2.5f), 2.5f);
  EXPECT_EQ(evaluate<double>("neg.f64 %d, %a;", 2.5), -2.5);
  EXPECT_EQ(bits(evaluate<float>("neg.f32 %d, %a;", 0.0f)), 0x80000000u);
  EXPECT_EQ(evaluate<float>("copysign.f32 %d, %a, %b;", -1.0f, 3.0f), -3.0f);
}

TEST(Float, approximations_are_close) {
  EXPECT_NEAR(evaluate<float>("div.approx.f32 %d, %a, %b;", 1.0f, 3.0f), 1.0f / 3, 1e-7);
  EXPECT_NEAR(evaluate<float>("rcp.approx.ftz.f32 %d, %a;", 8.0f), 0.125f, 1e-8);
  EXPECT_NEAR(evaluate<float>("rsqrt.approx.f32 %d, %a;", 4.0f), 0.5f, 1e-7);
  EXPECT_NEAR(evaluate<float>("sin.approx.f32 %d, %a;", 0.5f), std::sin(0.5f), 1e-6);
  EXPECT_NEAR(evaluate<float>("cos.approx.f32 %d, %a;", 0.5f), std::cos(0.5f), 1e-6);
  EXPECT_EQ(evaluate<float>("ex2.approx.ftz.f32 %d, %a;", 5.0f), 32.0f);
  EXPECT_EQ(evaluate<float>("lg2.approx.f32 %d, %a;", 32.0f), 5.0f);
  EXPECT_EQ(evaluate<float>("ex2.approx.ftz.f32 %d, %a;", -kInfinity), 0.0f);
  EXPECT_NEAR(evaluate<float>("tanh.approx.f32 %d, %a;", 1.0f), std::tanh(1.0f), 1e-3);
}

TEST(Float, tanh_is_rounded_correctly_whatever_the_c_library_does) {
  // The exact values to 60 digits, rounded to the nearest float; glibc 2.36 misses each by one step.
  const auto of_bits = [](uint32_t argument) {
    return bits(evaluate<float>("tanh.approx.f32 %d, %a;", std::bit_cast<float>(argument)));
  };
  EXPECT_EQ(of_bits(0x3900095a), 0x3900095au);
  EXPECT_EQ(of_bits(0x3ad0d4db), 0x3ad0d4cfu);
  EXPECT_EQ(of_bits(0x3c788135), 0x3c787c54u);
  EXPECT_EQ(of_bits(0x3e040804), 0x3e034df3u);
  EXPECT_EQ(of_bits(0xbed78584), 0xbecba248u);
  EXPECT_EQ(of_bits(0x3f7cb8c1), 0x3f4193ecu);
  EXPECT_EQ(evaluate<float>("tanh.approx.f32 %d, %a;", kInfinity), 1.0f);
  EXPECT_EQ(evaluate<float>("tanh.approx.f32 %d, %a;", -100.0f), -1.0f);
  EXPECT_EQ(of_bits(0x80000000), 0x80000000u);
  EXPECT_EQ(of_bits(0x00000001), 0x00000001u);
}

TEST(Float, testp_classifies_numbers) {
  EXPECT_TRUE(evaluate_truth("testp.finite.f32 %d, %a;", 1.0f));
  EXPECT_FALSE(evaluate_truth("testp.finite.f32 %d, %a;", kInfinity));
  EXPECT_TRUE(evaluate_truth("testp.infinite.f32 %d, %a;", -kInfinity));
  EXPECT_TRUE(evaluate_truth("testp.notanumber.f32 %d, %a;", kNan));
  EXPECT_TRUE(evaluate_truth("testp.number.f64 %d, %a;", 1.0));
  EXPECT_TRUE(evaluate_truth("testp.subnormal.f32 %d, %a;", kSubnormal));
  EXPECT_FALSE(evaluate_truth("testp.normal.f32 %d, %a;", kSubnormal));
}

}  // namespace
}  // namespace lanescope::emulator
