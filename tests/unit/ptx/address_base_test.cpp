// What addresses are computed from.

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

/// The base of the last memory instruction: the name of a variable, "parameter 8" (its offset), "-".
std::string base_of(std::string_view body) {
  const auto module = parse(
      fmt::format(".version 8.0\n.target sm_90\n.address_size 64\n"
                  ".shared .align 4 .b8 a[64]; .shared .align 4 .b8 b[64]; .global .align 4 .b8 g[64];\n"
                  ".visible .entry k(.param .u32 n, .param .u64 p, .param .u64 q)\n"
                  "{{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
                  "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r2, a;\n"
                  "mov.u32 %r3, b; mov.u32 %r4, %tid.x; cvt.u64.u32 %rd3, %r4; setp.eq.u32 %p1, %r4, "
                  "0;\n{}\nret;\n}}\n",
                  body),
      "test.ptx");
  EXPECT_TRUE(module) << describe(module.error());
  if (!module) return {};
  const auto program = lower(*module, "k");
  EXPECT_TRUE(program) << describe(program.error());
  if (!program || program->sites.empty()) return {};
  const AddressBase base = program->sites.back().base;
  switch (base.kind) {
    case AddressBase::Kind::Variable:
      return program->variables[base.number].name;
    case AddressBase::Kind::Parameter:
      return fmt::format("parameter {}", base.number);
    case AddressBase::Kind::Unknown:
      return "-";
  }
  return {};
}

TEST(AddressBase, sums_and_conversions_keep_it) {
  EXPECT_EQ(base_of("ld.shared.u32 %r8, [%r2+4];"), "a");
  EXPECT_EQ(base_of("ld.shared.u32 %r8, [b+4];"), "b");
  EXPECT_EQ(base_of("shl.b32 %r5, %r4, 2; add.u32 %r6, %r5, %r2; ld.shared.u32 %r8, [%r6+-4];"), "a");
  EXPECT_EQ(base_of("mad.lo.u32 %r6, %r4, %r1, %r3; ld.shared.u32 %r8, [%r6];"), "b");
  EXPECT_EQ(base_of("sub.u32 %r6, %r2, %r4; and.b32 %r6, %r6, -16; ld.shared.u32 %r8, [%r6];"), "a");
  EXPECT_EQ(base_of("cvt.u64.u32 %rd4, %r2; cvta.shared.u64 %rd5, %rd4; ld.u32 %r8, [%rd5];"), "a");
  EXPECT_EQ(base_of("cvta.to.global.u64 %rd4, %rd2; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd4, %rd4, %rd5; "
                    "st.global.u32 [%rd4], %r1;"),
            "parameter 16");
  EXPECT_EQ(base_of("mov.u64 %rd4, g; add.u64 %rd4, %rd4, %rd3; ld.global.u8 %r8, [%rd4];"), "g");
}

TEST(AddressBase, a_loop_keeps_it) {
  EXPECT_EQ(
      base_of(
          "mov.u32 %r6, %r2; L: ld.shared.u32 %r7, [%r6]; add.u32 %r6, %r6, 4; setp.lt.u32 %p2, %r6, %r1; "
          "@%p2 bra L; ld.shared.u32 %r8, [%r6];"),
      "a");
}

TEST(AddressBase, two_in_one_leave_none) {
  EXPECT_EQ(base_of("selp.b32 %r6, %r2, %r3, %p1; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("mov.u32 %r6, %r2; @%p1 mov.u32 %r6, %r3; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("mov.u32 %r6, %r2; @%p1 mov.u32 %r6, %r4; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("sub.u32 %r5, %r3, %r2; add.u32 %r6, %r2, %r5; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("add.u64 %rd4, %rd1, %rd2; ld.global.u8 %r8, [%rd4];"), "-");
}

TEST(AddressBase, a_distance_is_a_number) {
  EXPECT_EQ(
      base_of(
          "add.u32 %r5, %r2, %r4; sub.u32 %r7, %r5, %r2; add.u32 %r6, %r3, %r7; ld.shared.u32 %r8, [%r6];"),
      "b");
}

TEST(AddressBase, what_else_is_done_with_an_address_leaves_none) {
  EXPECT_EQ(base_of("xor.b32 %r6, %r2, 64; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("and.b32 %r6, %r2, 12; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("shl.b32 %r6, %r2, 1; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("ld.shared.u32 %r6, [%r2]; ld.shared.u32 %r8, [%r6];"), "-");
  EXPECT_EQ(base_of("shfl.sync.idx.b32 %r6, %r2, 0, 31, -1; ld.shared.u32 %r8, [%r6];"), "-");
}

}  // namespace
}  // namespace lanescope::ptx
