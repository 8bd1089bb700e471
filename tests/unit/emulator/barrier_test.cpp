// Barriers: which threads wait, and what happens when some never arrive.

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

KernelRun run_body(std::string_view body, uint32_t threads, Scheduling scheduling = Scheduling::Independent) {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(threads, 0xdead));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(".param .u64 out", fmt::format(".shared .u32 s[256]; ld.param.u64 %rd1, [out]; mov.u32 "
                                                 "%r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
                                                 "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0; mul.lo.u32 %r4, "
                                                 "%r1, 4; mov.u32 %r5, s; add.u32 %r5, %r5, %r4;\n{}\n"
                                                 "END: st.global.u32 [%rd1], %r2; ret;",
                                                 body)),
      builder.launch, {.scheduling = scheduling});
  return kernel;
}

TEST(Barrier, writes_before_it_are_seen_by_other_warps_after_it) {
  const KernelRun kernel = run_body(
      "st.shared.u32 [%r5], %r1; bar.sync 0; xor.b32 %r6, %r1, 32; mul.lo.u32 %r6, %r6, 4; mov.u32 %r7, s; "
      "add.u32 %r6, %r6, %r7; ld.shared.u32 %r2, [%r6];",
      128);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], t ^ 32);
}

TEST(Barrier, warps_that_have_left_are_not_waited_for) {
  const KernelRun kernel = run_body("setp.ge.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0; mov.u32 %r2, 1;", 96);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers.at(0))[31], 1u);
}

TEST(Barrier, half_a_warp_at_a_barrier_is_a_hazard_with_line_block_and_thread) {
  for (const Scheduling scheduling : {Scheduling::Independent, Scheduling::Lockstep}) {
    const KernelRun kernel = run_body(
        "setp.lt.u32 %p1, %r1, 48; @!%p1 bra LATER;\nbar.sync 0;\nmov.u32 %r2, 1; LATER: bar.sync 0;", 64,
        scheduling);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
    const trace::Hazard& hazard = kernel.outcome.hazards[0];
    EXPECT_EQ(hazard.kind, trace::HazardKind::DivergentBarrier);
    EXPECT_EQ(hazard.thread, (Dim3{32, 0, 0}));
    EXPECT_EQ(
        trace::sentence_of(hazard),
        "thread (32,0,0) of block (0,0,0) reaches the barrier with 16 of the 32 running threads of its warp, "
        "and the others are elsewhere; move it out of the condition");
    EXPECT_NE(hazard.ptx_line, 0);
  }
}

TEST(Barrier, lanes_that_exit_without_one_are_not_waited_for) {
  // Thread t passes t / 8 + 1 barriers; all store at END, which is where diverged lanes reconverge.
  for (const Scheduling scheduling : {Scheduling::Independent, Scheduling::Lockstep}) {
    const KernelRun kernel = run_body(
        "shr.u32 %r6, %r1, 3;\nLOOP: bar.sync 0; add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r6; @%p1 bra "
        "LOOP;",
        64, scheduling);
    EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
    const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
    for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t / 8 + 1) << t;
  }
}

TEST(Barrier, warps_at_different_barriers_are_a_deadlock_and_not_a_hang) {
  const KernelRun kernel =
      run_body("setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1; bra END; A: bar.sync 2;", 64);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::DivergentBarrier);
  EXPECT_NE(kernel.outcome.hazards[0].message.find("deadlock"), std::string::npos);
}

TEST(Barrier, a_barrier_of_some_warps_waits_for_that_many_threads) {
  // Warps 0 and 1 wait at barrier 1, warps 2 and 3 at barrier 2, then all.
  const KernelRun kernel = run_body(
      "st.shared.u32 [%r5], %r1; setp.lt.u32 %p1, %r1, 64; @%p1 bra A; bar.sync 2, 64; bra JOIN; A: bar.sync "
      "1, 64; "
      "JOIN: bar.sync 0; xor.b32 %r6, %r1, 64; mul.lo.u32 %r6, %r6, 4; mov.u32 %r7, s; add.u32 %r6, %r6, "
      "%r7; ld.shared.u32 %r2, [%r6];",
      128);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], t ^ 64);
}

TEST(Barrier, producers_arrive_and_consumers_wait) {
  const KernelRun kernel = run_body(
      "setp.lt.u32 %p1, %r1, 32; @!%p1 bra PRODUCER; bar.sync 1, 64; ld.shared.u32 %r2, [%r5+128]; bra END; "
      "PRODUCER: st.shared.u32 [%r5], %r1; bar.arrive 1, 64;",
      64);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t + 32);
}

