// Waits that the emulator tells of: barriers with the warps that meet, copies, phases.

#include "kernel_run.h"

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using trace::Wait;

/// What is compared of a wait: warp, accesses before it, meeting, lanes.
using Seen = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

std::vector<Seen> seen(const std::vector<Wait>& waits, Wait::Kind kind) {
  std::vector<Seen> all;
  for (const Wait& wait : waits)
    if (wait.kind == kind) all.emplace_back(wait.warp.value, wait.step, wait.meeting, wait.lanes.bits);
  return all;
}

/// Of a block of 64 threads. Number of the thread: %r1. Address of its word in shared memory: %r2.
std::vector<Wait> waits_of(std::string_view body) {
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("in", std::vector<uint32_t>(64));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(".param .u64 in",
                  fmt::format("ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
                              "add.u64 %rd1, %rd1, %rd3; mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 4, %r2;\n"
                              "mov.u32 %r3, 0;\n{}\nret;",
                              body),
                  ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 barrier;"),
      builder.launch, {.checks = Checks::None});
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  return kernel.sink.waits;
}

TEST(Wait, warps_of_a_group_meet_at_a_barrier) {
  const auto waits = waits_of("st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r3, [%r2]; bar.sync 0;");
  EXPECT_THAT(seen(waits, Wait::Kind::Barrier),
              testing::UnorderedElementsAre(Seen{0, 1, 0, kAllLanes.bits}, Seen{1, 1, 0, kAllLanes.bits},
                                            Seen{0, 2, 1, kAllLanes.bits}, Seen{1, 2, 1, kAllLanes.bits}));
}

TEST(Wait, warps_that_go_different_ways_meet_too) {
  // Warp 1 makes three accesses before the barrier, warp 0 one.
  const auto waits = waits_of(
      "setp.lt.u32 %p1, %r1, 32; @%p1 bra SHORT;\n"
      "st.shared.u32 [%r2], %r1; ld.shared.u32 %r3, [%r2]; SHORT: st.shared.u32 [%r2], %r3; bar.sync 0;");
  EXPECT_THAT(seen(waits, Wait::Kind::Barrier),
              testing::UnorderedElementsAre(Seen{0, 1, 0, kAllLanes.bits}, Seen{1, 3, 0, kAllLanes.bits}));
}

TEST(Wait, a_warp_that_has_left_does_not_meet_the_others) {
  const auto waits = waits_of("setp.ge.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0;");
  EXPECT_THAT(seen(waits, Wait::Kind::Barrier), testing::ElementsAre(Seen{0, 0, 0, kAllLanes.bits}));
}

TEST(Wait, copies_that_are_waited_for) {
  const auto waits =
      waits_of("cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.commit_group; cp.async.wait_group 0;");
  // A copy is two accesses: it reads global memory and writes shared memory.
  EXPECT_THAT(seen(waits, Wait::Kind::Copies),
              testing::UnorderedElementsAre(Seen{0, 2, 0, kAllLanes.bits}, Seen{1, 2, 0, kAllLanes.bits}));
}

TEST(Wait, a_test_of_a_phase_counts_when_the_phase_is_complete) {
  const auto waits = waits_of(
      "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [barrier], 64; bar.sync 0;\n"
      "mbarrier.arrive.shared.b64 %rd4, [barrier];\n"
      "AGAIN: mbarrier.test_wait.shared.b64 %p2, [barrier], %rd4; @!%p2 bra AGAIN;");
  const auto phases = seen(waits, Wait::Kind::Phase);
  uint32_t lanes[2] = {0, 0};
  for (const auto& [warp, step, meeting, mask] : phases) {
    EXPECT_EQ(lanes[warp] & mask, 0u) << "a lane waits once";
    lanes[warp] |= mask;
  }
  EXPECT_EQ(lanes[0], kAllLanes.bits);
  EXPECT_EQ(lanes[1], kAllLanes.bits);
}

}  // namespace
}  // namespace lanescope::emulator
