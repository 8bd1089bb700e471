// Barriers in shared memory: counts, phases, bytes.

#include "emulator/memory/mbarrier.h"

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

TEST(Mbarrier, encode_and_decode_are_inverse) {
  const Mbarrier barrier{.pending = 1000, .expected = 1024, .bytes = -4096, .phase = 5};
  const Mbarrier again = Mbarrier::decode(barrier.encode());
  EXPECT_EQ(again.pending, 1000u);
  EXPECT_EQ(again.expected, 1024u);
  EXPECT_EQ(again.bytes, -4096);
  EXPECT_EQ(again.phase, 5u);
}

TEST(Mbarrier, a_phase_completes_when_all_have_arrived_and_all_bytes_are_there) {
  Mbarrier barrier{.pending = 2, .expected = 2, .bytes = 16, .phase = 0};
  barrier.arrive(2);
  EXPECT_EQ(barrier.phase, 0u);
  barrier.bytes -= 16;
  barrier.complete();
  EXPECT_EQ(barrier.phase, 1u);
  EXPECT_EQ(barrier.pending, 2u);
}

/// 64 threads; what is left in %r3 comes out, for each.
std::vector<uint32_t> with_barrier(std::string_view body) {
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(64));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(".param .u64 out",
                  fmt::format("ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
                              "add.u64 %rd2, %rd2, %rd3; mov.u32 %r3, 0; setp.eq.u32 %p1, %r1, 0;\n"
                              "@%p1 mbarrier.init.shared.b64 [barrier], 64; bar.sync 0;\n{}\n"
                              "st.global.u32 [%rd2], %r3; ret;",
                              body),
                  ".shared .align 8 .b64 barrier; .shared .align 4 .b32 value;"),
      builder.launch);
  if (kernel.outcome.buffers.empty()) return std::vector<uint32_t>(64);
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return values_of<uint32_t>(kernel.outcome.buffers[0]);
}

TEST(Mbarrier, a_thread_that_waits_sees_writes_before_the_arrival) {
  const auto out = with_barrier(
      "@%p1 st.shared.u32 [value], 77; mbarrier.arrive.shared.b64 %rd4, [barrier];\n"
      "AGAIN: mbarrier.test_wait.shared.b64 %p2, [barrier], %rd4; @!%p2 bra AGAIN; ld.shared.u32 %r3, "
      "[value];");
  for (const uint32_t value : out) EXPECT_EQ(value, 77u);
}

TEST(Mbarrier, a_warp_that_waits_lets_the_others_run) {
  // The second warp arrives later: it waits for a word that the first one writes after its arrival.
  const auto out = with_barrier(
      "setp.lt.u32 %p3, %r1, 32; @%p3 bra FIRST;\n"
      "SPIN: atom.shared.add.u32 %r5, [value], 0; setp.eq.u32 %p4, %r5, 0; @%p4 bra SPIN; bra ARRIVE;\n"
      "FIRST: atom.shared.exch.b32 %r5, [value], 1;\n"
      "ARRIVE: mbarrier.arrive.shared.b64 %rd4, [barrier];\n"
      "AGAIN: mbarrier.try_wait.shared.b64 %p2, [barrier], %rd4; @!%p2 bra AGAIN; mov.u32 %r3, 5;");
  for (const uint32_t value : out) EXPECT_EQ(value, 5u);
}

TEST(Mbarrier, parity_distinguishes_consecutive_phases) {
  const auto out = with_barrier(
      "mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 0; selp.u32 %r4, 1, 0, %p2;\n"  // not over: 0
      "mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 1; selp.u32 %r5, 2, 0, %p2;\n"  // the one before:
                                                                                            // 2
      "bar.sync 0; mbarrier.arrive.shared.b64 _, [barrier]; bar.sync 0;\n"
      "mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 0; selp.u32 %r6, 4, 0, %p2;\n"  // now over: 4
      "add.u32 %r3, %r4, %r5; add.u32 %r3, %r3, %r6;");
  for (const uint32_t value : out) EXPECT_EQ(value, 6u);
}

TEST(Mbarrier, pending_arrivals_and_drops_are_counted) {
  const auto out = with_barrier(
      "setp.ne.u32 %p5, %r1, 0; @%p5 bra END;\n"
      "mbarrier.arrive_drop.shared.b64 %rd4, [barrier], 4;\n"
      "mbarrier.arrive.noComplete.shared.b64 %rd5, [barrier], 10;\n"
      "mbarrier.arrive.shared.b64 %rd6, [barrier], 50;\n"  // 64 in all: the next phase expects 60
      "mbarrier.arrive.shared.b64 %rd7, [barrier];\n"
      "mbarrier.pending_count.b64 %r4, %rd5; mbarrier.pending_count.b64 %r5, %rd7; mad.lo.u32 %r3, %r4, "
      "1000, %r5;\n"
      "END:");
  EXPECT_EQ(out[0], 60u * 1000 + 60);
}

TEST(Mbarrier, an_object_that_is_not_in_shared_memory_is_a_fault) {
  LaunchBuilder builder;
  builder.buffer("out", std::vector<uint64_t>(4));
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(".param .u64 out", "ld.param.u64 %rd1, [out]; mbarrier.init.b64 [%rd1], 1; ret;"),
             builder.launch);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_NE(kernel.outcome.hazards[0].message.find("not in shared memory"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::emulator