TEST(Barrier, reductions_count_the_threads_of_the_block) {
  const KernelRun kernel = run_body(
      "setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred "
      "%p3, 0, %p1; "
      "selp.u32 %r6, 1000, 0, %p2; add.u32 %r2, %r2, %r6; selp.u32 %r6, 500, 0, %p3; add.u32 %r2, %r2, %r6; "
      "bar.red.popc.u32 %r6, 0, !%p1; mul.lo.u32 %r6, %r6, 10000; add.u32 %r2, %r2, %r6;",
      70);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.at(0));
  for (uint32_t t = 0; t < 70; ++t) EXPECT_EQ(out[t], 40u + 500 + 30 * 10000);
}

TEST(Barrier, a_trap_stops_the_kernel) {
  const KernelRun kernel = run_body("setp.eq.u32 %p1, %r1, 33; @%p1 trap;", 64);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::Trap);
  EXPECT_EQ(kernel.outcome.hazards[0].thread, (Dim3{33, 0, 0}));
}

TEST(Barrier, a_reduction_that_is_not_aligned_takes_lanes_one_after_the_other) {
  // Even lanes and odd lanes reach it at different places.
  constexpr std::string_view kBody =
      "and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0; setp.lt.u32 %p2, %r1, 7; @%p1 bra A;\n"
      "{0} %r2, 0, %p2; bra END; A: {0} %r2, 0, %p2;";
  const KernelRun kernel = run_body(fmt::format(kBody, "barrier.red.popc.u32"), 64);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  for (const uint32_t count : values_of<uint32_t>(kernel.outcome.buffers.at(0))) EXPECT_EQ(count, 7u);
  for (const char* aligned : {"barrier.red.popc.aligned.u32", "bar.red.popc.u32"}) {
    const KernelRun refused = run_body(fmt::format(kBody, aligned), 64);
    ASSERT_EQ(refused.outcome.hazards.size(), 1u) << aligned;
    EXPECT_EQ(refused.outcome.hazards[0].kind, trace::HazardKind::DivergentBarrier);
  }
}

TEST(Barrier, a_number_that_no_barrier_has_is_a_hazard) {
  for (const char* body : {"mov.u32 %r6, 17; bar.sync %r6;", "mov.u32 %r6, 17; bar.sync %r6, 64;",
                           "add.u32 %r6, %r1, 16; sub.u32 %r6, %r6, %r1; bar.sync %r6;"}) {
    const KernelRun kernel = run_body(body, 64);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u) << body;
    EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
    EXPECT_NE(kernel.outcome.hazards[0].message.find("a block has 0 to 15"), std::string::npos);
  }
  EXPECT_TRUE(run_body("mov.u32 %r6, 15; bar.sync %r6;", 64).outcome.hazards.empty());
}

TEST(Barrier, a_thread_count_must_be_whole_warps) {
  const KernelRun kernel = run_body("bar.sync 1, 33;", 64);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_NE(kernel.outcome.hazards[0].message.find("for 33 threads"), std::string::npos)
      << kernel.outcome.hazards[0].message;
}

TEST(Barrier, arrivals_without_a_wait_may_complete_it) {
  // Warps 0 and 1 arrive, which completes barrier 1; warp 2 comes there next and waits for a second one.
  constexpr std::string_view kBody =
      "setp.lt.u32 %p1, %r1, 64; @!%p1 bra LATE; bar.arrive 1, {}; bar.sync 0; bra END;\n"
      "LATE: bar.sync 0; bar.sync 1, {}; mov.u32 %r2, 1;";
  const KernelRun over = run_body(fmt::format(kBody, 64, 64), 96);
  ASSERT_EQ(over.outcome.hazards.size(), 1u);
  EXPECT_NE(over.outcome.hazards[0].message.find("deadlock"), std::string::npos)
      << over.outcome.hazards[0].message;
  const KernelRun waiting = run_body(fmt::format(kBody, 96, 96), 96);
  EXPECT_TRUE(waiting.outcome.hazards.empty()) << "warp 2 is the third that all wait for";
  EXPECT_EQ(values_of<uint32_t>(waiting.outcome.buffers.at(0))[64], 1u);
}

}  // namespace
}  // namespace lanescope::emulator
