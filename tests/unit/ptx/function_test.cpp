#include "support/ptx_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

Result<Module> parse_functions(std::string_view text) {
  return parse(fmt::format(".version 9.0 .target sm_90 .address_size 64\n{}", text), "t.ptx");
}

TEST(Function, parameters_lie_at_multiples_of_their_alignment) {
  const Module module =
      parse_functions(
          ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .u16 c,"
          " .param .align 16 .b8 d[20], .param .f32 e) { ret; }")
          .value();
  const Function& k = module.functions[0];
  ASSERT_EQ(k.parameters.size(), 5u);
  EXPECT_EQ(k.parameters[0].offset, 0u);
  EXPECT_EQ(k.parameters[1].offset, 8u);
  EXPECT_EQ(k.parameters[1].alignment, 8u) << "what a pointer points to does not align the pointer";
  EXPECT_EQ(k.parameters[2].offset, 16u);
  EXPECT_EQ(k.parameters[3].offset, 32u);
  EXPECT_EQ(k.parameters[3].size_bytes, 20u);
  EXPECT_EQ(k.parameters[4].offset, 52u);
  EXPECT_EQ(k.parameter_bytes, 56u);
}

TEST(Function, launch_bounds_are_kept) {
  const Module module = parse_functions(
                            ".entry k() .maxntid 256, 2, 1 .minnctapersm 2 .maxnreg 32 { ret; }"
                            ".entry j() .reqntid 32 .reqnctapercluster 2, 1, 1 { ret; }")
                            .value();
  EXPECT_EQ(module.functions[0].bounds.max_threads, (Dim3{256, 2, 1}));
  EXPECT_EQ(module.functions[0].bounds.min_blocks, 2u);
  EXPECT_EQ(module.functions[0].bounds.max_registers, 32u);
  EXPECT_EQ(module.functions[1].bounds.required_threads, (Dim3{32, 1, 1}));
  EXPECT_EQ(module.functions[1].bounds.required_cluster, (Dim3{2, 1, 1}));
  EXPECT_TRUE(parse_functions(".entry k() .maxntid 128 .maxclusterrank 4 { ret; }"));
  const Error refused =
      parse_functions(".entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }").error();
  EXPECT_EQ(refused.kind, ErrorKind::Unsupported);
  EXPECT_THAT(refused.message, HasSubstr("__cluster_dims__"));
}

TEST(Function, a_prototype_and_its_definition_are_one_function) {
  const Module module = parse_functions(
                            ".func (.param .b32 r) f(.param .b32 x);"
                            ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r<2>; ld.param.b32 %r1, [x];"
                            " st.param.b32 [r], %r1; ret; }")
                            .value();
  ASSERT_EQ(module.functions.size(), 1u);
  EXPECT_FALSE(module.functions[0].is_declaration);
  const auto& store = module.functions[0].instructions[1];
  EXPECT_EQ(std::get<AddressOperand>(store.operands[0]).base,
            (decltype(AddressOperand::base){SymbolOperand{SymbolKind::Result, 0, 0}}));
  EXPECT_THAT(parse_functions(".entry k() { ret; } .entry k() { ret; }").error().message,
              HasSubstr("a second time"));
}

TEST(Function, an_extern_function_has_no_body) {
  const Module module =
      parse_functions(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);").value();
  EXPECT_TRUE(module.functions[0].is_declaration);
  EXPECT_TRUE(kernels_of(module).empty());
}

TEST(Function, names_of_one_body_are_unknown_to_the_next) {
  const auto module = parse_functions(
      ".entry k(.param .u64 p) { .reg .b32 %r<4>; ret; } .entry j() { mov.u32 %r1, 0; ret; }");
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error().message, HasSubstr("'%r1' is not declared"));
}

TEST(Function, braces_are_bounded) {
  EXPECT_EQ(kind_of_complaint(std::string(100000, '{')), ErrorKind::Limit);
  EXPECT_THAT(complaint("{"), HasSubstr("ends here"));
}

TEST(Function, what_cannot_be_is_refused) {
  for (const char* text :
       {".entry", ".entry k", ".entry k(", ".entry k()", ".entry k() {",
        ".entry k(.param .u32 a, .param .u32 a) { }", ".entry k(.reg .u32 a) { }",
        ".entry k(.param .b8 a[40000]) { }", ".entry k() { .reg .b32 %r<2>, %r<3>; }",
        ".entry k() { .reg .v2 .f32 %v; }", ".entry k() { .global .u32 x; }", ".func f() { } }",
        ".alias f, g;", ".entry k() { P: .callprototype _ () }", "ret;", ".visible"}) {
    EXPECT_FALSE(parse_functions(text)) << text;
  }
}

TEST(Function, a_million_declared_registers_cost_nothing) {
  const Module module =
      parse_functions(".entry k() { .reg .b32 %r<4294967295>; mov.u32 %r4294967294, 1; ret; }").value();
  EXPECT_EQ(module.functions[0].registers.size(), 1u);
}

}  // namespace
}  // namespace lanescope::ptx
