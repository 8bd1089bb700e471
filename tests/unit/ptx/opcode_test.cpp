#include "ptx/opcode.h"

#include "support/ptx_text.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

TEST(Opcode, a_row_decodes_into_its_operands) {
  const OpcodeRow& shfl = row_of(Op::shfl_sync);
  ASSERT_EQ(shfl.operand_count, 6);
  EXPECT_EQ(shfl.operands[0].role, OperandRole::Destination);
  EXPECT_EQ(shfl.operands[1].role, OperandRole::SetPredicate);
  EXPECT_EQ(shfl.operands[1].separator, OperandSeparator::Bar);
  EXPECT_TRUE(shfl.operands[1].optional);
  EXPECT_EQ(shfl.operands[3].type, OperandType::Fixed);
  EXPECT_EQ(shfl.operands[3].fixed, Type::u32);
  const OpcodeRow& setp = row_of(Op::setp);
  EXPECT_EQ(setp.operands[4].role, OperandRole::ReadPredicate);
  EXPECT_TRUE(setp.operands[4].optional);
  EXPECT_EQ(row_of(Op::ret).operand_count, 0);
}

TEST(Opcode, spelling_leads_to_the_row) {
  ASSERT_NE(row_named("vote.sync.ballot"), nullptr);
  EXPECT_EQ(row_named("vote.sync.ballot")->op, Op::vote_sync_ballot);
  EXPECT_EQ(row_named("vote"), nullptr);
  EXPECT_EQ(row_named("and")->op, Op::and_);
}

TEST(Opcode, one_spelling_means_what_the_instruction_makes_of_it) {
  const auto comparison = first_instruction("setp.lo.u32 %p1, %r1, %r2;");
  EXPECT_EQ(comparison.modifiers.comparison, Comparison::Lo);
  const auto product = first_instruction("mul.lo.u32 %r1, %r1, %r2;");
  EXPECT_EQ(product.modifiers.part, ProductPart::Low);
}

