// Comparison and selection, with the PTX ISA's rules for NaN.

#include "kernel_run.h"

#include <limits>

namespace lanescope::emulator {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, signed_and_unsigned_orders_differ) {
  EXPECT_TRUE(evaluate_truth("setp.lt.s32 %d, %a, %b;", -1, 1));
  EXPECT_FALSE(evaluate_truth("setp.lt.u32 %d, %a, %b;", -1, 1));
  EXPECT_TRUE(evaluate_truth("setp.hi.u32 %d, %a, %b;", -1, 1));
  EXPECT_TRUE(evaluate_truth("setp.ls.u32 %d, %a, %b;", 1, 1));
  EXPECT_TRUE(evaluate_truth("setp.ge.s64 %d, %a, %b;", int64_t{0}, INT64_MIN));
  EXPECT_TRUE(evaluate_truth("setp.lt.s16 %d, %a, %b;", uint16_t{0x8000}, uint16_t{0}));
  EXPECT_FALSE(evaluate_truth("setp.lt.u16 %d, %a, %b;", uint16_t{0x8000}, uint16_t{0}));
  EXPECT_TRUE(evaluate_truth("setp.ne.b64 %d, %a, %b;", uint64_t{1} << 40, uint64_t{0}));
}

TEST(Compare, a_nan_fails_every_ordered_comparison_and_passes_every_unordered_one) {
  for (const char* name : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    EXPECT_FALSE(evaluate_truth(fmt::format("setp.{}.f32 %d, %a, %b;", name), kNan, 1.0f)) << name;
    EXPECT_TRUE(evaluate_truth(fmt::format("setp.{}u.f32 %d, %a, %b;", name), kNan, 1.0f)) << name;
  }
  EXPECT_TRUE(evaluate_truth("setp.nan.f32 %d, %a, %b;", 1.0f, kNan));
  EXPECT_FALSE(evaluate_truth("setp.num.f32 %d, %a, %b;", 1.0f, kNan));
  EXPECT_TRUE(evaluate_truth("setp.num.f64 %d, %a, %b;", 1.0, 2.0));
  EXPECT_TRUE(evaluate_truth("setp.ne.f32 %d, %a, %b;", 1.0f, 2.0f));
  EXPECT_FALSE(evaluate_truth("setp.neu.f32 %d, %a, %b;", 1.0f, 1.0f));
  EXPECT_TRUE(evaluate_truth("setp.leu.f64 %d, %a, %b;", 1.0, 1.0));
}

TEST(Compare, ftz_compares_subnormals_as_zero) {
  EXPECT_TRUE(evaluate_truth("setp.gt.f32 %d, %a, %b;", 1e-40f, 0.0f));
  EXPECT_FALSE(evaluate_truth("setp.gt.ftz.f32 %d, %a, %b;", 1e-40f, 0.0f));
}

TEST(Compare, setp_combines_with_a_third_predicate) {
  EXPECT_TRUE(evaluate_truth("setp.lt.and.s32 %d, %a, %b, %c;", 1, 2, Truth{1}));
  EXPECT_FALSE(evaluate_truth("setp.lt.and.s32 %d, %a, %b, !%c;", 1, 2, Truth{1}));
  EXPECT_TRUE(evaluate_truth("setp.gt.or.s32 %d, %a, %b, %c;", 1, 2, Truth{1}));
  EXPECT_FALSE(evaluate_truth("setp.lt.xor.s32 %d, %a, %b, %c;", 1, 2, Truth{1}));
}

TEST(Compare, the_second_predicate_of_setp_is_the_opposite) {
  EXPECT_FALSE(evaluate_truth("setp.lt.s32 %p30|%d, %a, %b;", 1, 2));
  EXPECT_TRUE(evaluate_truth("setp.gt.s32 %p30|%d, %a, %b;", 1, 2));
  EXPECT_FALSE(evaluate_truth("setp.gt.and.s32 %p30|%d, %a, %b, %c;", 1, 2, Truth{0}));
}

TEST(Compare, set_gives_ones_or_one_point_zero) {
  EXPECT_EQ(evaluate<uint32_t>("set.lt.u32.s32 %d, %a, %b;", 1, 2), 0xffffffffu);
  EXPECT_EQ(evaluate<float>("set.lt.f32.s32 %d, %a, %b;", 1, 2), 1.0f);
  EXPECT_EQ(evaluate<uint32_t>("set.gt.u32.f32 %d, %a, %b;", 1.0f, 2.0f), 0u);
  EXPECT_EQ(evaluate<uint32_t>("set.lt.and.u32.f64 %d, %a, %b, %c;", 1.0, 2.0, Truth{0}), 0u);
}

TEST(Compare, selp_and_slct_choose) {
  EXPECT_EQ(evaluate<uint32_t>("selp.b32 %d, %a, %b, %c;", 5u, 6u, Truth{1}), 5u);
  EXPECT_EQ(evaluate<uint64_t>("selp.b64 %d, %a, %b, %c;", uint64_t{5}, uint64_t{6}, Truth{0}), 6u);
  EXPECT_EQ(evaluate<float>("selp.f32 %d, %a, %b, %c;", 5.0f, 6.0f, Truth{1}), 5.0f);
  EXPECT_EQ(evaluate<uint32_t>("slct.u32.s32 %d, %a, %b, %c;", 5u, 6u, 0), 5u);
  EXPECT_EQ(evaluate<uint32_t>("slct.u32.s32 %d, %a, %b, %c;", 5u, 6u, -1), 6u);
  EXPECT_EQ(evaluate<uint64_t>("slct.b64.f32 %d, %a, %b, %c;", uint64_t{5}, uint64_t{6}, kNan), 6u);
}

}  // namespace
}  // namespace lanescope::emulator
