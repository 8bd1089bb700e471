// The fewest integer divisions on a way through a kernel's PTX, by hand.

#include "pipeline/division_count.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

constexpr std::string_view kTwoWays = R"(
.visible .entry one(
	.param .u32 one_param_0
)
{
	setp.eq.s32 	%p1, %r2, %r1;
	@%p1 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_1;
$L__BB0_2:
	rem.u32 	%r33, %r26, %r2;
	bra.uni 	$L__BB0_3;
$L__BB0_1:
	div.u32 	%r23, %r22, %r1;
	rem.s32 	%r33, %r25, %r2;
$L__BB0_3:
	div.rn.f32 	%f1, %f2, %f3;
	ret;
}
.visible .entry two(
	.param .u32 two_param_0
)
{
$L__BB1_1:
	rem.u64 	%rd1, %rd2, %rd3;
	@%p1 bra 	$L__BB1_1;
	rem.u64 	%rd1, %rd2, %rd3;
	ret;
}
)";

TEST(DivisionCount, takes_the_shorter_path) { EXPECT_EQ(count_divisions(kTwoWays, "one"), 1u); }
TEST(DivisionCount, goes_through_a_loop_once) { EXPECT_EQ(count_divisions(kTwoWays, "two"), 2u); }
TEST(DivisionCount, an_empty_text_has_none) { EXPECT_EQ(count_divisions("", "one"), 0u); }

/// Kernels whose names hold each other's, two instances of a template, and one that is on one line.
constexpr std::string_view kNames = R"(
.visible .entry k_div(
	.param .u32 k_div_param_0
)
{
	div.u32 	%r1, %r2, %r3;
	ret;
}
.visible .entry k()
.maxntid 32, 1, 1
{
	{
	rem.u32 	%r1, %r2, %r3;
	rem.u32 	%r1, %r2, %r3;
	}
	ret;
}
.visible .entry _Z1tILi1EEvPjj(
	.param .u32 p
)
{
	div.u32 	%r1, %r2, %r3;
	div.u32 	%r1, %r2, %r3;
	div.u32 	%r1, %r2, %r3;
	ret;
}
.visible .entry _Z1tILi2EEvPjj(
	.param .u32 p
)
{
	ret;
}
.visible .entry short() { ret; }
.visible .entry last()
{
	div.u32 	%r1, %r2, %r3;
	ret;
}
)";

TEST(DivisionCount, a_kernel_whose_name_contains_the_name_is_not_meant) {
  EXPECT_EQ(count_divisions(kNames, "k_div"), 1u);
  EXPECT_EQ(count_divisions(kNames, "k"), 2u);
}
TEST(DivisionCount, a_template_is_found_by_its_instance) {
  EXPECT_EQ(count_divisions(kNames, "t<1>"), 3u);
  EXPECT_EQ(count_divisions(kNames, "t<2>"), 0u);
  EXPECT_EQ(count_divisions(kNames, "_Z1tILi1EEvPjj"), 3u);
}
TEST(DivisionCount, ends_with_the_kernels_own_brace) { EXPECT_EQ(count_divisions(kNames, "short"), 0u); }
TEST(DivisionCount, an_unknown_kernel_has_none) {
  EXPECT_EQ(count_divisions(kNames, "div"), 0u);
  EXPECT_EQ(count_divisions(kNames, "_div"), 0u);
}

}  // namespace
}  // namespace lanescope::pipeline
