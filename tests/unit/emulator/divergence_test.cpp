// Lanes that diverge and reconverge: if, loops of different length, break, early exit, nesting, tables.

#include "emulator/values/detour.h"
#include "kernel_run.h"
#include "ptx/lower.h"
#include "ptx/module.h"

#include <algorithm>
#include <functional>

namespace lanescope::emulator {
namespace {

struct Lines {
  std::vector<uint32_t> out;  // [thread]
  Outcome outcome;
  std::vector<AccessList::Access> accesses;
};

/// Every thread t runs `body` with %r1 = t; it leaves a word in %r2, which is stored at label END.
Lines run_body(std::string_view body, uint32_t threads = 32, std::string_view before = "") {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(threads, 0xdead));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(
          ".param .u64 out",
          fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
                      "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0;\n{}\nEND: st.global.u32 [%rd1], %r2; ret;",
                      body),
          before),
      builder.launch);
  if (kernel.outcome.buffers.empty()) return {};
  return {values_of<uint32_t>(kernel.outcome.buffers[0]), std::move(kernel.outcome),
          std::move(kernel.sink.list)};
}

void expect_threads(const Lines& lines, const std::function<uint32_t(uint32_t)>& expected) {
  ASSERT_FALSE(lines.out.empty());
  for (uint32_t thread = 0; thread < lines.out.size(); ++thread)
    EXPECT_EQ(lines.out[thread], expected(thread)) << thread;
}

TEST(Divergence, both_branches_run_and_the_lanes_reconverge) {
  const Lines lines = run_body(
      "setp.lt.u32 %p1, %r1, 10; @%p1 bra THEN; mov.u32 %r2, 200; bra JOIN; THEN: mov.u32 %r2, 100; "
      "JOIN: add.u32 %r2, %r2, %r1;",
      70);
  expect_threads(lines, [](uint32_t t) { return (t < 10 ? 100 : 200) + t; });
  // One store by each of the three warps, with all of its lanes: they have reconverged.
  ASSERT_EQ(lines.accesses.size(), 3u);
  EXPECT_EQ(lines.accesses[0].mask, 0xffffffffu);
  EXPECT_EQ(lines.accesses[2].mask, 0x3fu);
}

TEST(Divergence, an_arm_leaves_what_the_lanes_of_the_other_still_read) {
  const Lines lines = run_body(
      "add.u32 %r3, %r1, 5; setp.lt.u32 %p1, %r1, 40; @%p1 bra THEN; mov.u32 %r3, 1; add.u32 %r2, %r3, %r1; "
      "bra JOIN; THEN: add.u32 %r2, %r3, 100; JOIN: add.u32 %r2, %r2, 0;",
      70);
  expect_threads(lines, [](uint32_t t) { return t < 40 ? t + 105 : t + 1; });
}

TEST(Divergence, an_arm_leaves_what_is_read_after_it) {
  const Lines lines = run_body(
      "mov.u32 %r3, 7; setp.lt.u32 %p1, %r1, 40; @%p1 bra JOIN; mul.lo.u32 %r4, %r1, 2; add.u32 %r3, %r4, 1; "
      "JOIN: mov.u32 %r2, %r3;",
      70);
  expect_threads(lines, [](uint32_t t) { return t < 40 ? 7 : 2 * t + 1; });
}

TEST(Divergence, only_what_no_other_thread_reads_is_free_to_be_written_in_a_detour) {
  const auto module = ptx::parse(
      kernel_text(".param .u64 out",
                  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r3, 7; setp.lt.u32 %p1, %r1, 40; "
                  "@%p1 bra JOIN; mul.lo.u32 %r4, %r1, 2; add.u32 %r3, %r4, 1; JOIN: st.global.u32 [%rd1], "
                  "%r3; ret;"),
      "test.ptx");
  ASSERT_TRUE(module);
  const auto program = ptx::lower(*module, "k");
  ASSERT_TRUE(program);
  const std::vector<bool> is_free = find_free_destinations(*program, find_detours(*program));
  const auto step_of = [&](ptx::Op op) {
    return static_cast<size_t>(std::ranges::find(program->steps, op, &ptx::Step::op) -
                               program->steps.begin());
  };
  ASSERT_LT(step_of(ptx::Op::add), is_free.size());
  ASSERT_LT(step_of(ptx::Op::mul), is_free.size());
  EXPECT_TRUE(is_free[step_of(ptx::Op::mul)]);
  EXPECT_FALSE(is_free[step_of(ptx::Op::add)]);
}

