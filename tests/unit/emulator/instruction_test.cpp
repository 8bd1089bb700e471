// Every row of ptx/opcode.def is executed, and what changes nothing changes nothing.

#include "emulator/decoder.h"
#include "kernel_run.h"
#include "ptx/opcode.h"
#include "support/instruction_examples.h"
#include "support/ptx_text.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

/// Calls need a whole kernel, and are tested in call_test.cpp.
bool is_call(const ptx::Module& module) {
  return std::ranges::any_of(ptx::kernel_of(module).instructions,
                             [](const ptx::Instruction& one) { return one.op == ptx::Op::call; });
}

TEST(Instruction, every_row_has_a_handler) {
  for (const char* example : ptx::kInstructionExamples) {
    const auto module = ptx::parse_body(example);
    ASSERT_TRUE(module) << example;
    if (is_call(*module)) continue;  // call_test.cpp
    const auto program = ptx::lower(*module, "k");
    ASSERT_TRUE(program) << describe(program.error());
    const auto code = decode(*program, {1, 1, 1}, {32, 1, 1}, 0, {.vectors = Vectors::Plain});
    EXPECT_TRUE(code) << describe(code.error());
  }
}

TEST(Instruction, hints_and_what_concerns_other_blocks_change_nothing) {
  EXPECT_EQ(evaluate<uint32_t>("mov.u32 %d, 5; prefetchu.L1 [%rd_out]; discard.global.L2 [%rd_out], 128; "
                               "applypriority.global.L2::evict_normal [%rd_out], 128; pmevent 1;"),
            5u);
  EXPECT_EQ(evaluate<uint32_t>(
                "mov.u32 %d, 6; griddepcontrol.launch_dependents; griddepcontrol.wait; membar.proxy.alias; "
                "fence.proxy.async; fence.mbarrier_init.release.cluster;"),
            6u);
  EXPECT_EQ(evaluate<uint64_t>("createpolicy.fractional.L2::evict_last.b64 %d, 0f3F800000;"), 0u);
}

TEST(Instruction, a_cluster_is_one_block) {
  EXPECT_EQ(evaluate<uint32_t>("mov.u32 %d, %cluster_nctarank;"), 1u);
  EXPECT_EQ(evaluate<uint32_t>("mov.u32 %d, %cluster_ctarank;"), 0u);
  EXPECT_EQ(evaluate<uint32_t>("mov.u32 %d, %nclusterid.x;"), 1u);
  EXPECT_EQ(evaluate<uint32_t>("mapa.shared::cluster.u32 %d, %a, 0;", 64u), 64u);
  EXPECT_EQ(evaluate<uint32_t>("getctarank.shared::cluster.u32 %d, %a;", 64u), 0u);
  EXPECT_EQ(evaluate<uint32_t>("mov.u32 %d, %envreg3;"), 0u);
}

TEST(Instruction, lop3_also_says_whether_a_bit_is_set) {
  // 0x80: a and b and c. %p9 was never set and is false.
  EXPECT_TRUE(evaluate_truth("lop3.or.b32 %r9|%d, %a, %b, %c, 0x80, %p9;", 6u, 3u, 2u));
  EXPECT_FALSE(evaluate_truth("lop3.and.b32 %r9|%d, %a, %b, %c, 0x80, %p9;", 6u, 3u, 2u));
  EXPECT_TRUE(evaluate_truth("lop3.and.b32 %r9|%d, %a, %b, %c, 0x80, !%p9;", 6u, 3u, 2u));
  EXPECT_FALSE(evaluate_truth("lop3.or.b32 %r9|%d, %a, %b, %c, 0x80, %p9;", 6u, 3u, 8u));
}

TEST(Instruction, bits_are_found_extended_and_masked) {
  EXPECT_EQ(evaluate<uint32_t>("fns.b32 %d, %a, 0, 2;", 0b10110u), 2u);
  EXPECT_EQ(evaluate<uint32_t>("fns.b32 %d, %a, 4, -2;", 0b10110u), 2u);
  EXPECT_EQ(evaluate<uint32_t>("fns.b32 %d, %a, 1, 0;", 0b10110u), 1u);
  EXPECT_EQ(evaluate<uint32_t>("fns.b32 %d, %a, 0, 4;", 0b10110u), 0xffffffffu);
  EXPECT_EQ(evaluate<int32_t>("szext.clamp.s32 %d, %a, 4;", 0x78), -8);
  EXPECT_EQ(evaluate<uint32_t>("szext.wrap.u32 %d, %a, 36;", 0x78u), 8u);
  EXPECT_EQ(evaluate<uint32_t>("bmsk.clamp.b32 %d, %a, %b;", 4u, 3u), 0x70u);
}

TEST(Instruction, integers_of_16_bits_in_pairs) {
  EXPECT_EQ(evaluate<uint32_t>("add.u16x2 %d, %a, %b;", 0x0001ffffu, 0x00010002u), 0x00020001u);
  EXPECT_EQ(evaluate<uint32_t>("min.s16x2 %d, %a, %b;", 0x7fff8000u, 0x00010001u), 0x00018000u);
  EXPECT_EQ(evaluate<uint32_t>("max.u16x2 %d, %a, %b;", 0x7fff8000u, 0x00010001u), 0x7fff8000u);
  EXPECT_EQ(evaluate<uint32_t>("max.relu.s16x2 %d, %a, %b;", 0x8000ffffu, 0xfffe0005u), 0x00000005u);
  EXPECT_EQ(evaluate<int32_t>("min.relu.s32 %d, %a, %b;", -5, 3), 0);
}

TEST(Instruction, one_more_of_each_that_is_rare) {
  EXPECT_EQ(evaluate<int32_t>("mad24.hi.sat.s32 %d, %a, %b, %c;", 0x7fffff, 0x7fffff, 0x7fffffff),
            0x7fffffff);
  EXPECT_EQ(evaluate<uint32_t>("slct.ftz.b32.f32 %d, %a, %b, %c;", 1u, 2u, -0x1p-130f), 1u);
  EXPECT_EQ(evaluate<uint32_t>("slct.b32.f32 %d, %a, %b, %c;", 1u, 2u, -0x1p-130f), 2u);
  EXPECT_EQ(evaluate<float>("min.xorsign.abs.f32 %d, %a, %b;", -2.0f, 3.0f), -2.0f);
  EXPECT_EQ(evaluate<float>("max.xorsign.abs.f32 %d, %a, %b;", -2.0f, -3.0f), 3.0f);
  EXPECT_EQ(evaluate<double>("rcp.approx.ftz.f64 %d, %a;", 4.0), 0.25);
  EXPECT_EQ(evaluate<float>("div.approx.f32 %d, %a, %b;", 0x1p127f, 0x1p127f), 0.0f);
}

}  // namespace
}  // namespace lanescope::emulator
