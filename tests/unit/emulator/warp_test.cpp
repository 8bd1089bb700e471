// What lanes do together: shuffles, votes, matches, reductions, whole warps and parted ones.

#include "kernel_run.h"

#include <functional>

namespace lanescope::emulator {
namespace {

/// Every lane l of one warp runs `body` with %r1 = l; what it leaves in %r2 is expected to be expected(l).
void expect_lanes(std::string_view body, const std::function<uint32_t(uint32_t)>& expected) {
  for (const Vectors vectors : kAllVectors) {
    LaunchBuilder builder;
    builder.buffer("out", std::vector<uint32_t>(32));
    KernelRun kernel;
    run_kernel(
        kernel,
        kernel_text(
            ".param .u64 out",
            fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
                        "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 999;\n{}\nst.global.u32 [%rd1], %r2; ret;",
                        body)),
        builder.launch, {.vectors = vectors});
    ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
    const auto out = values_of<uint32_t>(kernel.outcome.buffers[0]);
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[lane], expected(lane)) << body << " lane " << lane;
  }
}

TEST(Warp, shuffles_move_values_and_keep_their_own_beyond_the_edge) {
  expect_lanes("shfl.sync.up.b32 %r2, %r1, 3, 0, -1;", [](uint32_t l) { return l < 3 ? l : l - 3; });
  expect_lanes("shfl.sync.down.b32 %r2, %r1, 3, 31, -1;", [](uint32_t l) { return l > 28 ? l : l + 3; });
  expect_lanes("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;", [](uint32_t l) { return l ^ 5; });
  expect_lanes("shfl.sync.idx.b32 %r2, %r1, 7, 31, -1;", [](uint32_t) { return 7u; });
}

TEST(Warp, shuffles_stay_within_a_segment) {
  // Segments of 8 lanes: the mask in c is 0x18, clamp 0x1f or 0.
  expect_lanes("shfl.sync.down.b32 %r2, %r1, 1, 0x181f, -1;",
               [](uint32_t l) { return l % 8 == 7 ? l : l + 1; });
  expect_lanes("shfl.sync.idx.b32 %r2, %r1, 2, 0x181f, -1;", [](uint32_t l) { return l / 8 * 8 + 2; });
  expect_lanes("shfl.sync.up.b32 %r2|%p1, %r1, 1, 0x1800, -1; selp.b32 %r2, %r2, 77, %p1;",
               [](uint32_t l) { return l % 8 == 0 ? 77 : l - 1; });
}

TEST(Warp, votes_count_the_lanes_that_are_there) {
  expect_lanes("setp.lt.u32 %p1, %r1, 4; vote.sync.ballot.b32 %r2, %p1, -1;", [](uint32_t) { return 0xfu; });
  expect_lanes("setp.lt.u32 %p1, %r1, 4; vote.sync.ballot.b32 %r2, !%p1, 0xff;",
               [](uint32_t) { return 0xf0u; });
  expect_lanes("setp.lt.u32 %p1, %r1, 4; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;",
               [](uint32_t) { return 1u; });
  expect_lanes("setp.lt.u32 %p1, %r1, 4; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;",
               [](uint32_t) { return 0u; });
  expect_lanes("setp.lt.u32 %p1, %r1, 40; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;",
               [](uint32_t) { return 1u; });
}

TEST(Warp, diverged_lanes_vote_among_themselves) {
  expect_lanes(
      "setp.lt.u32 %p1, %r1, 8; @%p1 bra A; activemask.b32 %r2; bra B; A: vote.sync.ballot.b32 %r2, %p1, "
      "0xff; B:",
      [](uint32_t l) { return l < 8 ? 0xffu : 0xffffff00u; });
}

TEST(Warp, matches_find_equal_values) {
  expect_lanes("and.b32 %r3, %r1, 3; match.any.sync.b32 %r2, %r3, -1;",
               [](uint32_t l) { return 0x11111111u << l % 4; });
  expect_lanes("mov.u32 %r3, 5; match.all.sync.b32 %r2|%p1, %r3, -1;", [](uint32_t) { return 0xffffffffu; });
  expect_lanes("match.all.sync.b32 %r2|%p1, %r1, -1; selp.u32 %r2, 1, %r2, %p1;",
               [](uint32_t) { return 0u; });
}

TEST(Warp, redux_and_elect) {
  expect_lanes("redux.sync.add.u32 %r2, %r1, -1;", [](uint32_t) { return 496u; });
  expect_lanes("sub.s32 %r3, 3, %r1; redux.sync.min.s32 %r2, %r3, -1;",
               [](uint32_t) { return static_cast<uint32_t>(-28); });
  expect_lanes("redux.sync.xor.b32 %r2, %r1, 0x7;", [](uint32_t) { return 3u; });
  expect_lanes("elect.sync %r2|%p1, 0xfff0; selp.u32 %r2, 100, %r2, %p1;",
               [](uint32_t l) { return l == 4 ? 100u : 4u; });
}

}  // namespace
}  // namespace lanescope::emulator
