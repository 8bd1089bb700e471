// The linker of PTX: what several files define, share and keep to themselves.

#include "driver/server/linked_ptx.h"

#include "ptx/module.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A file with a kernel that calls `twice` of another file, has a string of its own and a template's
/// function.
const std::string kFirst = kHeader + R"(
.extern .func  (.param .b32 func_retval0) _Z5twicei
(
	.param .b32 _Z5twicei_param_0
)
;
.visible .global .align 4 .u32 counter = 3;
.global .align 1 .b8 $str[6] = {97, 32, 37, 100, 10};
.weak .shared .align 4 .b8 tile[128];
.weak .func  (.param .b32 func_retval0) pick(
	.param .b32 pick_param_0
)
{
	.loc 1 3 0
	ret;
}
.visible .entry _Z4fillPi(
	.param .u64 _Z4fillPi_param_0
)
.maxntid 256, 1, 1
{
	.reg .b64 %rd<4>;
	.loc 2 6 30
	.loc 2 5 36, function_name $L__info_string0, inlined_at 2 6 30
	mov.u64 	%rd1, $str;
	ret;
}
	.file	1 "h.h"
	.file	2 "a.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 97,0
	}
)";

const std::string kSecond = kHeader + R"(
.visible .func  (.param .b32 func_retval0) _Z5twicei
(
	.param .b32 _Z5twicei_param_0
)
;
.extern .global .align 4 .u32 counter;
.global .align 1 .b8 $str[6] = {98, 32, 37, 100, 10};
.weak .shared .align 4 .b8 tile[128];
.weak .func  (.param .b32 func_retval0) pick(
	.param .b32 pick_param_0
)
{
	ret;
}
.visible .func  (.param .b32 func_retval0) _Z5twicei(
	.param .b32 _Z5twicei_param_0
)
{
	.reg .b64 %rd<4>;
	.loc 1 4 8
	.loc 1 4 9, function_name $L__info_string0, inlined_at 1 4 8
	mov.u64 	%rd1, $str; // "$str" stays
	mov.u64 	%rd2, counter;
	ret;
}
	.file	1 "b.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 98,0
	}
)";

std::string linked(const std::vector<std::string>& texts) {
  const auto text = link_ptx(texts);
  EXPECT_TRUE(text.has_value()) << text.error().message;
  return text.value_or("");
}

std::string error_of(const std::vector<std::string>& texts) {
  const auto text = link_ptx(texts);
  return text ? "" : text.error().message;
}

TEST(LinkedPtx, files_share_functions_and_variables) {
  const std::string text = linked({kFirst, kSecond});
  const auto module = ptx::parse(text, "linked");
  ASSERT_TRUE(module.has_value()) << module.error().message;
  const auto twice = std::ranges::find(module->functions, "_Z5twicei", &ptx::Function::name);
  ASSERT_NE(twice, module->functions.end());
  EXPECT_FALSE(twice->is_declaration);
  EXPECT_EQ(std::ranges::count(module->globals, "counter", &ptx::Variable::name), 1);
  EXPECT_EQ(std::ranges::count(module->globals, "tile", &ptx::Variable::name), 1);
  EXPECT_EQ(std::ranges::count(module->functions, "pick", &ptx::Function::name), 1);
}

TEST(LinkedPtx, what_a_file_keeps_to_itself_gets_a_name_of_its_own) {
  const std::string text = linked({kFirst, kSecond});
  EXPECT_THAT(text, HasSubstr(".b8 $str[6] = {97"));
  EXPECT_THAT(text, HasSubstr(".b8 $str__1[6] = {98"));
  EXPECT_THAT(text, HasSubstr("%rd1, $str__1; // \"$str\" stays"));
}

TEST(LinkedPtx, source_lines_name_the_files_of_their_own_text) {
  const auto module = ptx::parse(linked({kFirst, kSecond}), "linked");
  ASSERT_TRUE(module.has_value()) << module.error().message;
  std::vector<std::string> paths;
  for (const ptx::SourceFile& file : module->files) paths.push_back(file.path);
  EXPECT_THAT(paths, testing::ElementsAre("h.h", "a.cu", "b.cu"));
  const auto twice = std::ranges::find(module->functions, "_Z5twicei", &ptx::Function::name);
  EXPECT_EQ(twice->location.file, "b.cu");
  EXPECT_EQ(twice->location.line, 4);
  std::vector<std::string> inlined;
  for (const ptx::Place& place : module->places)
    if (!place.function.empty()) inlined.push_back(place.function);
  EXPECT_THAT(inlined, testing::ElementsAre("a", "b"));
}

TEST(LinkedPtx, a_definition_counts_before_one_that_may_be_repeated) {
  const std::string weak = kHeader + ".weak .func f() { trap; }\n",
                    strong = kHeader + ".visible .func f() { ret; }\n";
  for (const auto& texts : {std::vector{weak, strong}, std::vector{strong, weak}}) {
    EXPECT_THAT(linked(texts), HasSubstr(".visible .func f() { ret; }"));
    EXPECT_THAT(linked(texts), Not(HasSubstr("trap")));
  }
}

TEST(LinkedPtx, a_name_that_nothing_or_two_files_define_is_told_as_the_source_has_it) {
  EXPECT_EQ(error_of({kFirst, kHeader}),
            "none of the linked files defines the device function twice(int); link the file that does");
  EXPECT_EQ(error_of({kHeader, kHeader + ".extern .const .align 4 .b8 table[16];\n"}),
            "none of the linked files defines the device variable table; link the file that does");
  EXPECT_EQ(error_of({kSecond, kSecond, kFirst}),
            "two of the linked files define twice(int); keep one definition");
  EXPECT_EQ(
      error_of({kHeader + ".extern .shared .align 16 .b8 rows[];\n.extern .func vprintf();\n", kHeader}), "");
}

TEST(LinkedPtx, a_text_that_ends_anywhere_is_read_to_its_end) {
  for (size_t size = 0; size < kFirst.size(); size += 7)
    (void)link_ptx(std::vector{kFirst.substr(0, size), kSecond.substr(0, size)});
}

TEST(LinkedPtx, an_opcode_that_is_spelled_as_a_renamed_function_stays) {
  const std::string file =
      kHeader + ".func add()\n{\nadd.s32 %r1, %r1, 1;\nret;\n}\n.func f()\n{\ncall add;\nret;\n}\n";
  const Result<std::string> linked = link_ptx(std::vector{file, file});
  ASSERT_TRUE(linked) << describe(linked.error());
  EXPECT_THAT(*linked, HasSubstr(".func add__1()\n{\nadd.s32 %r1"));
  EXPECT_THAT(*linked, HasSubstr("call add__1;"));
}

}  // namespace
}  // namespace lanescope::driver
