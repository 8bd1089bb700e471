// Loops whose length other blocks, or warps, decide.

#include "ptx/order_dependence.h"

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

/// [memory instruction] What its counts depend on.
struct OrderDependence {
  std::vector<bool> on_blocks;
  std::vector<bool> on_warps;
};

OrderDependence dependence_of(std::string_view body) {
  const auto module =
      parse(fmt::format(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
                        "{{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
                        "ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;\n{}\nret;\n}}\n",
                        body),
            "test.ptx");
  EXPECT_TRUE(module) << describe(module.error());
  if (!module) return {};
  const auto program = lower(*module, "k");
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  return {sites_that_depend_on(Others::Blocks, *program), sites_that_depend_on(Others::Warps, *program)};
}

std::vector<bool> sites_of(std::string_view body) { return dependence_of(body).on_blocks; }

using Sites = std::vector<bool>;

TEST(OrderDependence, a_loop_that_waits_for_a_flag_is) {
  EXPECT_EQ(
      sites_of(
          "st.global.u32 [%rd1+4], 1; W: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 "
          "bra W; st.global.u32 [%rd1+8], 1;"),
      (Sites{false, true, false}));
}

TEST(OrderDependence, so_is_one_that_takes_a_lock_or_asks_for_work) {
  EXPECT_EQ(
      sites_of(
          "W: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra W; ld.global.u32 %r3, "
          "[%rd1+4];"),
      (Sites{true, false}));
  EXPECT_EQ(
      sites_of("W: atom.global.add.u32 %r2, [%rd1], 1; setp.gt.u32 %p1, %r2, 9; @%p1 bra E; st.global.u32 "
               "[%rd1+4], %r2; bra W; E: st.global.u32 [%rd1+8], %r2;"),
      (Sites{true, true, false}));
}

TEST(OrderDependence, so_is_an_access_at_a_place_that_an_atomic_gave) {
  EXPECT_EQ(
      sites_of("atom.global.add.u32 %r2, [%rd1], 1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2; "
               "st.global.u32 [%rd2], %r1; st.global.u32 [%rd1], %r2;"),
      (Sites{false, true, false}));
  // In another basic block, and not after the register has another value.
  EXPECT_EQ(
      sites_of("mov.u64 %rd2, %rd1; setp.eq.u32 %p1, %r1, 0; @%p1 bra N; atom.global.add.u32 %r2, [%rd1], 1; "
               "mul.wide.u32 %rd2, %r2, 4; N: st.global.u32 [%rd2], %r1; mov.u64 %rd2, %rd1; "
               "st.global.u32 [%rd2], %r1;"),
      (Sites{false, true, false}));
}

TEST(OrderDependence, a_counted_loop_around_either_is_not) {
  EXPECT_EQ(
      sites_of(
          "L: st.global.u32 [%rd1+4], 1; W: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; "
          "@%p1 bra W; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra L;"),
      (Sites{false, true}));
  // A histogram: the loop does not ask what the counters were.
  EXPECT_EQ(
      sites_of(
          "L: atom.global.add.u32 %r2, [%rd1], 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra L; "
          "st.global.u32 [%rd1+4], %r2;"),
      (Sites{false, false}));
}

TEST(OrderDependence, shared_memory_is_the_blocks_own) {
  const OrderDependence loop = dependence_of(
      ".shared .u32 s; W: ld.volatile.shared.u32 %r2, [s]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;");
  EXPECT_EQ(loop.on_blocks, Sites{false});
  EXPECT_EQ(loop.on_warps, Sites{true});
}

TEST(OrderDependence, warps_see_each_others_flags_and_tickets) {
  // A ticket in shared memory, and a flag in global memory, which the warps of one block may wait for.
  const OrderDependence ticket = dependence_of(
      ".shared .u32 s; atom.shared.add.u32 %r2, [s], 1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2; "
      "st.global.u32 [%rd2], %r1;");
  EXPECT_EQ(ticket.on_blocks, (Sites{false, false}));
  EXPECT_EQ(ticket.on_warps, (Sites{false, true}));
  const OrderDependence flag =
      dependence_of("W: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;");
  EXPECT_EQ(flag.on_blocks, Sites{true});
  EXPECT_EQ(flag.on_warps, Sites{true});
}

TEST(OrderDependence, a_lanes_own_memory_and_a_plain_read_are_not_waited_for) {
  const OrderDependence own =
      dependence_of(".local .u32 s; W: ld.volatile.local.u32 %r2, [s]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;");
  EXPECT_EQ(own.on_warps, Sites{false});
  const OrderDependence plain =
      dependence_of(".shared .u32 s; W: ld.shared.u32 %r2, [s]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;");
  EXPECT_EQ(plain.on_warps, Sites{false});
}

}  // namespace
}  // namespace lanescope::ptx
