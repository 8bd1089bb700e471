// Conversions: truncation, extension, rounding, saturation, NaN; values computed by hand from the PTX ISA.

#include "emulator/exec/half_format.h"
#include "kernel_run.h"

#include <bit>
#include <limits>

namespace lanescope::emulator {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Convert, integers_are_truncated_and_extended) {
  EXPECT_EQ(evaluate<int64_t>("cvt.s64.s32 %d, %a;", -5), -5);
  EXPECT_EQ(evaluate<uint64_t>("cvt.u64.u32 %d, %a;", 0xffffffffu), 0xffffffffu);
  EXPECT_EQ(evaluate<uint32_t>("cvt.u32.u64 %d, %a;", 0x123456789abcdef0u), 0x9abcdef0u);
  EXPECT_EQ(evaluate<int32_t>("cvt.s32.s16 %d, %a;", uint16_t{0x8000}), -32768);
  EXPECT_EQ(evaluate<uint32_t>("cvt.u32.u16 %d, %a;", uint16_t{0x8000}), 0x8000u);
  EXPECT_EQ(evaluate<uint16_t>("cvt.u16.u32 %d, %a;", 0x12345678u), 0x5678);
}

TEST(Convert, a_wider_register_is_read_from_its_low_bits_and_filled) {
  EXPECT_EQ(evaluate<int32_t>("cvt.s32.s8 %d, %a;", 0x1234ff80), -128);
  EXPECT_EQ(evaluate<uint32_t>("cvt.u32.u8 %d, %a;", 0x1234ff80u), 0x80u);
  EXPECT_EQ(evaluate<int32_t>("cvt.s8.s32 %d, %a;", 0x000001ff), -1);
  EXPECT_EQ(evaluate<uint32_t>("cvt.u8.u32 %d, %a;", 0x000001ffu), 0xffu);
  EXPECT_EQ(evaluate<int64_t>("cvt.s64.s8 %d, %a;", uint16_t{0x80}), -128);
  EXPECT_EQ(evaluate<uint16_t>("cvt.s16.s8 %d, %a;", uint16_t{0x80}), 0xff80);
}

TEST(Convert, sat_keeps_integers_in_range) {
  EXPECT_EQ(evaluate<uint32_t>("cvt.sat.u8.s32 %d, %a;", 300), 255u);
  EXPECT_EQ(evaluate<uint32_t>("cvt.sat.u8.s32 %d, %a;", -5), 0u);
  EXPECT_EQ(evaluate<int32_t>("cvt.sat.s8.s32 %d, %a;", -300), -128);
  EXPECT_EQ(evaluate<int32_t>("cvt.sat.s32.u32 %d, %a;", 0xffffffffu), INT32_MAX);
  EXPECT_EQ(evaluate<int32_t>("cvt.sat.s32.s64 %d, %a;", int64_t{-1} << 40), INT32_MIN);
}

TEST(Convert, floating_point_to_integer_rounds_by_its_modifier) {
  EXPECT_EQ(evaluate<int32_t>("cvt.rzi.s32.f32 %d, %a;", -2.7f), -2);
  EXPECT_EQ(evaluate<int32_t>("cvt.rni.s32.f32 %d, %a;", 2.5f), 2);
  EXPECT_EQ(evaluate<int32_t>("cvt.rni.s32.f32 %d, %a;", 3.5f), 4);
  EXPECT_EQ(evaluate<int32_t>("cvt.rmi.s32.f32 %d, %a;", -2.1f), -3);
  EXPECT_EQ(evaluate<int32_t>("cvt.rpi.s32.f64 %d, %a;", 2.1), 3);
  EXPECT_EQ(evaluate<uint64_t>("cvt.rzi.u64.f64 %d, %a;", 0x1p63), uint64_t{1} << 63);
  EXPECT_EQ(evaluate<int64_t>("cvt.rzi.s64.f32 %d, %a;", -0x1p40f), -(int64_t{1} << 40));
}

