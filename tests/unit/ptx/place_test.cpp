// Where in the CUDA source: .loc, .file and inlining, as NVRTC 13.0 writes them.

#include "support/ptx_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

// g2 calls g1 and both are inlined into k; the names are at the end, one byte a number.
constexpr std::string_view kInlined = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .f32 %f<4>;
	.loc	7 8 0
	mov.f32 %f1, 0f00000000;
	.loc	7 9 3
	.loc	7 4 3, function_name $L__info_string0, inlined_at 7 9 3
	.loc	7 2 11, function_name $L__info_string1+1, inlined_at 7 4 3
	mul.f32 %f2, %f1, %f1;
	.loc	7 0 3
	add.f32 %f3, %f2, %f1;
	ret;
}
	.file	7 "lesson.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,50,103,50
.b8 0
$L__info_string1:
.b8 120,103,49,0
	}
)";

TEST(Place, an_instruction_knows_its_line) {
  const Module module = parse(kInlined, "t.ptx").value();
  const Function& kernel = module.functions[0];
  EXPECT_EQ(kernel.location, (Location{"lesson.cu", 8}));
  EXPECT_EQ(source_of(module, kernel.instructions[0]), (Location{"lesson.cu", 8}));
  EXPECT_EQ(source_of(module, kernel.instructions[1]), (Location{"lesson.cu", 2}));
  EXPECT_EQ(source_of(module, kernel.instructions[2]).line, 0) << "the compiler blames no line";
}

TEST(Place, inlining_is_a_chain_of_calls) {
  const Module module = parse(kInlined, "t.ptx").value();
  const Place& innermost = module.places[*module.functions[0].instructions[1].place];
  EXPECT_EQ(innermost.function, "g1");
  const Place& middle = module.places[innermost.inlined_at.value()];
  EXPECT_EQ(middle.function, "_Z2g2");
  EXPECT_EQ(middle.line, 4);
  const Place& outermost = module.places[middle.inlined_at.value()];
  EXPECT_EQ(outermost.line, 9);
  EXPECT_EQ(outermost.column, 3);
  EXPECT_EQ(outermost.inlined_at, std::nullopt);
}

/// kInlined, whose innermost function is in this file.
Module inlined_from(const std::string& file) {
  std::string text(kInlined);
  text.replace(text.find("7 2 11"), 1, "8");
  text.insert(text.find("\t.section"), "\t.file\t8 \"" + file + "\"\n");
  return parse_whole(text).value();
}

// tex2D() is in a header that NVRTC makes, atomicAdd() in headers of nvcc.
TEST(Place, a_built_in_function_is_in_the_line_that_calls_it) {
  for (const char* const file :
       {"/folder/__nv_nvrtc_builtin_header.h", "/cuda/include/device_atomic_functions.hpp",
        "/cuda/include/sm_60_atomic_functions.hpp", "/cuda/include/sm_32_intrinsics.hpp",
        "/cuda/include/cuda_fp16.hpp", "/cuda/include/cuda_bf16.h"}) {
    const Module module = inlined_from(file);
    const Instruction& multiplies = kernel_of(module).instructions[1];
    EXPECT_EQ(source_of(module, multiplies), (Location{"lesson.cu", 4})) << file;
    const auto callers = callers_of(module, multiplies);
    ASSERT_EQ(callers.size(), 1u);
    EXPECT_EQ(callers[0], (Location{"lesson.cu", 9}));
  }
}

TEST(Place, a_header_of_the_program_is_not_built_in) {
  for (const char* const file :
       {"/mine/atomic_functions.hpp", "/sm_60/sums.h", "/mine/sm_80_gemm.hpp", "/mine/cuda_fp16_sums.h"}) {
    const Module module = inlined_from(file);
    EXPECT_EQ(source_of(module, kernel_of(module).instructions[1]).file, file);
  }
}

TEST(Place, without_loc_the_ptx_is_the_source) {
  const Module module = parse_body("").value();
  EXPECT_EQ(kernel_of(module).location, (Location{"t.ptx", 1}));
  EXPECT_EQ(source_of(module, kernel_of(module).instructions[0]), Location{});
}

TEST(Place, what_a_loc_refers_to_must_exist) {
  EXPECT_THAT(complaint(".loc 3 1 1\n"), HasSubstr("no .file directive declares file 3"));
  EXPECT_THAT(complaint(".loc 1 2 3, function_name $L, inlined_at 1 1 1\n"),
              HasSubstr("names line 1 before"));
  EXPECT_THAT(complaint(".loc 1 1 1\n.loc 1 2 3, function_name $L, inlined_at 1 1 1\n"),
              HasSubstr("has no name '$L'"));
  EXPECT_NE(complaint(".loc 1 -2 3\n"), "");
  EXPECT_NE(complaint(".loc 1 99999999999 3\n"), "");
}

TEST(Place, sections_of_debugging_information_are_passed_over) {
  const std::string text =
      kernel_with("") + ".section .debug_info { .b32 12 .b8 1,2 .b32 .debug_abbrev .b64 $L_end }";
  EXPECT_TRUE(parse(text, "t.ptx"));
  EXPECT_FALSE(parse(kernel_with("") + ".section .debug_info { .b32 12", "t.ptx"));
}

}  // namespace
}  // namespace lanescope::ptx