// One line per row of the table, each accepted by ptxas 13.0 for sm_90.
constexpr const char* kExamples[] = {
    "mov.u32 %r1, %tid.x;",
    "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];",
    "ldu.global.f32 %f1, [%rd1];",
    "st.shared.u32 [tile+4], %r1;",
    "prefetch.global.L2 [%rd1];",
    "cvta.global.u64 %rd1, table;",
    "cvta.to.global.u64 %rd1, %rd2;",
    "isspacep.shared %p1, %rd1;",
    "cvt.rn.f32.s32 %f1, %r1;",
    "prmt.b32 %r1, %r2, %r3, 0x5410;",
    "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;",
    "add.s32 %r1, %r2, -3;",
    "sub.rn.f32 %f1, %f2, %f3;",
    "addc.cc.u32 %r1, %r2, %r3;",
    "subc.u32 %r1, %r2, %r3;",
    "mul.wide.s32 %rd1, %r1, 4;",
    "mad.lo.s32 %r1, %r2, %r3, %r4;",
    "madc.hi.u32 %r1, %r2, %r3, %r4;",
    "mul24.lo.u32 %r1, %r2, %r3;",
    "mad24.lo.s32 %r1, %r2, %r3, %r4;",
    "sad.s32 %r1, %r2, %r3, %r4;",
    "div.full.f32 %f1, %f2, %f3;",
    "rem.u64 %rd1, %rd2, 7;",
    "abs.ftz.f32 %f1, %f2;",
    "neg.s64 %rd1, %rd2;",
    "min.NaN.f32 %f1, %f2, %f3;",
    "max.u16 %rs1, %rs2, %rs3;",
    "popc.b64 %r1, %rd1;",
    "clz.b32 %r1, %r2;",
    "bfind.shiftamt.u32 %r1, %r2;",
    "brev.b32 %r1, %r2;",
    "bfe.s32 %r1, %r2, 4, 8;",
    "bfi.b64 %rd1, %rd2, %rd3, 32, 32;",
    "fns.b32 %r1, %r2, %r3, 1;",
    "szext.wrap.s32 %r1, %r2, 5;",
    "bmsk.clamp.b32 %r1, %r2, %r3;",
    "dp4a.u32.s32 %r1, %r2, %r3, %r4;",
    "dp2a.lo.s32.u32 %r1, %r2, %r3, %r4;",
    "fma.rn.ftz.f32 %f1, %f2, %f3, 0f3F800000;",
    "rcp.approx.ftz.f64 %fd1, %fd2;",
    "sqrt.rn.f32 %f1, %f2;",
    "rsqrt.approx.f32 %f1, %f2;",
    "sin.approx.f32 %f1, %f2;",
    "cos.approx.ftz.f32 %f1, %f2;",
    "lg2.approx.f32 %f1, %f2;",
    "ex2.approx.ftz.f32 %f1, %f2;",
    "tanh.approx.f32 %f1, %f2;",
    "copysign.f32 %f1, %f2, %f3;",
    "testp.finite.f32 %p1, %f1;",
    "testp.infinite.f64 %p1, %fd1;",
    "testp.number.f32 %p1, %f1;",
    "testp.notanumber.f32 %p1, %f1;",
    "testp.normal.f32 %p1, %f1;",
    "testp.subnormal.f32 %p1, %f1;",
    "setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;",
    "set.gt.u32.f32 %r1, %f1, %f2;",
    "selp.b32 %r1, %r2, -1, %p1;",
    "slct.f32.s32 %f1, %f2, %f3, %r1;",
    "and.pred %p1, %p2, !%p3;",
    "or.b16 %rs1, %rs2, 3;",
    "xor.b64 %rd1, %rd2, %rd3;",
    "not.pred %p1, %p2;",
    "cnot.b32 %r1, %r2;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0xE8;",
    "shl.b64 %rd1, %rd2, %r1;",
    "shr.s16 %rs1, %rs2, 3;",
    "shf.l.wrap.b32 %r1, %r2, %r3, 7;",
    "L: bra.uni L;",
    "T: .branchtargets A, B; A: B: brx.idx %r1, T;",
    "{ .param .b32 p0; .param .b32 r0; call.uni (r0), helper, (p0); }",
    "ret.uni;",
    "exit;",
    "trap;",
    "brkpt;",
    "nanosleep.u32 10;",
    "bar.sync 0, 64;",
    "bar.arrive 1, 64;",
    "bar.red.popc.u32 %r1, 0, %p1;",
    "bar.red.and.pred %p1, 0, %p2;",
    "bar.red.or.pred %p1, 0, !%p2;",
    "barrier.sync.aligned 0;",
    "barrier.arrive 0, 64;",
    "bar.warp.sync -1;",
    "membar.gl;",
    "fence.acq_rel.gpu;",
    "atom.relaxed.gpu.global.cas.b32 %r1, [%rd1], %r2, %r3;",
    "red.global.add.f32 [%rd1], %f1;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "vote.sync.any.pred %p1, !%p2, -1;",
    "match.any.sync.b64 %r1, %rd1, -1;",
    "match.all.sync.b32 %r1|%p1, %r2, -1;",
    "activemask.b32 %r1;",
    "redux.sync.add.s32 %r1, %r2, -1;",
    "elect.sync %r1|%p1, -1;",
};

TEST(Opcode, every_row_has_an_example_that_parses) {
  std::set<Op> seen;
  for (const char* example : kExamples) {
    const auto module = parse_body(example);
    ASSERT_TRUE(module) << describe(module.error());
    for (const Instruction& instruction : kernel_of(*module).instructions) seen.insert(instruction.op);
  }
  const auto last = static_cast<int>(Op::elect_sync);
  for (int op = 0; op <= last; ++op) {
    EXPECT_TRUE(seen.contains(static_cast<Op>(op))) << name_of(static_cast<Op>(op)) << " has no example";
  }
}

TEST(Opcode, operands_keep_their_places_whatever_is_left_out) {
  for (const char* example : kExamples) {
    const Module module = parse_body(example).value();
    for (const Instruction& instruction : kernel_of(module).instructions) {
      const int expected = instruction.op == Op::call ? 3 : row_of(instruction.op).operand_count;
      EXPECT_EQ(static_cast<int>(instruction.operands.size()), expected) << example;
    }
  }
}

TEST(SpecialRegister, every_spelling_leads_back) {
  for (int i = 0; i <= static_cast<int>(SpecialRegister::dynamic_smem_size); ++i) {
    const auto special = static_cast<SpecialRegister>(i);
    EXPECT_EQ(special_register_named(name_of(special)), special);
    const int size = size_bytes(type_of(special));
    EXPECT_EQ(
        complaint(fmt::format("mov.b{} {}, {};", 8 * size, size == 8 ? "%rd1" : "%r1", name_of(special))),
        "");
  }
}

}  // namespace
}  // namespace lanescope::ptx