TEST(Convert, floating_point_to_integer_saturates_and_makes_nan_zero) {
  EXPECT_EQ(evaluate<int32_t>("cvt.rzi.s32.f32 %d, %a;", 3e9f), INT32_MAX);
  EXPECT_EQ(evaluate<int32_t>("cvt.rzi.s32.f32 %d, %a;", -3e9f), INT32_MIN);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rzi.u32.f32 %d, %a;", -1.0f), 0u);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rzi.u32.f32 %d, %a;", 1e20f), 0xffffffffu);
  EXPECT_EQ(evaluate<int32_t>("cvt.rzi.s32.f32 %d, %a;", kNan), 0);
  EXPECT_EQ(evaluate<uint64_t>("cvt.rzi.u64.f64 %d, %a;", 1e30), ~uint64_t{0});
  EXPECT_EQ(evaluate<int64_t>("cvt.rzi.s64.f64 %d, %a;", -1e30), INT64_MIN);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rzi.u8.f32 %d, %a;", 300.0f), 255u);
  EXPECT_EQ(evaluate<int32_t>("cvt.rzi.s16.f32 %d, %a;", -40000.0f), -32768);
}

TEST(Convert, integer_to_floating_point_rounds_to_nearest_even) {
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.s32 %d, %a;", 16777217), 16777216.0f);
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.u32 %d, %a;", 0xffffffffu), 0x1p32f);
  EXPECT_EQ(evaluate<double>("cvt.rn.f64.s64 %d, %a;", int64_t{-3}), -3.0);
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.u64 %d, %a;", ~uint64_t{0}), 0x1p64f);
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.s16 %d, %a;", uint16_t{0xffff}), -1.0f);
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.u8 %d, %a;", uint16_t{0xff}), 255.0f);
  EXPECT_EQ(evaluate<double>("cvt.rn.f64.u32 %d, %a;", 0x80000000u), 0x1p31);
}

TEST(Convert, between_floating_point_formats) {
  EXPECT_EQ(evaluate<float>("cvt.rn.f32.f64 %d, %a;", 0.1), 0.1f);
  EXPECT_EQ(evaluate<double>("cvt.f64.f32 %d, %a;", 0.5f), 0.5);
  EXPECT_EQ(evaluate<float>("cvt.rni.f32.f32 %d, %a;", 2.5f), 2.0f);
  EXPECT_EQ(evaluate<float>("cvt.rpi.f32.f32 %d, %a;", 2.1f), 3.0f);
  EXPECT_EQ(evaluate<double>("cvt.rmi.f64.f64 %d, %a;", -2.1), -3.0);
  EXPECT_EQ(evaluate<float>("cvt.sat.f32.f32 %d, %a;", 7.0f), 1.0f);
  EXPECT_EQ(evaluate<float>("cvt.f32.f16 %d, %a;", uint16_t{0x3c00}), 1.0f);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.f16.f32 %d, %a;", 65504.0f), 0x7bff);
  EXPECT_EQ(evaluate<float>("cvt.f32.bf16 %d, %a;", uint16_t{0x3f80}), 1.0f);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.bf16.f32 %d, %a;", -2.0f), 0xc000);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rn.f16x2.f32 %d, %a, %b;", 1.0f, 2.0f), 0x3c004000u);
}

TEST(Convert, floating_point_rounds_by_its_modifier) {
  EXPECT_EQ(evaluate<float>("cvt.rz.f32.f64 %d, %a;", 1 + 0x1.8p-24), 1.0f);
  EXPECT_EQ(evaluate<float>("cvt.rp.f32.f64 %d, %a;", 1 + 0x1p-50), 1 + 0x1p-23f);
  EXPECT_EQ(evaluate<float>("cvt.rm.f32.s32 %d, %a;", 16777217), 16777216.0f);
  EXPECT_EQ(evaluate<float>("cvt.rp.f32.u64 %d, %a;", (uint64_t{1} << 63) + 1), 0x1.000002p63f);
  EXPECT_EQ(evaluate<double>("cvt.rz.f64.u64 %d, %a;", ~uint64_t{0}), 0x1.fffffffffffffp63);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rz.f16.f32 %d, %a;", 1e9f), 0x7bff);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rp.f16.s32 %d, %a;", 2049), 0x6801);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rz.bf16.f32 %d, %a;", 1 + 0x1.fp-8f), 0x3f80);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.bf16.f64 %d, %a;", -2.0), 0xc000);
}

