// Independent thread scheduling and lockstep: progress when lanes, warps or blocks wait for each other.

#include "kernel_run.h"

#include <algorithm>
#include <functional>
#include <memory>

namespace lanescope::emulator {
namespace {

struct Launched {
  uint32_t blocks = 1;
  uint32_t threads = 32;
  unsigned workers = 1;
};

/// %r1 = number of the thread in the grid, %r2 is stored at out[%r1]; `lock` and `flags` are words of zero.
std::string text_of(std::string_view body) {
  return kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r10, %ctaid.x; mov.u32 %r11, "
                  "%ntid.x; mad.lo.u32 %r1, %r10, %r11, %r1; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, "
                  "%rd2; mov.u32 %r2, 0; mov.u64 %rd10, lock; mov.u64 %rd11, flags;\n{}\nEND: st.global.u32 "
                  "[%rd1], %r2; ret;",
                  body),
      ".global .u32 lock; .global .u32 flags[256]; .global .u32 counter;");
}

Outcome run_body(std::string_view body, Launched launched, Options options) {
  LaunchBuilder builder({launched.blocks, 1, 1}, {launched.threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(launched.blocks * launched.threads, 0xdead));
  const Result<ptx::Program> program = program_of(text_of(body));
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  options.threads = launched.workers;
  std::vector<AccessList> lists(launched.workers);
  std::vector<std::unique_ptr<ListSink>> sinks;
  for (AccessList& list : lists) sinks.push_back(std::make_unique<ListSink>(list));
  Pool pool(launched.workers);
  options.pool = &pool;
  Result<Outcome> outcome =
      run(*program, builder.launch, [&](unsigned worker) -> trace::Sink& { return *sinks[worker]; }, options);
  EXPECT_TRUE(outcome) << describe(outcome.error());
  return outcome ? std::move(*outcome) : Outcome{};
}

void expect_threads(const Outcome& outcome, const std::function<uint32_t(uint32_t)>& expected) {
  ASSERT_FALSE(outcome.buffers.empty());
  ASSERT_TRUE(outcome.hazards.empty()) << outcome.hazards[0].message;
  const auto out = values_of<uint32_t>(outcome.buffers[0]);
  for (uint32_t thread = 0; thread < out.size(); ++thread) EXPECT_EQ(out[thread], expected(thread)) << thread;
}

constexpr uint64_t kLimit = 10'000'000;

Options lockstep() { return {.limit_steps = kLimit, .scheduling = Scheduling::Lockstep}; }
Options independent() { return {.limit_steps = kLimit, .scheduling = Scheduling::Independent}; }

/// while (atomicCAS(lock, 0, 1) != 0); counter += 1; atomicExch(lock, 0);
constexpr std::string_view kWrongLock =
    "SPIN:\natom.global.cas.b32 %r3, [%rd10], 0, 1;\nsetp.ne.u32 %p1, %r3, 0; @%p1 bra SPIN;\n"
    "mov.u64 %rd12, counter; ld.volatile.global.u32 %r4, [%rd12]; add.u32 %r4, %r4, 1; "
    "st.volatile.global.u32 "
    "[%rd12], %r4; mov.u32 %r2, %r4;\natom.global.exch.b32 %r5, [%rd10], 0;";

TEST(Scheduling, a_lock_between_lanes_finishes_if_lanes_are_independent) {
  const Outcome outcome = run_body(kWrongLock, {.threads = 70}, independent());
  ASSERT_TRUE(outcome.hazards.empty()) << outcome.hazards[0].message;
  auto out = values_of<uint32_t>(outcome.buffers.at(0));
  std::ranges::sort(out);  // each got a different number
  for (uint32_t n = 0; n < out.size(); ++n) EXPECT_EQ(out[n], n + 1);
}

TEST(Scheduling, the_same_lock_is_a_deadlock_in_lockstep) {
  const Outcome outcome = run_body(kWrongLock, {}, lockstep());
  ASSERT_EQ(outcome.hazards.size(), 1u);
  const trace::Hazard& hazard = outcome.hazards[0];
  EXPECT_EQ(hazard.kind, trace::HazardKind::Deadlock);
  EXPECT_EQ(hazard.ptx_line, 10);
  EXPECT_NE(hazard.message.find("lanes 1-31 of warp 0 spin at PTX line 10"), std::string::npos)
      << hazard.message;
  EXPECT_NE(hazard.message.find("lane 0 waits for them at PTX line 12"), std::string::npos) << hazard.message;
  EXPECT_LT(outcome.warp_instructions, 100'000u);  // promptly
}

/// Reads the clock between two reads of a flag, as the waits of CUDA's C++ library do.
constexpr std::string_view kWaitWithTime =
    "mov.u64 %rd20, %globaltimer;\nSPIN: ld.volatile.global.u32 %r3, [%rd11]; setp.ne.u32 %p1, %r3, 0; @%p1 "
    "bra "
    "DONE; mov.u64 %rd21, %globaltimer; sub.u64 %rd22, %rd21, %rd20; setp.lt.u64 %p2, %rd22, 40000; @%p2 bra "
    "SPIN; shr.u64 %rd23, %rd22, 2; cvt.u32.u64 %r4, %rd23; nanosleep.u32 %r4; bra SPIN;\nDONE: mov.u32 %r2, "
    "%r3;";

TEST(Scheduling, a_timed_wait_is_a_deadlock_if_no_thread_signals) {
  for (const Launched launched : {Launched{.threads = 32}, Launched{.blocks = 3, .threads = 70}}) {
    const Outcome outcome = run_body(kWaitWithTime, launched, independent());
    ASSERT_EQ(outcome.hazards.size(), 1u);
    EXPECT_EQ(outcome.hazards[0].kind, trace::HazardKind::Deadlock);
    EXPECT_LT(outcome.warp_instructions, 1'000'000u);
  }
}

TEST(Scheduling, a_timed_wait_ends_when_a_thread_signals) {
  // The last of three blocks sets the flag.
  const std::string body = fmt::format(
      "setp.ne.u32 %p5, %r10, 2; @%p5 bra WAIT; mov.u32 %r4, 9; st.volatile.global.u32 [%rd11], %r4; mov.u32 "
      "%r2, 9; bra END; WAIT:\n{}",
      kWaitWithTime);
  expect_threads(run_body(body, {.blocks = 3}, independent()), [](uint32_t) { return 9u; });
}

TEST(Scheduling, a_wait_for_a_time_ends) {
  constexpr std::string_view kBody =
      "mov.u64 %rd20, %clock64; WAIT: mov.u64 %rd21, %clock64; sub.u64 %rd21, %rd21, %rd20; setp.lt.u64 %p1, "
      "%rd21, 4000000000; @%p1 bra WAIT; mov.u32 %r2, 1;";
  expect_threads(run_body(kBody, {.threads = 40}, independent()), [](uint32_t) { return 1u; });
}

TEST(Scheduling, a_lock_that_is_released_within_the_loop_finishes_in_both) {
  constexpr std::string_view kRightLock =
      "mov.u32 %r6, 0; SPIN: atom.global.cas.b32 %r3, [%rd10], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra NEXT; "
      "mov.u64 %rd12, counter; ld.volatile.global.u32 %r4, [%rd12]; add.u32 %r4, %r4, 1; "
      "st.volatile.global.u32 "
      "[%rd12], %r4; mov.u32 %r2, %r4; mov.u32 %r6, 1; atom.global.exch.b32 %r5, [%rd10], 0; NEXT: "
      "setp.eq.u32 "
      "%p2, %r6, 0; @%p2 bra SPIN;";
  for (const Options& options : {lockstep(), independent()}) {
    const Outcome outcome = run_body(kRightLock, {.threads = 64}, options);
    ASSERT_TRUE(outcome.hazards.empty()) << outcome.hazards[0].message;
    auto out = values_of<uint32_t>(outcome.buffers.at(0));
    std::ranges::sort(out);
    for (uint32_t n = 0; n < out.size(); ++n) EXPECT_EQ(out[n], n + 1);
  }
}

TEST(Scheduling, a_lane_may_wait_for_another_of_its_warp) {
  // Lane 0 waits for a flag that lane 1 sets after the reconvergence point; a counter keeps its registers
  // changing.
  constexpr std::string_view kBody =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHERS; SPIN: add.u32 %r7, %r7, 1; ld.volatile.global.u32 %r3, "
      "[%rd11]; "
      "setp.eq.u32 %p2, %r3, 0; @%p2 bra SPIN; mov.u32 %r2, %r3; OTHERS: setp.eq.u32 %p3, %r1, 1; mov.u32 "
      "%r4, "
      "5; @%p3 st.volatile.global.u32 [%rd11], %r4;";
  expect_threads(run_body(kBody, {}, independent()), [](uint32_t t) { return t == 0 ? 5u : 0u; });
}

TEST(Scheduling, shuffles_wait_for_the_members_that_they_name) {
  // Odd lanes take a detour before the shuffle, which all execute.
  constexpr std::string_view kBody =
      "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; mov.u32 %r4, %r1; @%p1 bra SHUFFLE; add.u32 %r4, %r4, "
      "100; "
      "add.u32 %r4, %r4, 100; SHUFFLE: shfl.sync.bfly.b32 %r2, %r4, 1, 31, -1;";
  expect_threads(run_body(kBody, {}, independent()),
                 [](uint32_t t) { return (t ^ 1) + (t % 2 == 0 ? 200 : 0); });
  // Here the instruction itself is in a loop that lanes enter at different times.
  constexpr std::string_view kLoop =
      "and.b32 %r3, %r1, 3; mov.u32 %r5, 0; LOOP: setp.ge.u32 %p1, %r5, %r3; @%p1 bra OUT; add.u32 %r5, %r5, "
      "1; "
      "bra LOOP; OUT: vote.sync.ballot.b32 %r2, %p1, -1;";
  expect_threads(run_body(kLoop, {}, independent()), [](uint32_t) { return 0xffffffffu; });
}

TEST(Scheduling, tiles_of_a_warp_have_votes_of_their_own) {
  // Tiles of 8 lanes; the mask of a lane is that of its tile.
  constexpr std::string_view kBody =
      "shr.u32 %r3, %r1, 3; mul.lo.u32 %r3, %r3, 8; mov.u32 %r4, 255; shl.b32 %r4, %r4, %r3; and.b32 %r5, "
      "%r1, "
      "1; setp.eq.u32 %p1, %r5, 0; vote.sync.ballot.b32 %r2, %p1, %r4;";
  for (const Options& options : {lockstep(), independent()})
    expect_threads(run_body(kBody, {}, options), [](uint32_t t) { return 0x55u << t / 8 * 8; });
}

TEST(Scheduling, lanes_at_different_warp_barriers_wait_for_each_other) {
  // Lane groups hand a value over in memory: one writes before its barrier, the other reads after its own.
  constexpr std::string_view kBody =
      "setp.lt.u32 %p1, %r1, 16; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd11, %rd3; @%p1 bra WRITE; "
      "bar.warp.sync -1; ld.volatile.global.u32 %r2, [%rd3+-64]; bra END; WRITE: add.u32 %r4, %r1, 50; "
      "st.volatile.global.u32 [%rd3], %r4; bar.warp.sync -1;";
  expect_threads(run_body(kBody, {}, independent()), [](uint32_t t) { return t < 16 ? 0 : t - 16 + 50; });
}

TEST(Scheduling, a_shuffle_that_names_lanes_which_never_come_is_a_hazard) {
  constexpr std::string_view kBody =
      "setp.ge.u32 %p1, %r1, 16; @%p1 bra END;\nshfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;";
  const Outcome outcome = run_body(kBody, {}, independent());
  ASSERT_EQ(outcome.hazards.size(), 1u);
  EXPECT_EQ(outcome.hazards[0].ptx_line, 10);
  EXPECT_EQ(outcome.hazards[0].kind, trace::HazardKind::DivergentBarrier);
  EXPECT_NE(outcome.hazards[0].message.find("waits for lanes 16-31"), std::string::npos)
      << outcome.hazards[0].message;
}

TEST(Scheduling, members_that_have_exited_are_not_waited_for) {
  constexpr std::string_view kBody =
      "setp.ge.u32 %p1, %r1, 16; @%p1 exit; setp.lt.u32 %p2, %r1, 8; @%p2 bra A; A: vote.sync.ballot.b32 "
      "%r2, "
      "%p1, -1; not.b32 %r2, %r2;";
  expect_threads(run_body(kBody, {}, independent()),
                 [](uint32_t t) { return t < 16 ? 0xffffffffu : 0xdead; });
}

TEST(Scheduling, lanes_that_arrive_at_a_barrier_one_after_the_other_wait_there) {
  // The wrong lock lets lanes go one by one; the barrier after it reconverges the warp.
  const std::string body =
      std::string(kWrongLock) + "bar.sync 0; mov.u64 %rd12, counter; ld.volatile.global.u32 %r2, [%rd12];";
  expect_threads(run_body(body, {.threads = 96}, independent()), [](uint32_t) { return 96u; });
}

TEST(Scheduling, barriers_without_aligned_count_lanes) {
  // 16 lanes of each of two warps wait at barrier 1; the others do not take part.
  constexpr std::string_view kBody =
      "and.b32 %r3, %r1, 31; setp.ge.u32 %p1, %r3, 16; @%p1 bra END; mul.wide.u32 %rd3, %r1, 4; add.u64 "
      "%rd3, "
      "%rd11, %rd3; st.volatile.global.u32 [%rd3], %r1; barrier.sync 1, 32; xor.b32 %r4, %r1, 32; "
      "mul.wide.u32 "
      "%rd3, %r4, 4; add.u64 %rd3, %rd11, %rd3; ld.volatile.global.u32 %r2, [%rd3];";
  expect_threads(run_body(kBody, {.threads = 64}, independent()),
                 [](uint32_t t) { return t % 32 < 16 ? t ^ 32 : 0; });
}

TEST(Scheduling, half_a_warp_at_another_barrier_is_a_hazard) {
  constexpr std::string_view kBody =
      "setp.ge.u32 %p1, %r1, 16; @%p1 bra OTHER;\nbar.sync 0;\nbra END; OTHER:\nbar.sync 0;";
  for (const Options& options : {lockstep(), independent()}) {
    const Outcome outcome = run_body(kBody, {}, options);
    ASSERT_EQ(outcome.hazards.size(), 1u);
    EXPECT_EQ(outcome.hazards[0].kind, trace::HazardKind::DivergentBarrier);
  }
}

/// Block b waits until flags[`of`] is set, then sets flags[b].
std::string waits_for_block(std::string_view of) {
  return fmt::format(
      "setp.eq.u32 %p4, {0}, -1; @%p4 bra GO; mul.wide.u32 %rd3, {0}, 4; add.u64 %rd3, %rd11, %rd3; SPIN: "
      "ld.volatile.global.u32 %r3, [%rd3]; setp.eq.u32 %p1, %r3, 0;\n@%p1 bra SPIN; GO: mul.wide.u32 %rd4, "
      "%r10, "
      "4; add.u64 %rd4, %rd11, %rd4; mov.u32 %r4, 1; st.volatile.global.u32 [%rd4], %r4; mov.u32 %r2, 7;",
      of);
}

TEST(Scheduling, a_block_may_wait_for_one_with_a_lower_or_a_higher_number) {
  for (const unsigned workers : {1u, 3u}) {
    expect_threads(run_body("sub.u32 %r12, %r10, 1; " + waits_for_block("%r12"),
                            {.blocks = 40, .threads = 64, .workers = workers}, independent()),
                   [](uint32_t) { return 7u; });
    // The last block waits for no other.
    expect_threads(run_body("add.u32 %r12, %r10, 1; setp.eq.u32 %p5, %r12, 40; @%p5 mov.b32 %r12, -1; " +
                                waits_for_block("%r12"),
                            {.blocks = 40, .threads = 64, .workers = workers}, independent()),
                   [](uint32_t) { return 7u; });
  }
}

TEST(Scheduling, a_block_may_wait_for_one_that_its_own_worker_or_another_has_taken) {
  // A worker takes several blocks of a large grid at a time.
  const std::string from_last = "add.u32 %r12, %r10, 1; setp.eq.u32 %p5, %r12, 256; @%p5 mov.b32 %r12, -1; ";
  const std::string even_for_odd =
      "and.b32 %r12, %r10, 1; setp.eq.u32 %p5, %r12, 1; add.u32 %r12, %r10, 1; "
      "@%p5 mov.b32 %r12, -1; ";
  for (const std::string& number : {std::string("sub.u32 %r12, %r10, 1; "), from_last, even_for_odd})
    expect_threads(run_body(number + waits_for_block("%r12"), {.blocks = 256, .threads = 32, .workers = 3},
                            {.limit_steps = 200'000'000}),
                   [](uint32_t) { return 7u; });
}

TEST(Scheduling, blocks_that_wait_for_each_other_in_a_circle_are_a_deadlock) {
  for (const unsigned workers : {1u, 3u}) {
    const Outcome outcome =
        run_body("add.u32 %r12, %r10, 1; and.b32 %r12, %r12, 7; " + waits_for_block("%r12"),
                 {.blocks = 8, .threads = 64, .workers = workers}, independent());
    ASSERT_EQ(outcome.hazards.size(), 1u);
    EXPECT_EQ(outcome.hazards[0].kind, trace::HazardKind::Deadlock);
    EXPECT_NE(outcome.hazards[0].message.find("spin"), std::string::npos) << outcome.hazards[0].message;
  }
}

TEST(Scheduling, a_deadlock_of_many_blocks_is_found_in_time_that_grows_with_their_number) {
  // All wait for a flag that no block sets. Looking at all of them after each takes millions of instructions.
  constexpr std::string_view kBody =
      "SPIN: ld.volatile.global.u32 %r3, [%rd11]; setp.eq.u32 %p1, %r3, 0; @%p1 bra SPIN;";
  const auto instructions = [&](uint32_t blocks) {
    const Outcome outcome = run_body(kBody, {.blocks = blocks, .threads = 32}, independent());
    EXPECT_EQ(outcome.hazards.size(), 1u);
    return outcome.warp_instructions;
  };
  EXPECT_LT(instructions(1600), 6 * instructions(400));
}

TEST(Scheduling, all_blocks_of_a_grid_can_wait_for_each_other) {
  // Thread 0 of each block counts itself in and waits for all 30, with a counter that keeps it moving.
  constexpr std::string_view kBody =
      "mov.u32 %r12, %tid.x; setp.ne.u32 %p1, %r12, 0; @%p1 bra JOIN; atom.global.add.u32 %r3, [%rd10], 1; "
      "SPIN: "
      "add.u32 %r5, %r5, 1; ld.volatile.global.u32 %r4, [%rd10]; setp.lt.u32 %p2, %r4, 30; @%p2 bra SPIN; "
      "JOIN: "
      "bar.sync 0; ld.volatile.global.u32 %r2, [%rd10];";
  for (const unsigned workers : {1u, 2u})
    expect_threads(
        run_body(kBody, {.blocks = 30, .threads = 96, .workers = workers}, {.limit_steps = 200'000'000}),
        [](uint32_t) { return 30u; });
}

TEST(Scheduling, the_limit_says_where_the_warps_stood) {
  // Warp 0 counts without end, warp 1 waits for it.
  const Error error = error_of(
      text_of("mov.u32 %r12, %tid.x; setp.ge.u32 %p1, %r12, 32; @%p1 bra JOIN;\nL: add.u32 %r5, %r5, 1; bra "
              "L;\nJOIN: bar.sync 0;"),
      [] {
        LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
        builder.buffer("out", std::vector<uint32_t>(64));
        return builder.launch;
      }(),
      {.limit_steps = 300'000});
  EXPECT_EQ(error.kind, ErrorKind::Limit);
  EXPECT_NE(error.message.find("warp 1: lanes 0-31 at barrier 0 (PTX line 11)"), std::string::npos)
      << error.message;
}

TEST(Scheduling, a_loop_in_which_nothing_changes_is_found_at_once) {
  for (const std::string_view body :
       {"L:\nbra L;", "setp.eq.u32 %p1, %r1, 3; @!%p1 bra END; L:\nmov.u32 %r3, 5; bra L;"}) {
    const Outcome outcome = run_body(body, {.threads = 64}, independent());
    ASSERT_EQ(outcome.hazards.size(), 1u);
    EXPECT_EQ(outcome.hazards[0].kind, trace::HazardKind::Deadlock);
    EXPECT_EQ(outcome.hazards[0].ptx_line, 10);
    EXPECT_NE(outcome.hazards[0].message.find("without an end"), std::string::npos);
    EXPECT_LT(outcome.warp_instructions, 300'000u);
  }
}

TEST(Scheduling, a_loop_whose_counter_is_in_memory_does_not_spin) {
  // Registers are the same whenever the loop begins again; only the counter in memory moves on.
  constexpr std::string_view kBody =
      ".shared .u32 s; mov.u32 %r3, 0; setp.eq.u32 %p2, %r1, 0; @!%p2 bra END; st.shared.u32 [s], %r3;\n"
      "LOOP: ld.shared.u32 %r3, [s]; add.u32 %r3, %r3, 1; st.shared.u32 [s], %r3; setp.lt.u32 %p1, %r3, "
      "30000; "
      "mov.u32 %r3, 7; @%p1 bra LOOP; ld.shared.u32 %r2, [s];";
  for (const uint32_t threads : {1u, 32u})
    expect_threads(run_body(kBody, {.threads = threads}, independent()),
                   [](uint32_t t) { return t == 0 ? 30'000u : 0u; });
}

TEST(Scheduling, both_schedulings_execute_the_same_instructions_without_waits) {
  constexpr std::string_view kBody =
      "and.b32 %r3, %r1, 7; LOOP: setp.eq.u32 %p1, %r3, 0; @%p1 bra END; and.b32 %r4, %r3, 1; setp.eq.u32 "
      "%p2, "
      "%r4, 0; @%p2 bra EVEN; add.u32 %r2, %r2, %r3; bra NEXT; EVEN: add.u32 %r2, %r2, 1; NEXT: sub.u32 %r3, "
      "%r3, 1; bra LOOP;";
  const Outcome one = run_body(kBody, {.threads = 96}, independent());
  const Outcome other = run_body(kBody, {.threads = 96}, lockstep());
  EXPECT_EQ(one.warp_instructions, other.warp_instructions);
  EXPECT_EQ(one.lane_instructions, other.lane_instructions);
  EXPECT_EQ(*one.buffers.at(0), *other.buffers.at(0));
}

/// What cooperative_groups::this_grid().sync() compiles to: the driver's workspace, whose second word counts.
constexpr std::string_view kGridSync = R"(
bar.sync 0; setp.ne.u32 %p9, %r30, 0; @%p9 bra WAITED{0};
setp.eq.u32 %p8, %r10, 0; mov.u32 %r31, %nctaid.x; sub.u32 %r32, -2147483647, %r31; selp.b32 %r33, %r32, 1, %p8;
atom.add.release.gpu.u32 %r34, [%rd20+4], %r33;
AGAIN{0}: ld.acquire.gpu.u32 %r35, [%rd20+4]; xor.b32 %r35, %r35, %r34; setp.gt.s32 %p7, %r35, -1; @%p7 bra AGAIN{0};
WAITED{0}: bar.sync 0;)";

TEST(Scheduling, grid_sync_synchronizes_all_blocks) {
  // Each block writes a flag, waits for the others, and sums up all flags; twice.
  std::string body =
      "mov.u32 %r30, %tid.x; mov.u32 %r40, %envreg2; mov.u32 %r41, %envreg1; mov.b64 %rd20, {%r40, %r41};\n"
      "setp.eq.u64 %p1, %rd20, 0; @%p1 trap; mul.wide.u32 %rd21, %r10, 4; add.u64 %rd21, %rd11, %rd21;\n"
      "st.global.u32 [%rd21], 7;";
  body += fmt::format(fmt::runtime(kGridSync), 1);
  body +=
      "mov.u32 %r20, 0; mov.u64 %rd22, %rd11;\nSUM: ld.global.u32 %r21, [%rd22]; add.u32 %r2, %r2, %r21;\n"
      "add.u64 %rd22, %rd22, 4; add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 64; @%p2 bra SUM;";
  body += fmt::format(fmt::runtime(kGridSync), 2);
  body += "st.global.u32 [%rd21], 9;";
  const ptx::Program program = program_of(text_of(body)).value();
  for (const unsigned workers : {1u, 2u}) {
    LaunchBuilder builder({37, 1, 1}, {64, 1, 1});
    builder.buffer("out", std::vector<uint32_t>(37 * 64));
    std::vector<AccessList> lists(workers);
    std::vector<std::unique_ptr<ListSink>> sinks;
    for (AccessList& list : lists) sinks.push_back(std::make_unique<ListSink>(list));
    const auto outcome =
        run(program, builder.launch, [&](unsigned worker) -> trace::Sink& { return *sinks[worker]; },
            {.threads = workers, .checks = Checks::All});
    ASSERT_TRUE(outcome) << describe(outcome.error());
    for (const trace::Hazard& hazard : outcome->hazards) ADD_FAILURE() << trace::sentence_of(hazard);
    for (const uint32_t sum : values_of<uint32_t>(outcome->buffers.at(0))) EXPECT_EQ(sum, 37u * 7);
  }
}

}  // namespace
}  // namespace lanescope::emulator
