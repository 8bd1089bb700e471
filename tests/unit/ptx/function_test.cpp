#include "ptx/lower.h"
#include "support/ptx_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

Result<Module> parse_functions(std::string_view text) {
  return parse_whole(fmt::format(".version 9.0 .target sm_90 .address_size 64\n{}", text));
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

/// The module of a text that parses, with what is refused in it.
Module parsed(std::string_view text) {
  return parse(fmt::format(".version 9.0 .target sm_90 .address_size 64\n{}", text), "t.ptx").value();
}

TEST(Function, what_one_body_has_and_cannot_be_executed_does_not_concern_the_others) {
  const Module module = parsed(
      ".global .texref image;\n.entry first() { .reg .b32 %r<9>;\nmov.u32 %r1, %unknown_register; ret; }\n"
      ".entry second() { .reg .f32 %f<9>; { tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f1}]; } ret; "
      "}\n"
      ".entry third() { ret; }");
  ASSERT_EQ(kernels_of(module).size(), 3u);
  EXPECT_TRUE(lower(module, "third"));
  const Error first = lower(module, "first").error();
  EXPECT_EQ(first.kind, ErrorKind::Unsupported);
  EXPECT_THAT(first.message, HasSubstr("kernel first cannot be run: '%unknown_register'"));
  EXPECT_EQ(first.where, (Location{"t.ptx", 4})) << "no .loc says where in the source";
  EXPECT_THAT(lower(module, "second").error().message,
              HasSubstr("kernel second cannot be run: 'image' cannot be used (the type '.texref' is not"));
}

TEST(Function, a_refused_function_concerns_the_kernels_that_call_it) {
  const Module module = parsed(
      ".func bad() { .reg .b32 %r<9>; nonsense.u32 %r1, 1; ret; }\n.func good() { ret; }\n"
      ".entry calls_good() { call good; ret; }\n.entry calls_bad() { call bad; ret; }");
  EXPECT_TRUE(lower(module, "calls_good"));
  EXPECT_THAT(lower(module, "calls_bad").error().message,
              HasSubstr("kernel calls_bad cannot be run, since it uses 'bad': the instruction 'nonsense'"));
}

TEST(Function, a_refusal_names_the_line_of_the_source) {
  const Module module = parsed(
      ".entry k() { .reg .f32 %f<9>;\n.loc 1 17 3\ntex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];\n"
      "ret; }\n.file 1 \"image.cu\"");
  EXPECT_EQ(lower(module, "k").error().where, (Location{"image.cu", 17}));
  const Module inlined = parsed(
      ".entry k() { .reg .b32 %r<9>;\n.loc 1 17 3\n"
      ".loc 2 900 3, function_name $L, inlined_at 1 17 3\nnonsense.u32 %r1, 1;\nret; }\n"
      ".file 1 \"image.cu\"\n.file 2 \"compiler.h\"\n.section .debug_str { $L: .b8 102, 0 }");
  EXPECT_EQ(lower(inlined, "k").error().where, (Location{"image.cu", 17}))
      << "of the call, not of the header";
}

TEST(Function, a_refused_head_concerns_its_function_alone) {
  const Module module = parsed(
      ".entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }\n"
      ".func (.reg .b32 r) f(.reg .b32 x) { ret; }\n.entry j() { ret; }");
  EXPECT_EQ(kernels_of(module).size(), 2u);
  EXPECT_TRUE(lower(module, "j"));
  EXPECT_THAT(lower(module, "k").error().message, HasSubstr("__cluster_dims__"));
}

TEST(Function, a_variable_that_cannot_be_represented_concerns_those_that_name_it) {
  const Module module = parsed(
      ".global .surfref picture; .global .samplerref how = { addr_mode_0 = wrap };\n"
      ".entry j() { .reg .b64 %rd<9>; mov.u64 %rd1, how; ret; }\n.entry k() { ret; }");
  ASSERT_EQ(module.refused_variables.size(), 2u);
  EXPECT_EQ(module.refused_variables[1].name, "how");
  EXPECT_TRUE(lower(module, "k"));
  EXPECT_THAT(lower(module, "j").error().message, HasSubstr("'how' cannot be used"));
}

TEST(Function, a_body_without_an_end_is_an_error_of_the_file) {
  EXPECT_FALSE(parse(".version 9.0 .target sm_90 .entry k() { nonsense; ", "t.ptx"));
  EXPECT_FALSE(parse(".version 9.0 .target sm_90 .entry k() { ret; } } .entry j() { ret; }", "t.ptx"));
  EXPECT_FALSE(parse(".version 9.0 .target sm_90 .entry k(.param .nonsense x", "t.ptx"));
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
