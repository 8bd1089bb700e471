// Clusters: ranks, other blocks' shared memory, the barrier of a cluster, and what is refused.

#include "cluster_kernel.h"

namespace lanescope::emulator {
namespace {

std::vector<uint32_t> run_body(Dim3 cluster, std::string_view body, Dim3 grid, uint32_t threads = 64) {
  KernelRun of;
  run_kernel(of, cluster_kernel(cluster, body), cluster_launch(grid, threads));
  if (of.outcome.buffers.empty()) return {};
  for (const trace::Hazard& hazard : of.outcome.hazards) ADD_FAILURE() << hazard.message;
  return values_of<uint32_t>(of.outcome.buffers[0]);
}

TEST(Cluster, special_registers_give_rank_and_cluster) {
  const auto out =
      run_body({2, 2, 1},
               "mov.u32 %r10, %cluster_ctaid.x; mov.u32 %r11, %cluster_ctaid.y; mov.u32 %r12, "
               "%clusterid.x; mov.u32 %r13, %clusterid.y; mov.u32 %r14, %cluster_nctarank; mov.u32 "
               "%r15, %nclusterid.x; mov.u32 %r16, %cluster_nctaid.y;\n"
               "mad.lo.u32 %r9, %r3, 10, %r10; mad.lo.u32 %r9, %r9, 10, %r11; mad.lo.u32 %r9, %r9, "
               "10, %r12; mad.lo.u32 %r9, %r9, 10, %r13; mad.lo.u32 %r9, %r9, 10, %r14; mad.lo.u32 "
               "%r9, %r9, 10, %r15; mad.lo.u32 %r9, %r9, 10, %r16;",
               {6, 4, 1}, 32);
  ASSERT_EQ(out.size(), 24u * 32);
  // Block (3, 1): place (1, 1), so rank 3, of cluster (1, 0); 4 blocks, 3 clusters side by side, 2 high.
  EXPECT_EQ(out[(1 * 6 + 3) * 32], 31110432u);
  // Block (4, 2): place (0, 0) of cluster (2, 1).
  EXPECT_EQ(out[(2 * 6 + 4) * 32], 21432u);
}

TEST(Cluster, a_block_reads_what_its_neighbour_wrote_before_the_barrier) {
  for (const std::string_view read :
       {"mapa.shared::cluster.u32 %r10, %r7, %r8; ld.shared::cluster.u32 %r9, [%r10];",
        "cvt.u64.u32 %rd3, %r7; cvta.shared.u64 %rd4, %rd3; mapa.u64 %rd5, %rd4, %r8; ld.u32 %r9, [%rd5];"}) {
    const auto out = run_body(
        {2, 1, 1}, fmt::format("st.shared.u32 [%r7], %r2; {0} xor.b32 %r8, %r3, 1; {1} {0}", kSync, read),
        {6, 1, 1}, 70);
    ASSERT_EQ(out.size(), 6u * 70);
    for (uint32_t n = 0; n < out.size(); ++n)
      ASSERT_EQ(out[n], (n / 70 ^ 1) * 70 + n % 70) << "block " << n / 70 << " thread " << n % 70;
  }
}

TEST(Cluster, lanes_may_go_to_different_blocks) {
  const auto out =
      run_body({4, 1, 1},
               fmt::format("st.shared.u32 [%r7], %r2; {0} and.b32 %r8, %r1, 3; mapa.shared::cluster.u32 "
                           "%r10, %r7, %r8; ld.shared::cluster.u32 %r9, [%r10]; {0}",
                           kSync),
               {8, 1, 1}, 64);
  ASSERT_EQ(out.size(), 8u * 64);
  for (uint32_t n = 0; n < out.size(); ++n) ASSERT_EQ(out[n], (n / 256 * 4 + n % 4) * 64 + n % 64);
}

TEST(Cluster, accesses_say_whose_shared_memory_they_go_to) {
  // All lanes read their neighbor's; then even lanes read their own and odd lanes the neighbor's.
  KernelRun of;
  run_kernel(of,
             cluster_kernel({2, 1, 1}, fmt::format("st.shared.u32 [%r7], %r2; {0} xor.b32 %r8, %r3, 1;\n"
                                                   "mapa.shared::cluster.u32 %r10, %r7, %r8;\n"
                                                   "ld.shared::cluster.u32 %r9, [%r10];\n"
                                                   "and.b32 %r8, %r1, 1; xor.b32 %r8, %r8, %r3;\n"
                                                   "mapa.shared::cluster.u32 %r10, %r7, %r8;\n"
                                                   "ld.shared::cluster.u32 %r9, [%r10]; {0}",
                                                   kSync)),
             cluster_launch({2, 1, 1}, 32));
  std::vector<trace::SharedOwner> owners;
  for (const auto& access : of.sink.list)
    if (access.cta == 0 && access.operation.space == trace::Space::Shared) owners.push_back(access.owner);
  using enum trace::SharedOwner;
  EXPECT_EQ(owners, (std::vector{OwnBlock, OtherBlocksAlone, OwnBlock, OtherBlock}));
}

TEST(Cluster, its_blocks_add_up_in_the_shared_memory_of_one) {
  const auto out = run_body(
      {2, 1, 1},
      fmt::format(
          "st.shared.u32 [%r7], 0; {0} mov.u32 %r8, 0; mapa.shared::cluster.u32 %r10, %r6, %r8; "
          "atom.shared::cluster.add.u32 %r11, [%r10], 1; red.shared::cluster.add.u32 [%r10+4], %r1; {0}"
          "ld.shared::cluster.u32 %r9, [%r10]; ld.shared::cluster.u32 %r12, [%r10+4]; mad.lo.u32 %r9, %r12, "
          "1000, %r9; {0}",
          kSync),
      {4, 1, 1}, 64);
  for (const uint32_t value : out) EXPECT_EQ(value, 2 * (63 * 64 / 2) * 1000 + 128u);
}

TEST(Cluster, getctarank_gives_the_rank_of_a_mapped_address) {
  const auto out =
      run_body({4, 1, 1},
               "cvt.u64.u32 %rd3, %r7; cvta.shared.u64 %rd4, %rd3; and.b32 %r8, %r1, 3; mapa.u64 %rd5, "
               "%rd4, %r8; getctarank.u64 %r9, %rd5; getctarank.shared::cluster.u32 %r10, %r7; "
               "mad.lo.u32 %r9, %r10, 10, %r9;",
               {4, 1, 1}, 32);
  ASSERT_EQ(out.size(), 128u);
  for (uint32_t n = 0; n < out.size(); ++n) EXPECT_EQ(out[n], n / 32 * 10 + n % 4);
}

TEST(Cluster, the_barrier_counts_phase_after_phase_and_other_things_can_be_done_meanwhile) {
  // Ten times: what the neighbor has counted so far, read between two barriers.
  const auto out = run_body(
      {2, 1, 1},
      fmt::format(
          "xor.b32 %r8, %r3, 1; mapa.shared::cluster.u32 %r10, %r7, %r8; mov.u32 %r12, 0;\n"
          "AGAIN: add.u32 %r12, %r12, 1; st.shared.u32 [%r7], %r12; barrier.cluster.arrive.release; "
          "add.u32 %r9, %r9, 100; barrier.cluster.wait.acquire;\n"
          "ld.shared::cluster.u32 %r13, [%r10]; add.u32 %r9, %r9, %r13; {0} setp.lt.u32 %p1, %r12, 10; "
          "@%p1 bra AGAIN;",
          kSync),
      {4, 1, 1}, 96);
  for (const uint32_t value : out) EXPECT_EQ(value, 1000u + 55u);
}

TEST(Cluster, the_barrier_does_not_wait_for_exited_threads) {
  const auto out =
      run_body({2, 1, 1},
               fmt::format("setp.eq.u32 %p1, %r3, 1; setp.gt.u32 %p2, %r1, 9; and.pred %p1, %p1, %p2; "
                           "@%p1 exit; {} mov.u32 %r9, 7;",
                           kSync),
               {2, 1, 1}, 64);
  ASSERT_EQ(out.size(), 128u);
  for (uint32_t n = 0; n < out.size(); ++n) EXPECT_EQ(out[n], n < 64 + 10 ? 7u : 0xdeadu) << n;
}

TEST(Cluster, results_do_not_depend_on_the_number_of_workers) {
  const std::string text = cluster_kernel(
      {2, 2, 1},
      fmt::format("st.shared.u32 [%r7], %r2; {0} xor.b32 %r8, %r3, 3; mapa.shared::cluster.u32 %r10, %r7, "
                  "%r8; ld.shared::cluster.u32 %r9, [%r10]; {0}",
                  kSync));
  const auto program = program_of(text);
  ASSERT_TRUE(program) << describe(program.error());
  const launch::Launch launch = cluster_launch({8, 8, 1}, 64);
  for (const unsigned threads : {1u, 2u, 4u}) {
    std::vector<AccessList> lists(threads);
    std::vector<std::unique_ptr<ListSink>> sinks;
    for (AccessList& list : lists) sinks.push_back(std::make_unique<ListSink>(list));
    const auto outcome =
        run(*program, launch, [&](unsigned worker) -> trace::Sink& { return *sinks[worker]; },
            {.threads = threads});
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_TRUE(outcome->hazards.empty());
    const auto out = values_of<uint32_t>(outcome->buffers[0]);
    for (uint32_t n = 0; n < out.size(); ++n) {
      const uint32_t x = n / 64 % 8 ^ 1, y = n / 64 / 8 ^ 1;
      ASSERT_EQ(out[n], (y * 8 + x) * 64 + n % 64) << threads << " workers";
    }
  }
}

trace::Hazard hazard_of(Dim3 cluster, std::string_view body) {
  KernelRun of;
  run_kernel(of, cluster_kernel(cluster, body), cluster_launch({4, 1, 1}, 32));
  EXPECT_EQ(of.outcome.hazards.size(), 1u);
  return of.outcome.hazards.empty() ? trace::Hazard{} : of.outcome.hazards[0];
}

TEST(Cluster, a_rank_that_is_none_is_out_of_bounds) {
  const trace::Hazard hazard = hazard_of(
      {2, 1, 1},
      "mov.u32 %r8, 2; mapa.shared::cluster.u32 %r10, %r7, %r8; ld.shared::cluster.u32 %r9, [%r10];");
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.block, (Dim3{0, 0, 0}));
  EXPECT_EQ(hazard.message,
            "reads 4 bytes in the shared memory of rank 2 of a cluster, which has 2 blocks; check the rank");
}

TEST(Cluster, a_bulk_copy_to_another_block_completes_on_its_mbarrier) {
  // The first 16 bytes of `out`, which hold 0xdead, to offset 512 of the neighbor.
  const auto out = run_body(
      {2, 1, 1},
      with_neighbours_mbarrier(
          1,
          "ld.param.u64 %rd5, [out]; @!%p1 bra LOOK; "
          "mbarrier.arrive.expect_tx.shared::cta.b64 %rd6, [tile], 16;\n"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10+512], [%rd5], 16, [%r10];",
          "ld.shared.u32 %r9, [tile+524];"),
      {2, 1, 1}, 64);
  for (const uint32_t value : out) EXPECT_EQ(value, 0xdeadu);
}

