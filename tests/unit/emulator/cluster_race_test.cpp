// The checks in kernels whose blocks form clusters: accesses to each other's shared memory, and what the
// cluster's barrier orders.

#include "check_run.h"
#include "cluster_kernel.h"

namespace lanescope::emulator {
namespace {

Checked check(std::string_view body, uint32_t threads = 64) {
  const Checked checked = check_kernel(cluster_kernel({2, 1, 1}, body), cluster_launch({4, 1, 1}, threads));
  EXPECT_EQ(checked.unchecked, std::vector<std::string>{});
  return checked;
}

void expect_correct(std::string_view body, uint32_t threads = 64) {
  const Checked checked = check(body, threads);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << body;
  EXPECT_EQ(texts_of(checked.notes), std::vector<std::string>{}) << body;
}

/// %r10: the address in the neighbor of one's own word, %r7; %r8 its rank.
constexpr std::string_view kMap = "xor.b32 %r8, %r3, 1; mapa.shared::cluster.u32 %r10, %r7, %r8;\n";

TEST(ClusterRace, what_the_barriers_of_the_cluster_order_is_right) {
  expect_correct(
      fmt::format("{1} st.shared.u32 [%r7], %r2; {0} ld.shared::cluster.u32 %r9, [%r10]; {0} "
                  "st.shared.u32 [%r7], 5; {0} st.shared::cluster.u32 [%r10], 6; {0} "
                  "ld.shared.u32 %r9, [%r7];",
                  kSync, kMap));
}

TEST(ClusterRace, a_write_into_a_block_that_reads_names_both) {
  const trace::Hazard race = only(check(fmt::format("{1} st.shared.u32 [%r7], %r2; {0}\n"
                                                    "st.shared::cluster.u32 [%r10], %r1;\n"
                                                    "ld.shared.u32 %r9, [%r7]; {0}",
                                                    kSync, kMap))
                                      .hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  ASSERT_TRUE(race.other);
  // Block 1, the last at the barrier, continues first: block 0 writes what it has read.
  EXPECT_EQ(race.block, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->block, (Dim3{1, 0, 0}));
  EXPECT_EQ(race.other->thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->ptx_line - race.ptx_line, 1);
  EXPECT_EQ(
      race.message,
      fmt::format("writes offset 0 of 'tile' in the shared memory of block (1,0,0), where thread (0,0,0) "
                  "of block (1,0,0) reads at PTX line {}, and no barrier of the cluster is between them; "
                  "call cluster.sync() there, or use an atomic",
                  race.other->ptx_line));
}

TEST(ClusterRace, a_read_of_what_the_neighbour_still_writes) {
  const trace::Hazard race =
      only(check(fmt::format("{1} st.shared.u32 [%r7], 1; {0} st.shared.u32 [%r7], %r2;\n"
                             "ld.shared::cluster.u32 %r9, [%r10]; {0}",
                             kSync, kMap))
               .hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  // Block 0 writes what block 1 has read.
  EXPECT_EQ(race.block, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->block, (Dim3{1, 0, 0}));
  EXPECT_NE(
      race.message.find("offset 0 of 'tile' in shared memory, where thread (0,0,0) of block (1,0,0) reads"),
      std::string::npos)
      << race.message;
}

TEST(ClusterRace, two_blocks_that_write_into_a_third) {
  const auto checked = check_kernel(
      cluster_kernel({4, 1, 1},
                     fmt::format("{0} mov.u32 %r8, 0; mapa.shared::cluster.u32 %r10, %r6, %r8; setp.eq.u32 "
                                 "%p1, %r1, 0; setp.gt.and.u32 %p1, %r3, 1, %p1;\n"
                                 "@%p1 st.shared::cluster.u32 [%r10+16], %r3; {0}",
                                 kSync)),
      cluster_launch({4, 1, 1}, 32));
  const trace::Hazard race = only(checked.hazards);
  EXPECT_EQ(race.block, (Dim3{2, 0, 0}));
  EXPECT_EQ(race.other->block, (Dim3{3, 0, 0}));
  EXPECT_NE(race.message.find("offset 16 of 'tile' in the shared memory of block (0,0,0)"), std::string::npos)
      << race.message;
}

TEST(ClusterRace, equal_values_are_a_note) {
  const auto checked =
      check(fmt::format("{0} mov.u32 %r8, 0; mapa.shared::cluster.u32 %r10, %r6, %r8; "
                        "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared::cluster.u32 [%r10], 7; {0}",
                        kSync));
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
  EXPECT_NE(only(checked.notes).message.find("the same value"), std::string::npos);
}

TEST(ClusterRace, atomics_of_several_blocks_are_no_race_but_a_plain_read_with_them_is) {
  constexpr std::string_view kAdd =
      "st.shared.u32 [%r7], 0; {0} mov.u32 %r8, 0; mapa.shared::cluster.u32 %r10, %r6, %r8; "
      "red.shared::cluster.add.u32 [%r10], 1; {1}\nld.shared::cluster.u32 %r9, [%r10]; {0}";
  expect_correct(fmt::format(kAdd, kSync, kSync));
  const Checked checked = check(fmt::format(kAdd, kSync, ""));
  ASSERT_EQ(checked.hazards.size(), 2u) << "between its own warps, and between blocks";
  for (const trace::Hazard& race : checked.hazards) EXPECT_EQ(race.kind, trace::HazardKind::Race);
}

TEST(ClusterRace, warps_of_a_block_race_in_the_memory_of_another) {
  // Thread 0 writes, thread 32 reads, of one block.
  constexpr std::string_view kPass =
      "{0} mov.u32 %r8, 1; mapa.shared::cluster.u32 %r10, %r6, %r8; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 "
      "%p2, "
      "%r1, 32; setp.eq.and.u32 %p1, %r3, 0, %p1; setp.eq.and.u32 %p2, %r3, 0, %p2;\n"
      "@%p1 st.shared::cluster.u32 [%r10], 7; {1}\n@%p2 ld.shared::cluster.u32 %r9, [%r10]; {0}";
  expect_correct(fmt::format(kPass, kSync, "bar.sync 0;"));
  const trace::Hazard race = only(check(fmt::format(kPass, kSync, "")).hazards);
  EXPECT_EQ(race.thread, (Dim3{32, 0, 0}));
  EXPECT_EQ(race.other->thread, (Dim3{0, 0, 0}));
  EXPECT_NE(race.message.find("put __syncthreads() there"), std::string::npos) << race.message;
}

TEST(ClusterRace, a_block_may_have_exited_or_not_started) {
  const trace::Hazard to_come = only(
      check(fmt::format("{1} st.shared::cluster.u32 [%r10], %r1; {0} ld.shared.u32 %r9, [%r7];", kSync, kMap))
          .hazards);
  EXPECT_EQ(to_come.kind, trace::HazardKind::Race);
  EXPECT_FALSE(to_come.other);
  EXPECT_EQ(
      to_come.message,
      "writes offset 0 of 'tile' in the shared memory of block (1,0,0), which need not have begun; call "
      "cluster.sync() first");
  const trace::Hazard over = only(
      check(fmt::format("{1} st.shared.u32 [%r7], %r1; {0} ld.shared::cluster.u32 %r9, [%r10];", kSync, kMap))
          .hazards);
  EXPECT_EQ(over.message,
            "reads offset 0 of 'tile' in the shared memory of block (1,0,0), which may have ended; call "
            "cluster.sync() before blocks end");
}

TEST(ClusterRace, uninitialized_reads_are_found_in_another_block_too) {
  const trace::Hazard found =
      only(check(fmt::format("{1} {0} ld.shared::cluster.u32 %r9, [%r10]; {0}", kSync, kMap)).hazards);
  EXPECT_EQ(found.kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(found.message,
            "reads 4 bytes at offset 0 of 'tile' in the shared memory of block (1,0,0), which are "
            "uninitialized; write it first, and check the index");
  // The neighbor has written it.
  expect_correct(
      fmt::format("{1} {0} st.shared::cluster.u32 [%r10], 5; {0} ld.shared.u32 %r9, [%r7];", kSync, kMap));
}

TEST(ClusterRace, an_mbarrier_of_the_neighbour_orders) {
  expect_correct(with_neighbours_mbarrier(
      64,
      "add.u32 %r11, %r7, 512; mapa.shared::cluster.u32 %r12, %r11, %r8; st.shared::cluster.u32 [%r12], %r2; "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r10];",
      "ld.shared.u32 %r9, [%r11];"));
}

TEST(ClusterRace, a_fence_and_a_flag_in_global_memory_order) {
  // Block 1 of the cluster writes into block 0, and signals it by a word of `out` that no other block uses.
  expect_correct(fmt::format(
      "{1} {0} ld.param.u64 %rd5, [out]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAIT; st.shared::cluster.u32 "
      "[%r10], 9; bar.sync 0; setp.ne.u32 %p2, %r1, 0; @%p2 bra OUT; fence.acq_rel.cluster; mov.u32 "
      "%r12, "
      "%clusterid.x; shl.b32 %r12, %r12, 8; cvt.u64.u32 %rd6, %r12; add.u64 %rd5, %rd5, %rd6; "
      "st.relaxed.cluster.global.u32 [%rd5+512], 1; bra OUT;\n"
      "WAIT: mov.u32 %r12, %clusterid.x; shl.b32 %r12, %r12, 8; cvt.u64.u32 %rd6, %r12; add.u64 %rd5, "
      "%rd5, "
      "%rd6; LOOK: ld.acquire.cluster.global.u32 %r13, [%rd5+512]; setp.ne.u32 %p2, %r13, 1; @%p2 bra "
      "LOOK; "
      "ld.shared.u32 %r9, [%r7]; OUT: {0} setp.eq.u32 %p2, %r9, 12345; @!%p2 exit;",
      kSync, kMap));
}

TEST(ClusterRace, the_barrier_orders_global_memory_within_the_cluster_alone) {
  // Every block reads what the neighbor in the cluster wrote, or the one that is two away.
  constexpr std::string_view kPass =
      "ld.param.u64 %rd5, [out]; st.global.u32 [%rd1], %r2; {0} mov.u32 %r11, %ctaid.x; xor.b32 %r11, %r11, "
      "{1}; mad.lo.u32 %r11, %r11, %r4, %r1; mul.wide.u32 %rd6, %r11, 4; add.u64 %rd6, %rd5, %rd6;\n"
      "ld.global.u32 %r9, [%rd6]; {0}";
  expect_correct(fmt::format(kPass, kSync, 1));
  const auto checked = check(fmt::format(kPass, kSync, 2));
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_NE(checked.hazards[0].message.find("nothing orders the blocks"), std::string::npos)
      << checked.hazards[0].message;
}

TEST(ClusterRace, without_a_barrier_global_memory_is_not_ordered) {
  const auto checked = check(
      "ld.param.u64 %rd5, [out]; st.global.u32 [%rd1], %r2; mov.u32 %r11, %ctaid.x; xor.b32 %r11, %r11, 1; "
      "mad.lo.u32 %r11, %r11, %r4, %r1; mul.wide.u32 %rd6, %r11, 4; add.u64 %rd6, %rd5, %rd6; ld.global.u32 "
      "%r9, [%rd6];");
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_EQ(checked.hazards[0].kind, trace::HazardKind::Race);
}

TEST(ClusterRace, what_was_found_does_not_depend_on_the_number_of_workers) {
  const auto program = program_of(cluster_kernel(
      {2, 1, 1}, fmt::format("{1} st.shared.u32 [%r7], %r2; {0} st.shared::cluster.u32 [%r10], %r1; "
                             "ld.shared.u32 %r9, [%r7]; {0}",
                             kSync, kMap)));
  ASSERT_TRUE(program) << describe(program.error());
  std::vector<std::vector<std::string>> found;
  for (const unsigned threads : {1u, 2u, 4u}) {
    NoValuesSink sink;
    const auto outcome =
        run(*program, cluster_launch({64, 1, 1}, 64), [&](unsigned) -> trace::Sink& { return sink; },
            {.threads = threads, .checks = Checks::All});
    ASSERT_TRUE(outcome) << describe(outcome.error());
    found.push_back(texts_of(outcome->hazards));
  }
  EXPECT_EQ(found[0].size(), 1u);
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

}  // namespace
}  // namespace lanescope::emulator