TEST(Divergence, only_the_lanes_of_an_arm_access_memory_in_it) {
  const Lines lines = run_body(
      ".shared .u32 s[64]; mul.lo.u32 %r3, %r1, 4; mov.u32 %r4, s; add.u32 %r4, %r4, %r3; and.b32 %r5, %r1, "
      "1; "
      "setp.eq.u32 %p1, %r5, 0; @%p1 bra EVEN; st.shared.u32 [%r4], %r1; bra END; EVEN: st.shared.u32 "
      "[%r4+128], %r1;");
  ASSERT_EQ(lines.accesses.size(), 3u);
  EXPECT_EQ(lines.accesses[0].mask | lines.accesses[1].mask, 0xffffffffu);
  EXPECT_EQ(lines.accesses[0].mask & lines.accesses[1].mask, 0u);
  for (const AccessList::Access& access : lines.accesses) {
    if (access.operation.space != trace::Space::Shared) continue;
    const uint32_t first = access.mask & 1 ? 0 : 1;
    EXPECT_TRUE(access.affine);
    ASSERT_EQ(access.addresses.size(), 16u);
    for (uint32_t n = 0; n < 16; ++n)
      EXPECT_EQ(access.addresses[n], (first == 0 ? 128 : 0) + 4 * (2 * n + first));
  }
  EXPECT_EQ(lines.accesses[2].mask, 0xffffffffu);
}

TEST(Divergence, loops_of_different_length) {
  const Lines lines = run_body(
      "mov.u32 %r3, 0; LOOP: setp.ge.u32 %p1, %r3, %r1; @%p1 bra END; add.u32 %r2, %r2, %r3; add.u32 %r3, "
      "%r3, 1; bra LOOP;",
      64);
  expect_threads(lines, [](uint32_t t) { return t * (t - 1) / 2; });
  EXPECT_EQ(lines.accesses.size(), 2u);  // the lanes of each warp store together
}

TEST(Divergence, a_loop_that_ends_in_its_branch) {
  const Lines lines = run_body(
      "mov.u32 %r3, 0; LOOP: add.u32 %r2, %r2, 3; add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r1; @%p1 bra "
      "LOOP;");
  expect_threads(lines, [](uint32_t t) { return 3 * (t + 1); });
  // 5 steps before, 4 per round as long as any lane continues, 2 after... counted by hand below.
  // ld mov mul add mov + mov = 6; 32 rounds of 4; st ret = 2.
  EXPECT_EQ(lines.outcome.warp_instructions, 6u + 32 * 4 + 2);
  // Round n has 33 - n lanes.
  EXPECT_EQ(lines.outcome.lane_instructions, 6u * 32 + 4 * (32 * 33 / 2) + 2 * 32);
}

TEST(Divergence, break_and_continue) {
  // for (i = 0; i < 20; ++i) { if (i == t) break; if (i % 2) continue; sum += i; }
  const Lines lines = run_body(
      "mov.u32 %r3, 0; LOOP: setp.ge.u32 %p1, %r3, 20; @%p1 bra END; setp.eq.u32 %p2, %r3, %r1; @%p2 bra "
      "END; "
      "and.b32 %r4, %r3, 1; setp.ne.u32 %p3, %r4, 0; @%p3 bra NEXT; add.u32 %r2, %r2, %r3; NEXT: add.u32 "
      "%r3, %r3, 1; bra LOOP;");
  expect_threads(lines, [](uint32_t t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 20; ++i) {
      if (i == t) break;
      if (i % 2) continue;
      sum += i;
    }
    return sum;
  });
  EXPECT_EQ(lines.accesses.size(), 1u);
}

TEST(Divergence, nested_loops_with_inner_trip_counts_of_their_own) {
  const Lines lines = run_body(
      "mov.u32 %r3, 0; OUTER: setp.ge.u32 %p1, %r3, 5; @%p1 bra END; mov.u32 %r4, 0; "
      "INNER: add.u32 %r5, %r3, %r1; and.b32 %r5, %r5, 3; setp.ge.u32 %p2, %r4, %r5; @%p2 bra AFTER; add.u32 "
      "%r2, %r2, 1; "
      "add.u32 %r4, %r4, 1; bra INNER; AFTER: add.u32 %r3, %r3, 1; bra OUTER;",
      96);
  expect_threads(lines, [](uint32_t t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 5; ++i) sum += (i + t) % 4;
    return sum;
  });
}

TEST(Divergence, threads_that_leave_early_are_not_missed) {
  const Lines lines =
      run_body("setp.ge.u32 %p1, %r1, 20; @%p1 ret; mov.u32 %r2, 7; bar.sync 0; bar.sync 0;", 40);
  expect_threads(lines, [](uint32_t t) { return t < 20 ? 7 : 0xdead; });
  EXPECT_TRUE(lines.outcome.hazards.empty());
  const Lines jump = run_body(
      "setp.ge.u32 %p1, %r1, 20; @%p1 bra LEAVE; mov.u32 %r2, 7; bar.sync 0; bra END; LEAVE: ret;", 40);
  expect_threads(jump, [](uint32_t t) { return t < 20 ? 7 : 0xdead; });
  EXPECT_TRUE(jump.outcome.hazards.empty());
}