TEST(Cluster, barrier_after_barrier_is_seen_to_be_waited_for_at_once) {
  std::string body;
  for (int n = 0; n < 20; ++n) body += kSync;
  KernelRun of;
  run_kernel(of, cluster_kernel({4, 1, 1}, body), cluster_launch({4, 1, 1}, 32));
  EXPECT_TRUE(of.outcome.hazards.empty());
  EXPECT_LT(of.outcome.warp_instructions,
            4u * 20 * 300);  // it polls some 70 times before it lets others continue
}

TEST(Cluster, threads_arrive_at_an_mbarrier_of_another_block) {
  const auto out =
      run_body({2, 1, 1},
               with_neighbours_mbarrier(64, "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r10];",
                                        "mov.u32 %r9, 5;"),
               {4, 1, 1}, 64);
  for (const uint32_t value : out) EXPECT_EQ(value, 5u);
}

TEST(Cluster, an_offset_beyond_the_neighbours_memory_is_out_of_bounds) {
  const trace::Hazard hazard = hazard_of(
      {2, 1, 1},
      "mov.u32 %r8, 1; mapa.shared::cluster.u32 %r10, %r6, %r8; ld.shared::cluster.u32 %r9, [%r10+1024];");
  EXPECT_NE(
      hazard.message.find("reads index 256 of 'tile' in shared memory, which has 256 elements of 4 bytes"),
      std::string::npos)
      << hazard.message;
}

