// What fits and what does not. Each line was given to ptxas 13.0 (sm_90), which takes and refuses the same
// ones.

#include "support/ptx_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

TEST(Check, what_ptxas_accepts_is_accepted) {
  for (const char* body : {"mov.f32 %f1, 0d3FF0000000000000;",
                           "mov.f64 %fd1, 0f3F800000;",
                           "mov.b32 %r1, 0f3F800000;",
                           "cvt.u64.u32 %rd1, %tid.x;",
                           "st.global.u32 [%rd1], 5;",
                           "ld.global.u32 %rd1, [%rd1];",
                           "ld.global.f32 %rd1, [%rd1];",
                           "shl.b32 %f1, %f1, 3;",
                           "and.b32 %f1, %f1, %r3;",
                           "setp.lt.f32 %p1, %r1, %f2;",
                           "selp.b32 %r1, %r2, %r3, !%p1;",
                           "mov.pred %p1, 1;",
                           "and.pred %p1, %p2, 1;",
                           "and.pred %p1, %p2, !%p3;",
                           "mov.f32 %r1, %f2;",
                           "st.global.u8 [%rd1], %r1;",
                           "cvt.u32.u16 %r1, %r2;",
                           "cvt.u8.u32 %r1, %r2;",
                           "add.f16 %h1, %h2, %rs3;",
                           "mov.b32 %r1, {%rs1, %rs2};",
                           "mov.u16 %rs1, 0x12345;",
                           "bar.sync 0, %r1;",
                           "mul.lo.s32 %r1, %r2, 0x1FFFFFFFF;",
                           "mov.b64 %rd1, {%r1, 7};",
                           "ld.shared.u32 %r1, [%r2];",
                           "ld.u32.global %r1, [%rd1];",
                           "setp.f32.lt %p1, %f1, %f2;",
                           "add .u32 %r1, %r2, 3;",
                           "cvta.global.u64 %rd1, table+4;"}) {
    EXPECT_EQ(complaint(body), "") << body;
  }
}

TEST(Check, what_ptxas_refuses_is_refused) {
  for (const char* body : {"add.f32 %f1, %f2, 1;",
                           "mov.f32 %f1, 0;",
                           "mov.u32 %r1, 1.0;",
                           "mov.b32 %r1, 1.0;",
                           "add.u32 %r1, %tid.x, %r2;",
                           "st.global.u32 [%rd1], %f1;",
                           "ld.global.u32 %f1, [%rd1];",
                           "ld.global.f32 %fd1, [%rd1];",
                           "add.u32 %r1, %f1, %r2;",
                           "mov.u32 %r1, %f1;",
                           "shr.u32 %r1, %r2, %rs1;",
                           "popc.b64 %rd1, %rd2;",
                           "ld.global.u32 %rs1, [%rd1];",
                           "cvt.rn.s32.s16 %r1, %rs1;",
                           "cvt.f32.s32 %f1, %r1;",
                           "cvt.s32.f32 %r1, %f1;",
                           "cvt.f32.f64 %f1, %fd1;",
                           "add.s16 %r1, %r2, %r3;",
                           "fma.f32 %f1, %f1, %f1, %f1;",
                           "div.f32 %f1, %f1, %f1;",
                           "add.sat.u32 %r1, %r1, %r1;",
                           "mov.u32 %r1, %clock64;",
                           "add.u32 %r1, !%r2, 1;",
                           "mov.u32 _, %r1;",
                           "add.u32 _, %r1, %r1;",
                           "mul.s32 %r1, %r2, %r3;",
                           "mul.wide.s64 %rd1, %rd2, %rd3;",
                           "mul.wide.s32 %r1, %r2, %r3;",
                           "setp.s32 %p1, %r1, %r2;",
                           "setp.lt.b32 %p1, %r1, %r2;",
                           "setp.ltu.s32 %p1, %r1, %r2;",
                           "setp.lo.f32 %p1, %f1, %f2;",
                           "setp.lt.and.s32 %p1, %r1, %r2;",
                           "setp.lt.s32 %p1, %r1, %r2, %p2;",
                           "setp.lt.s32 %r1, %r1, %r2;",
                           "ld.global.v2.f32 %f1, [%rd1];",
                           "ld.global.v2.f32 {%f1, %f2, %f3}, [%rd1];",
                           "ld.global.f32 {%f1, %f2}, [%rd1];",
                           "mov.b64 %rd1, {%r1, %r2, %r3};",
                           "mov.b64 %rd1, {%rs1, %rs2};",
                           "mov.u64 %rd1, {%f1, %rd2};",
                           "atom.global.cas.b32 %r1, [%rd1], %r2;",
                           "atom.global.add.u32 %r1, [%rd1], %r2, %r3;",
                           "atom.global.u32 %r1, [%rd1], %r2;",
                           "red.global.exch.b32 [%rd1], %r2;",
                           "st.const.u32 [%rd1], %r1;",
                           "shf.b32 %r1, %r2, %r3, 7;",
                           "shfl.sync.b32 %r1, %r2, 1, 31, -1;",
                           "membar;",
                           "cvta.u64 %rd1, %rd2;",
                           "ld.shared.nc.u32 %r1, [%rd1];",
                           "ld.global.v4.b128 {%rd1, %rd1, %rd1, %rd1}, [%rd1];",
                           "ld.global.u32 %r1, [%f1];",
                           "mov.u64 5, %rd1;",
                           "add.u64 %rd1, table, 4;",
                           "add.ftz.s32 %r1, %r2, %r3;",
                           "selp.b32 %r1, %r2, %r3, %r4;",
                           "div.rn.s32 %r1, %r2, %r3;"}) {
    const auto module = parse_body(body);
    EXPECT_FALSE(module) << body;
  }
}

TEST(Check, what_ptxas_accepts_by_mistake_is_refused) {
  for (const char* body :
       {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "ld.global.u32 %r1, [%rs1];", "mov.u16 %rs1, table;"}) {
    EXPECT_FALSE(parse_body(body)) << body;
  }
}

TEST(Check, the_message_names_what_does_not_fit) {
  EXPECT_THAT(complaint("add.u32 %r1, %f1, %r2;"),
              HasSubstr("'%f1' is declared .f32 and does not fit an operand of type .u32"));
  EXPECT_THAT(complaint("add.f32 %f1, %f2, 1;"), HasSubstr("write 0f or 0d and its bits"));
  EXPECT_THAT(complaint("mul.s32 %r1, %r2, %r3;"), HasSubstr("'mul' of integers needs .lo, .hi or .wide"));
  EXPECT_THAT(complaint("ld.global.f32 {%f1, %f2}, [%rd1];"), HasSubstr("is .v2 or .v4 missing?"));
}

TEST(Check, wide_products_take_twice_the_width) {
  EXPECT_EQ(complaint("mad.wide.u32 %rd1, %r1, %r2, %rd2;"), "");
  EXPECT_EQ(complaint("mul.wide.u16 %r1, %rs1, %rs2;"), "");
  EXPECT_NE(complaint("mad.wide.u32 %rd1, %r1, %r2, %r3;"), "");
}

}  // namespace
}  // namespace lanescope::ptx
