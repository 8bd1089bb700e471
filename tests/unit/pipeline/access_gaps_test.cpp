// The gaps between accesses on the shortest paths through a kernel's PTX, counted by hand.

#include "pipeline/access_gaps.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using model::AccessGaps;
using model::Gap;

/// One for each line that has a global or shared access, as a trace of the text has them.
std::vector<trace::Site> sites_of(std::string_view text) {
  std::vector<trace::Site> sites;
  int line = 1;
  for (size_t at = 0; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view row = text.substr(at, end - at);
    for (const char* name : {"ld.global", "st.global", "ld.shared", "st.shared"})
      if (row.find(name) != std::string_view::npos) {
        sites.emplace_back().ptx_line = line;
        break;
      }
    at = end + 1;
  }
  return sites;
}
AccessGaps gaps_of(std::string_view text, std::string_view kernel) {
  return find_access_gaps(text, kernel, sites_of(text));
}

constexpr std::string_view kStraight = R"(
.visible .entry straight(
	.param .u64 p
)
{
	.reg .b32 	%r<9>;
	ld.param.u64 	%rd1, [p];
	.loc 1 3 5
	rem.u32 	%r1, %r2, %r3;
	ld.global.f32 	%f1, [%rd1];
	div.u32 	%r4, %r5, %r6;
	div.rn.f32 	%f1, %f2, %f3;
	st.global.f32 	[%rd1], %f1;
	rem.s32 	%r7, %r8, %r9;
	ret;
}
)";
TEST(AccessGaps, of_a_straight_kernel_count_its_instructions_and_divisions) {
  const AccessGaps gaps = gaps_of(kStraight, "straight");
  ASSERT_EQ(gaps.first.size(), 2u);
  EXPECT_EQ(gaps.first[0], (Gap{3, 1}));
  EXPECT_EQ(gaps.next[1], (Gap{3, 1}));  // two divisions, one of them of floats, and the store
  EXPECT_EQ(gaps.last, (Gap{2, 1}));
  EXPECT_EQ(gaps.next[0], Gap{}) << "no access precedes the load";
  EXPECT_TRUE(divides(gaps));
}

constexpr std::string_view kTwoWays = R"(
.visible .entry two_ways(
	.param .u32 p
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
	st.global.u32 	[%rd1], %r33;
	ret;
}
)";
TEST(AccessGaps, take_the_shorter_path) {
  // setp, @bra, rem, bra, st.
  EXPECT_EQ(gaps_of(kTwoWays, "two_ways").first.at(0), (Gap{5, 1}));
}

/// The warps that return at the end of the data do not speak for the others.
constexpr std::string_view kReturnsEarly = R"(
.visible .entry returns_early()
{
	@%p1 bra 	$L__BB1_2;
	rem.u32 	%r1, %r2, %r3;
	st.shared.u32 	[%r1], %r1;
$L__BB1_2:
	ret;
}
)";
TEST(AccessGaps, lead_to_the_access_where_a_guard_skips_it) {
  EXPECT_EQ(gaps_of(kReturnsEarly, "returns_early").first.at(0), (Gap{3, 1}));
}

/// The load is the first access of a warp, and follows the store of the round before.
constexpr std::string_view kLoop = R"(
.visible .entry loop()
{
	mov.u32 	%r1, 0;
	rem.u32 	%r5, %r6, %r7;
$L__BB2_1:
	ld.global.u32 	%r2, [%rd1];
	add.u32 	%r2, %r2, 1;
	st.global.u32 	[%rd1], %r2;
	div.u32 	%r3, %r4, %r1;
	@%p1 bra 	$L__BB2_1;
	ret;
}
)";
TEST(AccessGaps, in_a_loop_are_those_of_each_round) {
  const AccessGaps gaps = gaps_of(kLoop, "loop");
  EXPECT_EQ(gaps.first.at(0), (Gap{3, 1}));
  EXPECT_EQ(gaps.next.at(0), (Gap{3, 1}));  // div, bra, ld
  EXPECT_EQ(gaps.next.at(1), (Gap{2, 0}));
  EXPECT_EQ(gaps.last, (Gap{3, 1}));
}
TEST(AccessGaps, of_an_endless_loop_have_no_end) {
  constexpr std::string_view kEndless = R"(
.visible .entry endless()
{
$L__BB3_1:
	ld.global.u32 	%r2, [%rd1];
	bra.uni 	$L__BB3_1;
}
)";
  EXPECT_EQ(gaps_of(kEndless, "endless").next.at(0), (Gap{2, 0}));
  EXPECT_EQ(gaps_of(kEndless, "endless").last, Gap{});
}

/// Kernels whose names hold each other's, two instances of a template, and one that is on one line.
constexpr std::string_view kNames = R"(
.visible .entry k_div(
	.param .u32 k_div_param_0
)
{
	st.global.u32 	[%rd1], %r1;
	ret;
}
.visible .entry k()
.maxntid 32, 1, 1
{
	{
	rem.u32 	%r1, %r2, %r3;
	st.global.u32 	[%rd1], %r1;
	}
	ret;
}
.visible .entry _Z1tILi1EEvPjj(
	.param .u32 p
)
{
	rem.u32 	%r1, %r2, %r3;
	rem.u32 	%r1, %r2, %r3;
	st.global.u32 	[%rd1], %r1;
	ret;
}
.visible .entry short() { ret; }
)";
/// Instructions before the store of each kernel: k_div, k, t<1>.
std::vector<double> found_for(std::string_view kernel) {
  std::vector<double> found;
  for (const Gap& gap : gaps_of(kNames, kernel).first) found.push_back(gap.instructions);
  return found;
}
TEST(AccessGaps, are_those_of_the_kernel_with_the_name) {
  EXPECT_EQ(found_for("k_div"), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(found_for("k"), (std::vector<double>{0, 2, 0}));
  EXPECT_EQ(found_for("t<1>"), (std::vector<double>{0, 0, 3}));
  EXPECT_EQ(found_for("_Z1tILi1EEvPjj"), (std::vector<double>{0, 0, 3}));
}
TEST(AccessGaps, of_a_kernel_that_is_not_there_or_has_no_access_are_empty) {
  for (const char* name : {"short", "div", "_div", ""}) {
    EXPECT_EQ(found_for(name), (std::vector<double>{0, 0, 0})) << name;
    EXPECT_FALSE(divides(gaps_of(kNames, name))) << name;
  }
  EXPECT_TRUE(gaps_of("", "k").first.empty());
  EXPECT_EQ(gaps_of(".visible .entry k", "k").last, Gap{});
}

}  // namespace
}  // namespace lanescope::pipeline
