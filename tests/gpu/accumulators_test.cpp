// Totals of loops that are counted by sums: equal to the emulator's also where a block that no sample shows
// accesses memory otherwise, which costs another pass.

#include "gpu/instrument/instrument.h"
#include "launch/argument_spec.h"
#include "model/cost.h"
#include "support/emulated_machine.h"
#include "support/trace_difference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// Lane l of pass i loads the word at offset %r5. %p1: this is block 1, of which the sample (blocks 0, 2, 4,
/// 6) knows nothing.
struct Loop {
  const char* name;
  const char* passes = "mov.u32 %r9, 32;";
  const char* offset = "shl.b32 %r4, %r1, 2; mad.lo.u32 %r5, %r3, 128, %r4;";
  const char* skip = "";  // to $NEXT
  const char* load = "ld.global.u32";
  int runs = 3;  // a sample, sums, and the loop access by access
};
void PrintTo(const Loop& loop, std::ostream* out) { *out << loop.name; }

class Sums : public testing::TestWithParam<Loop> {};

TEST_P(Sums, give_the_totals_of_the_emulator) {
  const Loop& loop = GetParam();
  const std::string text = fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry loop(.param .u64 in) {{
  .reg .pred %p<5>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0;
  setp.eq.u32 %p1, %r2, 1;
  {}
$LOOP:
  {}
  cvt.u64.u32 %rd2, %r5; add.u64 %rd3, %rd1, %rd2;
  {}
  {} %r6, [%rd3];
$NEXT:
  add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r9; @%p2 bra $LOOP;
  ret;
}})",
                                       loop.passes, loop.offset, loop.skip, loop.load);
  const auto module = ptx::parse(text, "loop.ptx");
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = ptx::lower(*module, "loop");
  ASSERT_TRUE(program) << describe(program.error());
  launch::Launch launch;
  launch.grid = {8, 1, 1};
  launch.block = {32, 1, 1};
  ASSERT_TRUE(launch::add_argument(launch, "u32[4096]:iota"));
  trace::Keep keep;
  keep.blocks = trace::Keep::Blocks::None;
  emulator::Pool pool(1);
  const auto expected = emulator::record(*program, launch, model::cost_of, keep, {.pool = &pool});
  ASSERT_TRUE(expected) << describe(expected.error());
  tests::EmulatedMachine machine(launch, "loop", pool);
  const auto found = gpu::trace_kernel(
      machine, {*module, *program, launch, emulator::trace_header(*program, launch), model::cost_of, keep});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(tests::difference_of_totals(expected->trace, found->trace), "");
  EXPECT_EQ(machine.runs, loop.runs);
}

INSTANTIATE_TEST_SUITE_P(
    Loops, Sums,
    testing::Values(
        Loop{.name = "regular", .runs = 2},
        Loop{.name = "of_other_lengths", .passes = "add.u32 %r9, %r2, 7;", .runs = 2},
        Loop{.name = "that_stays_where_it_is", .offset = "shl.b32 %r5, %r1, 2;", .runs = 2},
        Loop{.name = "of_two_rows",
             .offset = "and.b32 %r4, %r1, 15; shl.b32 %r4, %r4, 2; shr.u32 %r7, %r1, 4;"
                       "mad.lo.u32 %r4, %r7, 256, %r4; mad.lo.u32 %r5, %r3, 128, %r4;",
             .runs = 2},
        // 64 bytes at the beginning or in the middle of a line are two sectors of one line; elsewhere they
        // are not.
        Loop{.name = "that_moves_by_half_lines",
             .offset = "shl.b32 %r4, %r1, 1; mad.lo.u32 %r5, %r3, 64, %r4;",
             .load = "ld.global.u16",
             .runs = 2},
        Loop{.name = "that_moves_by_sectors",
             .offset = "shl.b32 %r4, %r1, 1; mad.lo.u32 %r5, %r3, 32, %r4;",
             .load = "ld.global.u16"},
        // Each lane visits the same addresses, in another order.
        Loop{.name = "that_rotates",
             .offset = "mov.u32 %r7, 0; @%p1 mov.u32 %r7, %r3; add.u32 %r4, %r1, %r7; and.b32 %r4, %r4, 31;"
                       "shl.b32 %r4, %r4, 2; mad.lo.u32 %r5, %r3, 128, %r4;"},
        // Each lane loads the same word as often as every other, and alone.
        Loop{.name = "whose_lanes_take_turns",
             .offset = "mov.u32 %r5, 0;",
             .skip = "setp.ne.u32 %p3, %r1, %r3; and.pred %p3, %p3, %p1; @%p3 bra $NEXT;"},
        Loop{.name = "that_a_lane_leaves",
             .skip = "setp.eq.u32 %p3, %r1, 31; and.pred %p3, %p3, %p1; setp.gt.and.u32 %p3, %r3, 7, %p3;"
                     "@%p3 bra $NEXT;"},
        Loop{.name = "that_moves_within_a_line",
             .offset = "mov.u32 %r7, 128; @%p1 mov.u32 %r7, 4; shl.b32 %r4, %r1, 2;"
                       "mad.lo.u32 %r5, %r3, %r7, %r4;"},
        Loop{.name = "of_another_stride",
             .offset = "shl.b32 %r4, %r1, 2; @%p1 shl.b32 %r4, %r1, 3; mad.lo.u32 %r5, %r3, 128, %r4;"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace lanescope
