// The fewest integer divisions on a way through a kernel's PTX, by hand.

#include "session/division_count.h"

#include <gtest/gtest.h>

namespace lanescope::session {
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

TEST(DivisionCount, takes_the_shorter_way) { EXPECT_EQ(count_divisions(kTwoWays, "one"), 1u); }
TEST(DivisionCount, goes_through_a_loop_once) { EXPECT_EQ(count_divisions(kTwoWays, "two"), 2u); }
TEST(DivisionCount, of_nothing_is_none) { EXPECT_EQ(count_divisions("", "one"), 0u); }

}  // namespace
}  // namespace lanescope::session