TEST(Cluster, the_hazard_of_a_block_is_reported_instead_of_the_wait_for_it) {
  const trace::Hazard hazard = hazard_of(
      {2, 1, 1}, fmt::format("setp.eq.u32 %p1, %r3, 1; @%p1 st.shared.u32 [%r7+4096], %r1; {}", kSync));
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.block, (Dim3{1, 0, 0}));
}

TEST(Cluster, a_barrier_that_one_block_never_reaches_is_a_deadlock) {
  const trace::Hazard hazard = hazard_of(
      {2, 1, 1},
      fmt::format("setp.eq.u32 %p1, %r3, 1; @%p1 bra LOOP; {} bra OUT; LOOP: ld.volatile.shared.u32 %r9, "
                  "[%r7]; bra LOOP; OUT:",
                  kSync));
  EXPECT_EQ(hazard.kind, trace::HazardKind::Deadlock);
}

TEST(Cluster, a_grid_that_is_no_multiple_and_a_cluster_that_is_too_large_are_refused) {
  const Error error = error_of(cluster_kernel({2, 1, 1}, ""), cluster_launch({3, 1, 1}, 32));
  EXPECT_EQ(error.kind, ErrorKind::Launch);
  EXPECT_EQ(
      error.message,
      "kernel k asks for clusters of 2 x 1 x 1 blocks, of which a grid of 3 x 1 x 1 is no multiple; launch a "
      "multiple");
  EXPECT_EQ(error_of(cluster_kernel({32, 1, 1}, ""), cluster_launch({32, 1, 1}, 32)).kind, ErrorKind::Launch);
  run_body({1, 1, 1}, "", {3, 1, 1}, 32);
}

}  // namespace
}  // namespace lanescope::emulator
