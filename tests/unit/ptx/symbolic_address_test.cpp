// Addresses as sums.

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

/// The addresses of the memory instructions, each as "terms+offset/alignment".
std::string addresses_of(std::string_view body) {
  const auto module = parse(
      fmt::format(".version 8.0\n.target sm_90\n.address_size 64\n"
                  ".shared .align 16 .b8 a[64]; .shared .align 16 .b8 b[64]; .global .align 4 .b8 g[64];\n"
                  ".visible .entry k(.param .u32 n, .param .u64 p, .param .u64 q)\n"
                  "{{\n.reg .pred %p<4>; .reg .b32 %r<19>; .reg .b64 %rd<9>;\n"
                  "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [p]; mov.u32 %r2, a;\n"
                  "mov.u32 %r3, b; mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r4, 0;\n{}\nret;\n}}\n",
                  body),
      "test.ptx");
  EXPECT_TRUE(module) << describe(module.error());
  if (!module) return {};
  const auto program = lower(*module, "k");
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  std::string text;
  for (const MemorySite& site : program->sites)
    text += fmt::format("{}{}+{}/{}", text.empty() ? "" : " ", site.address.terms, site.address.offset,
                        site.address.alignment);
  return text;
}

TEST(SymbolicAddress, sites_of_one_register_differ_by_a_constant) {
  EXPECT_EQ(addresses_of("ld.shared.u32 %r8, [%r2+4]; ld.shared.u32 %r9, [b];"), "0+4/256 0+64/256");
  EXPECT_EQ(addresses_of("shl.b32 %r5, %r4, 4; add.u32 %r6, %r5, %r2; ld.shared.u32 %r8, [%r6+-4];"
                         "add.u32 %r7, %r5, %r3; ld.shared.u32 %r8, [%r7+8];"),
            "0+-4/16 0+72/16");
  EXPECT_EQ(addresses_of("mad.lo.u32 %r6, %r4, 12, %r3; ld.shared.u32 %r8, [%r6];"
                         "mul.lo.u32 %r5, %r4, 4; mul.lo.u32 %r7, %r5, 3; ld.shared.u32 %r8, [%r7];"),
            "0+64/4 0+0/4");
}

TEST(SymbolicAddress, a_parameter_is_one_term_however_often_it_is_loaded) {
  EXPECT_EQ(addresses_of("cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r4, 4; add.s64 %rd5, %rd3, %rd4;"
                         "ld.global.u32 %r8, [%rd5]; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd6, 12;"
                         "ld.global.u32 %r8, [%rd7]; ld.global.u32 %r8, [%rd1];"),
            "0+0/4 0+12/4 1+0/256");
}

TEST(SymbolicAddress, what_is_no_sum_or_is_defined_twice_is_a_term) {
  EXPECT_EQ(addresses_of("xor.b32 %r5, %r4, 3; shl.b32 %r6, %r5, 2; ld.shared.u32 %r8, [%r6];"
                         "mov.u32 %r7, %r6; L: ld.shared.u32 %r8, [%r7]; add.u32 %r7, %r7, 4;"
                         "setp.lt.u32 %p2, %r7, %r1; @%p2 bra L; ld.shared.u32 %r8, [%r7+4];"),
            "0+0/4 1+0/1 1+4/1");
  EXPECT_EQ(addresses_of("@%p1 mov.u32 %r6, 8; ld.shared.u32 %r8, [%r6];"), "0+0/1");
}

TEST(SymbolicAddress, or_adds_below_the_alignment_alone) {
  EXPECT_EQ(addresses_of("shl.b32 %r5, %r4, 4; or.b32 %r6, %r5, 12; ld.shared.u32 %r8, [%r6];"
                         "ld.shared.u32 %r8, [%r5]; or.b32 %r7, %r5, 16; ld.shared.u32 %r8, [%r7];"),
            "0+12/16 0+0/16 1+0/1");
}

}  // namespace
}  // namespace lanescope::ptx