TEST(Divergence, an_arm_that_ends_does_not_hold_up_the_barrier_of_the_other) {
  const Lines lines = run_body(
      "setp.lt.u32 %p1, %r1, 20; @%p1 bra GO; mov.u32 %r2, 5; st.global.u32 [%rd1], %r2; ret; "
      "GO: mov.u32 %r2, 7; bar.sync 0;",
      40);
  expect_threads(lines, [](uint32_t t) { return t < 20 ? 7 : 5; });
  EXPECT_TRUE(lines.outcome.hazards.empty());
}

TEST(Divergence, guards_leave_other_lanes_alone) {
  const Lines lines = run_body(
      "mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 4; @%p1 mov.u32 %r2, 2; @!%p1 add.u32 %r2, %r2, %r1; @%p1 "
      "mul.lo.u32 %r2, %r2, 10;",
      48);
  expect_threads(lines, [](uint32_t t) { return t < 4 ? 20 : 1 + t; });
}

TEST(Divergence, a_branch_table_sends_lanes_to_their_own_targets) {
  const Lines lines = run_body(
      "and.b32 %r3, %r1, 3; TABLE: .branchtargets A, B, C, B; brx.idx %r3, TABLE; "
      "A: mov.u32 %r2, 10; bra JOIN; B: mov.u32 %r2, 20; bra JOIN; C: mov.u32 %r2, 30; JOIN: add.u32 %r2, "
      "%r2, %r1;",
      40);
  expect_threads(lines, [](uint32_t t) { return (t % 4 == 0 ? 10 : t % 4 == 2 ? 30 : 20) + t; });
  EXPECT_EQ(lines.accesses.size(), 2u);
}

TEST(Divergence, what_the_block_computes_once_survives_divergence) {
  // %r3 is the same for all threads; warps diverge in between, some leave, and %r3 is changed afterwards
  // again.
  const Lines lines = run_body(
      "mov.u32 %r3, %ntid.x; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r1, 40; @%p1 bra SKIP; add.u32 %r2, %r2, "
      "%r3; "
      "SKIP: setp.lt.u32 %p2, %r1, 32; @%p2 ret; bar.sync 0; add.u32 %r3, %r3, 1000; add.u32 %r2, %r2, %r3;",
      96);
  expect_threads(lines, [](uint32_t t) { return t < 32 ? 0xdead : (t < 40 ? 0 : 97) + 1097; });
}

TEST(Divergence, a_loop_that_all_run_alike_keeps_the_warps_together_around_barriers) {
  // Each round a thread adds its left neighbor's number: needs every warp at every barrier.
  const Lines lines = run_body(
      ".shared .u32 s[96]; mov.u32 %r10, s; mul.lo.u32 %r11, %r1, 4; add.u32 %r11, %r11, %r10; mov.u32 %r2, "
      "%r1; mov.u32 %r3, 0; "
      "add.u32 %r12, %r1, 95; rem.u32 %r12, %r12, 96; mul.lo.u32 %r12, %r12, 4; add.u32 %r12, %r12, %r10;\n"
      "LOOP: st.shared.u32 [%r11], %r2; bar.sync 0; setp.lt.u32 %p2, %r1, 50; @%p2 bra OTHER; ld.shared.u32 "
      "%r5, [%r12]; bra BOTH; "
      "OTHER: ld.shared.u32 %r5, [%r12]; BOTH: bar.sync 0; mov.u32 %r2, %r5; add.u32 %r3, %r3, 1; "
      "setp.lt.u32 %p1, %r3, 5; @%p1 bra LOOP;",
      96);
  expect_threads(lines, [](uint32_t t) { return (t + 96 - 5) % 96; });
}

TEST(Divergence, warps_may_wait_for_each_others_writes) {
  const Lines lines = run_body(
      ".shared .u32 flag; setp.ge.u32 %p1, %r1, 32; @%p1 bra WRITER; SPIN: ld.volatile.shared.u32 %r3, "
      "[flag]; "
      "setp.eq.u32 %p2, %r3, 0; @%p2 bra SPIN; mov.u32 %r2, %r3; bra END; WRITER: mov.u32 %r2, 9; "
      "st.volatile.shared.u32 [flag], %r2;",
      64);
  expect_threads(lines, [](uint32_t) { return 9u; });
}

}  // namespace
}  // namespace lanescope::emulator
