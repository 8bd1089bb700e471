// Integer arithmetic, with values computed by hand from the PTX ISA.

#include "kernel_run.h"

#include <cstdint>

namespace lanescope::emulator {
namespace {

TEST(Integer, add_and_sub_wrap) {
  EXPECT_EQ(evaluate<uint32_t>("add.u32 %d, %a, %b;", 0xffffffffu, 2u), 1u);
  EXPECT_EQ(evaluate<int32_t>("sub.s32 %d, %a, %b;", INT32_MIN, 1), INT32_MAX);
  EXPECT_EQ(evaluate<uint64_t>("add.s64 %d, %a, %b;", uint64_t{1} << 63, uint64_t{1} << 63), 0u);
  EXPECT_EQ(evaluate<uint16_t>("add.u16 %d, %a, %b;", uint16_t{0xffff}, uint16_t{3}), 2);
  EXPECT_EQ(evaluate<uint16_t>("sub.s16 %d, %a, %b;", uint16_t{0}, uint16_t{1}), 0xffff);
}

TEST(Integer, saturated_add_and_sub_stay_in_range) {
  EXPECT_EQ(evaluate<int32_t>("add.sat.s32 %d, %a, %b;", INT32_MAX, 1), INT32_MAX);
  EXPECT_EQ(evaluate<int32_t>("sub.sat.s32 %d, %a, %b;", INT32_MIN, 1), INT32_MIN);
  EXPECT_EQ(evaluate<int32_t>("add.sat.s32 %d, %a, %b;", 5, -7), -2);
}

TEST(Integer, mul_gives_the_low_the_high_or_the_whole_product) {
  EXPECT_EQ(evaluate<uint32_t>("mul.lo.u32 %d, %a, %b;", 0x10001u, 0x10001u), 0x20001u);
  EXPECT_EQ(evaluate<uint32_t>("mul.hi.u32 %d, %a, %b;", 0xffffffffu, 0xffffffffu), 0xfffffffeu);
  EXPECT_EQ(evaluate<int32_t>("mul.hi.s32 %d, %a, %b;", -1, 1), -1);
  EXPECT_EQ(evaluate<int64_t>("mul.wide.s32 %d, %a, %b;", -3, 5), -15);
  EXPECT_EQ(evaluate<uint64_t>("mul.wide.u32 %d, %a, %b;", 0xffffffffu, 2u), 0x1fffffffeu);
  EXPECT_EQ(evaluate<uint32_t>("mul.wide.u16 %d, %a, %b;", uint16_t{0xffff}, uint16_t{0xffff}), 0xfffe0001u);
  EXPECT_EQ(evaluate<uint64_t>("mul.hi.u64 %d, %a, %b;", ~uint64_t{0}, uint64_t{16}), 15u);
  EXPECT_EQ(evaluate<int64_t>("mul.hi.s64 %d, %a, %b;", int64_t{-1}, int64_t{16}), -1);
  EXPECT_EQ(evaluate<uint16_t>("mul.hi.u16 %d, %a, %b;", uint16_t{0x8000}, uint16_t{6}), 3);
}

TEST(Integer, mad_adds_to_the_chosen_part_of_the_product) {
  EXPECT_EQ(evaluate<uint32_t>("mad.lo.s32 %d, %a, %b, %c;", 7u, 132u, 100u), 1024u);
  EXPECT_EQ(evaluate<int32_t>("mad.hi.s32 %d, %a, %b, %c;", -1, 1, 3), 2);
  EXPECT_EQ(evaluate<int64_t>("mad.wide.s32 %d, %a, %b, %c;", -2, 3, int64_t{1} << 40),
            (int64_t{1} << 40) - 6);
  EXPECT_EQ(evaluate<int32_t>("mad.hi.sat.s32 %d, %a, %b, %c;", INT32_MAX, 4, INT32_MAX), INT32_MAX);
}

TEST(Integer, mul24_takes_24_bits) {
  EXPECT_EQ(evaluate<uint32_t>("mul24.lo.u32 %d, %a, %b;", 0xff000002u, 0x800003u), 0x1000006u);
  EXPECT_EQ(evaluate<int32_t>("mul24.lo.s32 %d, %a, %b;", 0x00ffffff, 5), -5);
  EXPECT_EQ(evaluate<uint32_t>("mul24.hi.u32 %d, %a, %b;", 0x800000u, 0x800000u), 0x40000000u);
  EXPECT_EQ(evaluate<uint32_t>("mad24.lo.u32 %d, %a, %b, %c;", 3u, 4u, 5u), 17u);
}

TEST(Integer, division_truncates_towards_zero) {
  EXPECT_EQ(evaluate<int32_t>("div.s32 %d, %a, %b;", -7, 2), -3);
  EXPECT_EQ(evaluate<int32_t>("rem.s32 %d, %a, %b;", -7, 2), -1);
  EXPECT_EQ(evaluate<uint32_t>("div.u32 %d, %a, %b;", 0xfffffff9u, 2u), 0x7ffffffcu);
  EXPECT_EQ(evaluate<uint64_t>("rem.u64 %d, %a, %b;", uint64_t{1000000007}, uint64_t{10}), 7u);
  EXPECT_EQ(evaluate<uint16_t>("div.s16 %d, %a, %b;", static_cast<uint16_t>(-9), uint16_t{4}),
            static_cast<uint16_t>(-2));
}

TEST(Integer, division_by_zero_and_of_the_smallest_number_do_not_trap) {
  EXPECT_EQ(evaluate<uint32_t>("div.u32 %d, %a, %b;", 5u, 0u), 0xffffffffu);
  EXPECT_EQ(evaluate<uint32_t>("rem.u32 %d, %a, %b;", 5u, 0u), 0xffffffffu);
  EXPECT_EQ(evaluate<int32_t>("div.s32 %d, %a, %b;", INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(evaluate<int32_t>("rem.s32 %d, %a, %b;", INT32_MIN, -1), 0);
}

TEST(Integer, abs_neg_min_max_sad) {
  EXPECT_EQ(evaluate<int32_t>("abs.s32 %d, %a;", -5), 5);
  EXPECT_EQ(evaluate<int32_t>("abs.s32 %d, %a;", INT32_MIN), INT32_MIN);
  EXPECT_EQ(evaluate<int64_t>("neg.s64 %d, %a;", int64_t{9}), -9);
  EXPECT_EQ(evaluate<uint32_t>("min.u32 %d, %a, %b;", 0xffffffffu, 1u), 1u);
  EXPECT_EQ(evaluate<int32_t>("min.s32 %d, %a, %b;", -1, 1), -1);
  EXPECT_EQ(evaluate<int32_t>("max.s32 %d, %a, %b;", -1, 1), 1);
  EXPECT_EQ(evaluate<uint16_t>("max.s16 %d, %a, %b;", uint16_t{0xffff}, uint16_t{1}), 1);
  EXPECT_EQ(evaluate<uint32_t>("sad.u32 %d, %a, %b, %c;", 3u, 10u, 100u), 107u);
  EXPECT_EQ(evaluate<int32_t>("sad.s32 %d, %a, %b, %c;", 3, -10, 100), 113);
}

/// The carry leaves in the next instruction, so both are in the evaluated text; %r1 and %r2 take the rest.
uint32_t carried(std::string_view text, uint32_t a, uint32_t b, uint32_t c = 0) {
  LaunchBuilder builder;
  builder.buffer("out", std::vector<uint32_t>(32)).value(a).value(b).value(c);
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(".param .u64 out, .param .u32 a, .param .u32 b, .param .u32 c",
                         fmt::format("ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [a]; ld.param.u32 %r2, "
                                     "[b]; ld.param.u32 %r3, [c]; "
                                     "mov.u32 %r9, %tid.x; sub.u32 %r9, %r9, %r9; add.u32 %r1, %r1, "
                                     "%r9;\n{}\nst.global.u32 [%rd1], %r4; ret;",
                                     text)),
             builder.launch);
  return kernel.outcome.buffers.empty() ? 0 : values_of<uint32_t>(kernel.outcome.buffers[0])[0];
}

TEST(Integer, a_carry_goes_into_the_next_instruction) {
  EXPECT_EQ(carried("add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 10, 20;", 0xffffffff, 1), 31u);
  EXPECT_EQ(carried("add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 10, 20;", 0xfffffffe, 1), 30u);
  EXPECT_EQ(carried("add.cc.u32 %r5, %r1, %r2; addc.cc.u32 %r5, %r1, 0; addc.u32 %r4, 0, 0;", 0xffffffff, 1),
            1u);
  EXPECT_EQ(carried("sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, 10, 3;", 1, 2), 6u);
  EXPECT_EQ(carried("sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, 10, 3;", 2, 2), 7u);
  EXPECT_EQ(carried("mad.lo.cc.u32 %r5, %r1, %r2, %r3; addc.u32 %r4, 0, 0;", 0x10000, 0xffff, 0x10000), 1u);
  EXPECT_EQ(carried("add.cc.u32 %r5, %r1, %r2; madc.hi.u32 %r4, %r1, 2, 5;", 0xffffffff, 1), 1u + 5 + 1);
  EXPECT_EQ(carried("add.cc.u32 %r5, %r1, %r2; madc.hi.s32 %r4, %r1, 2, 5;", 0xffffffff, 1),
            static_cast<uint32_t>(-1) + 5 + 1);
}

TEST(Integer, dot_products_of_bytes_and_words) {
  // 1*5 + (-1)*6 + 2*7 + 0*8 + 100
  EXPECT_EQ(evaluate<int32_t>("dp4a.s32.s32 %d, %a, %b, %c;", 0x0002ff01, 0x08070605, 100), 113);
  // the same bytes unsigned: 255*6 instead of -6
  EXPECT_EQ(evaluate<int32_t>("dp4a.u32.u32 %d, %a, %b, %c;", 0x0002ff01, 0x08070605, 100),
            5 + 255 * 6 + 14 + 100);
  // words 3 and -2 times bytes 5 and 6, or 7 and 8
  EXPECT_EQ(
      evaluate<int32_t>("dp2a.lo.s32.s32 %d, %a, %b, %c;", static_cast<int32_t>(0xfffe0003), 0x08070605, 1),
      15 - 12 + 1);
  EXPECT_EQ(
      evaluate<int32_t>("dp2a.hi.s32.s32 %d, %a, %b, %c;", static_cast<int32_t>(0xfffe0003), 0x08070605, 1),
      21 - 16 + 1);
}

}  // namespace
}  // namespace lanescope::emulator