TEST(Convert, halves_to_and_from_integers_and_each_other) {
  EXPECT_EQ(evaluate<int32_t>("cvt.rni.s32.f16 %d, %a;", uint16_t{0x4100}), 2);  // 2.5
  EXPECT_EQ(evaluate<int32_t>("cvt.rmi.s32.bf16 %d, %a;", uint16_t{0xbfc0}), -2);
  EXPECT_EQ(evaluate<uint64_t>("cvt.rzi.u64.f16 %d, %a;", uint16_t{0xbc00}), 0u);
  EXPECT_EQ(evaluate<int64_t>("cvt.rni.s64.f16 %d, %a;", uint16_t{0x7e00}), INT64_MIN);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.f16.bf16 %d, %a;", uint16_t{0x3f80}), 0x3c00);
  EXPECT_EQ(evaluate<double>("cvt.f64.f16 %d, %a;", uint16_t{0x0001}), 0x1p-24);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rpi.f16.f16 %d, %a;", uint16_t{0x3c01}), 0x4000);
  EXPECT_EQ(evaluate<uint16_t>("cvt.sat.f16.f16 %d, %a;", uint16_t{0x4000}), 0x3c00);
}

TEST(Convert, relu_and_satfinite) {
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.relu.f16.f32 %d, %a;", -3.0f), 0);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.satfinite.f16.f32 %d, %a;", 1e9f), 0x7bff);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.satfinite.bf16.f32 %d, %a;", -std::numeric_limits<float>::infinity()),
            0xff7f);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rz.relu.bf16x2.f32 %d, %a, %b;", 2.0f, -2.0f), 0x40000000u);
}

TEST(Convert, formats_of_matrices) {
  EXPECT_EQ(evaluate<uint32_t>("cvt.rna.tf32.f32 %d, %a;", 1 + 0x1p-11f),
            std::bit_cast<uint32_t>(1 + 0x1p-10f));
  EXPECT_EQ(evaluate<uint32_t>("cvt.rn.tf32.f32 %d, %a;", 1 + 0x1p-11f), std::bit_cast<uint32_t>(1.0f));
  EXPECT_EQ(evaluate<uint32_t>("cvt.rz.tf32.f32 %d, %a;", 1 + 0x1.fp-11f), std::bit_cast<uint32_t>(1.0f));
  // e4m3: 1.0 is 0x38, the largest 448 is 0x7e; e5m2: 1.0 is 0x3c, the largest 57344 is 0x7b.
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", 1000.0f, 1.0f), 0x7e38);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", -1e9f, kNan), 0xfb7f);
  EXPECT_EQ(evaluate<uint16_t>("cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;", 0x3c004000u), 0x3840);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rn.f16x2.e4m3x2 %d, %a;", uint16_t{0x7e38}), 0x5f003c00u);
  EXPECT_EQ(evaluate<uint32_t>("cvt.rn.f16x2.e5m2x2 %d, %a;", uint16_t{0x7c01}), 0x7c000100u);
}

TEST(Convert, integers_are_packed) {
  EXPECT_EQ(evaluate<uint32_t>("cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 300, -5, 0x11223344u), 0x3344ff00u);
  EXPECT_EQ(evaluate<uint32_t>("cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;", -300, 5, 0u), 0x8005u);
  EXPECT_EQ(evaluate<uint32_t>("cvt.pack.sat.s16.s32 %d, %a, %b;", 70000, -70000), 0x7fff8000u);
}

TEST(Convert, every_half_survives_the_way_to_f32_and_back) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const bool is_nan = (bits & 0x7fff) > 0x7c00;
    EXPECT_EQ(to_half(widen(half)).bits, is_nan ? 0x7fff : bits);
    const bool is_bfloat_nan = (bits & 0x7fff) > 0x7f80;
    EXPECT_EQ(to_bfloat(widen(Bfloat{half.bits})).bits, is_bfloat_nan ? 0x7fff : bits);
  }
}

TEST(Convert, halves_round_to_nearest_even) {
  EXPECT_EQ(to_half(1.0f + 0x1p-11f).bits, 0x3c00);             // a tie: to even
  EXPECT_EQ(to_half(1.0f + 3 * 0x1p-11f).bits, 0x3c02);         // a tie: to even
  EXPECT_EQ(to_half(1.0f + 0x1p-11f + 0x1p-20f).bits, 0x3c01);  // above the tie
  EXPECT_EQ(to_half(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_half(0x1p-25f).bits, 0);  // a tie between 0 and the smallest
  EXPECT_EQ(to_half(0x1.8p-25f).bits, 1);
  EXPECT_EQ(to_half(-0x1p-24f).bits, 0x8001);
}

}  // namespace
}  // namespace lanescope::emulator
