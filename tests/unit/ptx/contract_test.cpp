// When products and sums are fused: expectations are what ptxas 13.0 makes of the same PTX for sm_90.

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

Program program_of(std::string_view body) {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 to)\n{{\n"
      ".reg .pred %p<9>; .reg .b32 %h<9>; .reg .b64 %to; .reg .f32 %f<20>; .reg .f64 %d<9>;\n"
      "ld.param.u64 %to, [to];\nld.global.f32 %f0, [%to];\nld.global.f32 %f1, [%to+4];\n"
      "ld.global.f32 %f2, [%to+8];\nld.global.f32 %f3, [%to+12];\n{}\nret;\n}}\n",
      body);
  const auto module = parse(text, "t.ptx");
  EXPECT_TRUE(module) << describe(module.error());
  auto program = module ? lower(*module, "k") : std::unexpected(module.error());
  EXPECT_TRUE(program) << describe(program.error());
  return program ? *std::move(program) : Program{};
}

/// "mul fma-c" and the like: the arithmetic of the program, in order.
std::string arithmetic(std::string_view body) {
  const Program program = program_of(body);
  std::string all;
  for (const Step& step : program.steps) {
    if (step.op != Op::mul && step.op != Op::add && step.op != Op::sub && step.op != Op::fma) continue;
    all += fmt::format("{}{}", all.empty() ? "" : " ", name_of(step.op));
    const FusedSign sign = program.modifiers[step.modifiers].fused_sign;
    if (sign == FusedSign::NegativeProduct) all += "-ab";
    if (sign == FusedSign::NegativeAddend) all += "-c";
  }
  return all;
}

TEST(Contract, a_product_and_a_sum_without_rounding_become_one_fma) {
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"), "mul fma");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.f32 %f5, %f2, %f4; st.global.f32 [%to], %f5;"), "mul fma");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; sub.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul fma-c");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; sub.f32 %f5, %f2, %f4; st.global.f32 [%to], %f5;"),
            "mul fma-ab");
}

TEST(Contract, the_factors_and_the_addend_are_the_fmas_sources) {
  const Program program =
      program_of("mul.f32 %f4, %f0, %f1; sub.f32 %f5, %f2, %f4; st.global.f32 [%to], %f5;");
  const Step& product = program.steps[5];
  const Step& fused = program.steps[6];
  EXPECT_EQ(fused.source[0], product.source[0]);
  EXPECT_EQ(fused.source[1], product.source[1]);
  EXPECT_EQ(fused.source[2], program.steps[3].destination[0]);
  EXPECT_EQ(program.modifiers[fused.modifiers].rounding, Rounding::NearestEven);
}

TEST(Contract, a_written_rounding_is_kept) {
  EXPECT_EQ(arithmetic("mul.rn.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul add");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.rn.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul add");
  EXPECT_EQ(arithmetic("mul.ftz.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul add");
  EXPECT_EQ(arithmetic("mul.sat.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul add");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.sat.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul fma");
}

TEST(Contract, of_two_products_the_first_operand_is_fused) {
  const Program program = program_of(
      "mul.f32 %f4, %f0, %f1; mul.f32 %f5, %f2, %f3; sub.f32 %f6, %f5, %f4; st.global.f32 [%to], %f6;");
  EXPECT_EQ(program.steps[7].op, Op::fma);
  EXPECT_EQ(program.steps[7].source[0], program.steps[6].source[0]) << "%f5 is the first operand";
  EXPECT_EQ(arithmetic(
                "mul.f32 %f4, %f0, %f1; mul.f32 %f5, %f2, %f3; add.f32 %f6, %f4, %f5; add.f32 %f7, %f5, %f0; "
                "st.global.f32 [%to], %f6; st.global.f32 [%to], %f7;"),
            "mul mul fma add")
      << "what was an addend once stays rounded";
}

TEST(Contract, a_product_that_is_needed_for_itself_is_not_fused) {
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f4; "
                       "st.global.f32 [%to], %f5;"),
            "mul add");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f4; st.global.f32 [%to], %f5;"), "mul add");
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; add.f32 %f5, %f4, %f2; sub.f32 %f6, %f3, %f4; "
                       "st.global.f32 [%to], %f5; st.global.f32 [%to], %f6;"),
            "mul fma fma-ab")
      << "two sums both take it";
}

TEST(Contract, a_sum_in_another_block_is_left_alone) {
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; setp.gt.f32 %p1, %f3, 0f00000000; @%p1 bra L; "
                       "st.global.f32 [%to], %f2; L: add.f32 %f5, %f4, %f2; st.global.f32 [%to], %f5;"),
            "mul add");
}

TEST(Contract, a_factor_that_is_written_in_between_prevents_it) {
  EXPECT_EQ(arithmetic("mul.f32 %f4, %f0, %f1; mov.f32 %f0, %f3; add.f32 %f5, %f4, %f2; "
                       "st.global.f32 [%to], %f5; st.global.f32 [%to], %f0;"),
            "mul add");
}

TEST(Contract, doubles_and_halves_are_fused_too_and_whole_numbers_never) {
  EXPECT_EQ(arithmetic("cvt.f64.f32 %d1, %f0; mul.f64 %d2, %d1, %d1; sub.f64 %d3, %d2, %d1; "
                       "st.global.f64 [%to], %d3;"),
            "mul fma-c");
  EXPECT_EQ(arithmetic("mov.b32 %h1, %f0; mul.bf16x2 %h2, %h1, %h1; sub.bf16x2 %h3, %h1, %h2; "
                       "st.global.b32 [%to], %h3;"),
            "mul fma-ab");
  EXPECT_EQ(arithmetic("mov.b32 %h1, %f0; mul.lo.u32 %h2, %h1, %h1; sub.u32 %h3, %h1, %h2; "
                       "st.global.b32 [%to], %h3;"),
            "mul sub");
}

}  // namespace
}  // namespace lanescope::ptx
