// Registers of small kernels, counted by hand from what lives at the same time.

#include "pipeline/register_estimate.h"

#include "ptx/lower.h"
#include "ptx/module.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

uint32_t estimated(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      "\t.reg .pred %p<3>;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n" +
      body + "\tret;\n}\n";
  const auto module = ptx::parse(text, "k.ptx");
  EXPECT_TRUE(module) << (module ? "" : module.error().message);
  const auto program = ptx::lower(*module, "k");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return estimate_registers(*program);
}

TEST(RegisterEstimate, counts_wide_values_twice) {
  // The pointer and the value that is stored through it.
  EXPECT_EQ(
      estimated("\tld.param.u64 %rd1, [p];\n\tld.global.u32 %r1, [%rd1];\n\tst.global.u32 [%rd1], %r1;\n"),
      3u);
}

TEST(RegisterEstimate, values_that_follow_each_other_share_a_register) {
  EXPECT_EQ(estimated("\tld.param.u64 %rd1, [p];\n"
                      "\tld.global.u32 %r1, [%rd1];\n\tst.global.u32 [%rd1+4], %r1;\n"
                      "\tld.global.u32 %r2, [%rd1+8];\n\tst.global.u32 [%rd1+12], %r2;\n"),
            3u);
  EXPECT_EQ(estimated("\tld.param.u64 %rd1, [p];\n"
                      "\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, [%rd1+8];\n"
                      "\tst.global.u32 [%rd1+4], %r1;\n\tst.global.u32 [%rd1+12], %r2;\n"),
            4u);
}

TEST(RegisterEstimate, predicates_have_registers_of_their_own) {
  EXPECT_EQ(estimated("\tld.param.u64 %rd1, [p];\n\tld.global.u32 %r1, [%rd1];\n"
                      "\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 st.global.u32 [%rd1], %r1;\n"),
            3u);
}

}  // namespace
}  // namespace lanescope::pipeline
