#include "ptx/opcode.h"

#include "support/instruction_examples.h"
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

TEST(Opcode, every_row_has_an_example_that_parses) {
  std::set<Op> seen;
  for (const char* example : kInstructionExamples) {
    const auto module = parse_body(example);
    ASSERT_TRUE(module) << describe(module.error());
    for (const Instruction& instruction : kernel_of(*module).instructions) seen.insert(instruction.op);
  }
  for (const OpcodeRow& row : opcode_rows())
    EXPECT_TRUE(seen.contains(row.op)) << row.spelling << " has no example";
}

TEST(Opcode, operands_keep_their_places_whatever_is_left_out) {
  for (const char* example : kInstructionExamples) {
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
