// Races: each kind with both of its sides, and correct kernels, which must not be accused.

#include "check_run.h"

#include <fmt/ranges.h>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kTile = ".shared .align 16 .b8 tile[4096];";

/// A kernel with buffer `out`, whose address is in %rd1; %r1 is tid.x, %r2 the address of its word of the
/// tile, %r3 its warp, %r4 its lane.
std::string with_tile(std::string_view body) {
  return kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n"
                  "mov.u32 %r5, tile; add.u32 %r2, %r2, %r5; shr.u32 %r3, %r1, 5; and.b32 %r4, "
                  "%r1, 31;\n{}\nret;",
                  body),
      kTile);
}

launch::Launch launch_of(uint32_t threads, uint32_t blocks = 1) {
  LaunchBuilder builder({blocks, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(size_t{threads} * blocks));
  return builder.launch;
}

Checked check(std::string_view body, uint32_t threads = 64) {
  return check_kernel(with_tile(body), launch_of(threads));
}

void expect_correct(std::string_view body, uint32_t threads = 64) {
  const Checked checked = check(body, threads);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << body;
  EXPECT_EQ(texts_of(checked.notes), std::vector<std::string>{}) << body;
  EXPECT_EQ(checked.unchecked, std::vector<std::string>{});
}

TEST(Race, a_missing_barrier_between_a_write_and_a_read_names_both_sides) {
  const trace::Hazard race =
      only(check("st.shared.u32 [%r2], %r1;\nxor.b32 %r6, %r1, 63; shl.b32 %r6, %r6, 2; add.u32 %r6, "
                 "%r6, %r5;\nld.shared.u32 %r7, [%r6]; st.shared.u32 [tile+2048], 0;")
               .hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{63, 0, 0}));
  EXPECT_EQ(race.ptx_line - race.other->ptx_line, 2);
  EXPECT_EQ(race.count, 64u);
  EXPECT_EQ(
      race.message,
      fmt::format(
          "reads offset 252 of 'tile' in shared memory, where thread (63,0,0) writes at PTX line {}, and "
          "no barrier is between them; put __syncthreads() there, or use an atomic",
          race.other->ptx_line));
}

TEST(Race, a_barrier_between_them_makes_it_right) {
  expect_correct(
      "st.shared.u32 [%r2], %r1; bar.sync 0; xor.b32 %r6, %r1, 63; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, "
      "%r5; ld.shared.u32 %r7, [%r6];");
}

TEST(Race, a_write_after_a_read_without_a_barrier_is_one) {
  // Reads the other warp's word, then overwrites its own.
  const std::string_view read =
      "st.shared.u32 [%r2], %r1; bar.sync 0; xor.b32 %r6, %r1, 32; shl.b32 %r6, %r6, 2; "
      "add.u32 %r6, %r6, %r5; ld.shared.u32 %r7, [%r6];";
  const trace::Hazard race = only(check(fmt::format("{}\nst.shared.u32 [%r2], %r7;", read)).hazards);
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{32, 0, 0}));
  EXPECT_NE(race.message.find("writes offset 0 of 'tile' in shared memory, where thread (32,0,0) reads"),
            std::string::npos)
      << race.message;
  expect_correct(fmt::format("{} bar.sync 0; st.shared.u32 [%r2], %r7;", read));
}

TEST(Race, a_word_that_two_warps_read_is_not_to_be_overwritten_by_either) {
  // All read word 0; a thread of the warp that read first writes it.
  const trace::Hazard race =
      only(check("setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], 5; bar.sync 0; ld.shared.u32 "
                 "%r7, [tile];\nbar.warp.sync 0xffffffff; @%p1 st.shared.u32 [tile], 6;")
               .hazards);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread.x / 32, 1u);
}

TEST(Race, two_warps_that_write_different_values_race) {
  const trace::Hazard race =
      only(check("shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5; st.shared.u32 [%r6], %r1;").hazards);
  EXPECT_EQ(race.thread, (Dim3{32, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.ptx_line, race.other->ptx_line);
  EXPECT_EQ(race.count, 32u);
}

TEST(Race, equal_values_are_a_note) {
  const Checked checked = check("shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5; st.shared.u32 [%r6], %r4;");
  EXPECT_TRUE(checked.hazards.empty());
  EXPECT_NE(only(checked.notes).message.find("the same value, so the result is the same"), std::string::npos);
}

TEST(Race, lanes_that_write_different_values_in_one_instruction_race) {
  const trace::Hazard race = only(check("st.shared.u32 [tile+8], %r1;", 32).hazards);
  EXPECT_EQ(race.thread, (Dim3{1, 0, 0}));
  EXPECT_EQ(race.message,
            "writes offset 8 of 'tile' in shared memory, where thread (0,0,0) writes another value in the "
            "same instruction, and which one stays is undefined; let one lane write, or use an atomic");
  EXPECT_EQ(race.count, 31u);
}

TEST(Race, lanes_that_write_one_value_in_one_instruction_are_fine) {
  expect_correct("st.shared.u32 [tile+8], 7;", 32);
}

TEST(Race, lanes_of_a_warp_need_syncwarp) {
  const std::string_view write = "st.shared.u32 [%r2], %r1;";
  const std::string_view read =
      "xor.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r5; ld.shared.u32 %r7, [%r6];";
  const trace::Hazard race = only(check(fmt::format("{}\n{}", write, read), 32).hazards);
  EXPECT_NE(race.message.find("put __syncwarp() between them"), std::string::npos) << race.message;
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{1, 0, 0}));
  expect_correct(fmt::format("{} bar.warp.sync 0xffffffff; {}", write, read), 32);
  expect_correct(fmt::format("{} shfl.sync.bfly.b32 %r8, %r1, 1, 31, 0xffffffff; {}", write, read), 32);
  expect_correct(fmt::format("{} ld.shared.u32 %r7, [%r2];", write), 32);  // each its own
}

TEST(Race, volatile_does_not_make_lanes_run_in_step) {
  const std::string_view body =
      "st.volatile.shared.u32 [%r2], %r1; setp.lt.u32 %p1, %r1, 16;\n@%p1 ld.volatile.shared.u32 "
      "%r7, [%r2+64]; ld.volatile.shared.u32 %r8, [%r2];";
  // The same lanes must have executed both: a flag that one lane sets and others wait for is another matter.
  expect_correct(body, 32);
  const std::string_view all =
      "st.volatile.shared.u32 [%r2], %r1; xor.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 2; add.u32 %r6, "
      "%r6, %r5;\nld.volatile.shared.u32 %r7, [%r6];";
  EXPECT_NE(only(check(all, 32).hazards).message.find("__syncwarp"), std::string::npos);
  const std::string_view global =
      "cvt.u64.u32 %rd2, %r1; shl.b64 %rd2, %rd2, 2; add.u64 %rd3, %rd1, %rd2; xor.b64 %rd2, %rd2, 4; "
      "add.u64 %rd2, %rd1, %rd2;\nst.volatile.global.u32 [%rd3], %r1; {}\n"
      "ld.volatile.global.u32 %r7, [%rd2];";
  const Checked in_step = check(fmt::format(fmt::runtime(global), ""), 32);
  EXPECT_NE(only(in_step.hazards).message.find("__syncwarp"), std::string::npos);
  expect_correct(fmt::format(fmt::runtime(global), "bar.warp.sync 0xffffffff;"), 32);
}

TEST(Race, atomics_do_not_race_with_each_other) {
  const std::string_view clear = "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], 0;";
  const std::string_view add = "atom.shared.add.u32 %r6, [tile], 1; red.shared.add.u32 [tile], 1;";
  const std::string_view read = "ld.shared.u32 %r7, [tile];";
  expect_correct(fmt::format("{} bar.sync 0; {} bar.sync 0; {}", clear, add, read));
  // Without the barrier after the clearing, and without the one before the reading.
  const Checked first = check(fmt::format("{}\n{} bar.sync 0; {}", clear, add, read));
  EXPECT_FALSE(first.hazards.empty());
  const Checked second = check(fmt::format("{} bar.sync 0; {}\n{}", clear, add, read));
  ASSERT_FALSE(second.hazards.empty());
  EXPECT_NE(second.hazards[0].message.find("updates"), std::string::npos) << second.hazards[0].message;
}

TEST(Race, an_atomic_made_of_compare_and_swap_may_read_its_guess) {
  expect_correct(
      "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], 0; bar.sync 0;\n"
      "ld.shared.u32 %r6, [tile]; L: add.u32 %r7, %r6, 3; mov.u32 %r8, %r6; atom.shared.cas.b32 %r6, [tile], "
      "%r8, %r7;\n"
      "setp.ne.u32 %p2, %r6, %r8; @%p2 bra L;");
}

TEST(Race, bytes_side_by_side_are_different_places) {
  // Four threads of different warps write to one word.
  expect_correct(
      "and.b32 %r6, %r1, 31; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r3; add.u32 %r6, %r6, %r5; cvt.u16.u32 "
      "%rs1, "
      "%r1; st.shared.u8 [%r6], %rs1; bar.sync 0; shl.b32 %r7, %r4, 2; add.u32 %r7, %r7, %r5; ld.shared.u32 "
      "%r8, [%r7];",
      128);
}

TEST(Race, vectors_cover_all_their_words) {
  const std::string_view write =
      "shl.b32 %r6, %r1, 4; add.u32 %r6, %r6, %r5; st.shared.v4.u32 [%r6], {%r1, %r1, %r1, %r1};";
  // Word 3 of the vector of thread 32 is word 131.
  const std::string_view read = "setp.eq.u32 %p1, %r1, 0;\n@%p1 ld.shared.u32 %r7, [tile+524];";
  const trace::Hazard race = only(check(fmt::format("{} {}", write, read)).hazards);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{32, 0, 0}));
  expect_correct(fmt::format("{} bar.sync 0; {}", write, read));
  expect_correct(fmt::format("{} ld.shared.v4.u32 {{%r8, %r9, %r10, %r11}}, [%r6];", write));
}

TEST(Race, strided_accesses_are_seen_whole) {
  // Columns of a padded tile, read without and with a barrier.
  const std::string_view write =
      "mad.lo.u32 %r6, %r3, 132, %r5; shl.b32 %r7, %r4, 2; add.u32 %r6, %r6, %r7; st.shared.u32 "
      "[%r6], %r1;";
  const std::string_view read =
      "mul.lo.u32 %r8, %r4, 132; shl.b32 %r9, %r3, 2; add.u32 %r8, %r8, %r9; add.u32 %r8, %r8, "
      "%r5; setp.lt.u32 %p1, %r4, 4; ld.shared.u32 %r10, [%r8];";
  EXPECT_FALSE(check(fmt::format("{}\n{}", write, read), 128).hazards.empty());
}

TEST(Race, a_named_barrier_orders_the_participating_warps) {
  // Warp 0 produces, warp 1 consumes; warp 2 never waits.
  const std::string_view body =
      "setp.eq.u32 %p1, %r3, 0; setp.eq.u32 %p2, %r3, 1; @%p2 bra CONSUME; @!%p1 bra DONE;\n"
      "st.shared.u32 [%r2], %r1; bar.arrive 1, 64; bra DONE;\n"
      "CONSUME: bar.sync 1, 64; ld.shared.u32 %r7, [%r2-128]; DONE:";
  expect_correct(body, 96);
  std::string wrong(body);
  wrong.replace(wrong.find("bar.sync 1, 64; ld.shared.u32 %r7, [%r2-128];"), 45,
                "ld.shared.u32 %r7, [%r2-128]; bar.sync 1, 64;");
  EXPECT_EQ(only(check(wrong, 96).hazards).kind, trace::HazardKind::Race);
}

TEST(Race, a_flag_with_fences_orders_two_warps) {
  const auto body = [](std::string_view fence) {
    return fmt::format(
        "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile+4], 0; bar.sync 0; setp.ge.u32 %p2, %r1, 32; @%p2 "
        "bra CONSUME;\n"
        "setp.eq.u32 %p1, %r1, 0; @!%p1 bra DONE; st.shared.u32 [tile], 9; {} st.volatile.shared.u32 "
        "[tile+4], 1; bra DONE;\n"
        "CONSUME: ld.volatile.shared.u32 %r7, [tile+4]; setp.eq.u32 %p3, %r7, 0; @%p3 bra CONSUME; {} "
        "ld.shared.u32 %r8, "
        "[tile];\nDONE:",
        fence, fence);
  };
  expect_correct(body("membar.cta;"));
  EXPECT_EQ(only(check(body("")).hazards).kind, trace::HazardKind::Race);
}

TEST(Race, two_buffers_in_turn_need_one_barrier_each) {
  // Each round writes one half of the tile and reads it after the barrier.
  expect_correct(
      "mov.u32 %r10, 0; mov.u32 %r11, 0;\n"
      "L: and.b32 %r12, %r10, 1; shl.b32 %r12, %r12, 9; add.u32 %r13, %r2, %r12; st.shared.u32 [%r13], %r10; "
      "bar.sync 0;\n"
      "xor.b32 %r14, %r1, 63; shl.b32 %r14, %r14, 2; add.u32 %r14, %r14, %r5; add.u32 %r14, %r14, %r12; "
      "ld.shared.u32 %r15, "
      "[%r14]; add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 6; @%p1 bra L;");
}

TEST(Race, a_reduction_in_shared_memory_is_correct_with_its_barriers_only) {
  const auto reduction = [](std::string_view barrier) {
    return fmt::format(
        "st.shared.u32 [%r2], %r1; bar.sync 0; mov.u32 %r10, 64;\n"
        "L: setp.lt.u32 %p1, %r1, %r10; @!%p1 bra SKIP; shl.b32 %r11, %r10, 2; add.u32 %r11, %r11, %r2; "
        "ld.shared.u32 %r12, "
        "[%r11]; ld.shared.u32 %r13, [%r2]; add.u32 %r13, %r13, %r12; st.shared.u32 [%r2], %r13;\nSKIP: {} "
        "shr.u32 %r10, "
        "%r10, 1; setp.ne.u32 %p2, %r10, 0; @%p2 bra L;",
        barrier);
  };
  expect_correct(reduction("bar.sync 0;"), 128);
  EXPECT_FALSE(check(reduction(""), 128).hazards.empty());
}

TEST(Race, the_list_is_one_entry_for_each_pair_of_lines) {
  const Checked checked = check(
      "mov.u32 %r10, 0;\nL: shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5;\nst.shared.u32 [%r6], %r1;\n"
      "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 3; @%p1 bra L;\nst.shared.u32 [%r6], %r3;");
  // Each with itself in the other warp, and the last with the loop's.
  EXPECT_EQ(checked.hazards.size(), 3u);
}

TEST(Race, a_block_of_more_accesses_than_stamps_have_numbers_is_checked_to_its_end) {
  const std::string_view loop =
      "st.shared.u32 [%r2], %r1; bar.sync 0; mov.u32 %r10, 0;\nL: ld.shared.u32 %r11, [%r2]; add.u32 %r10, "
      "%r10, 1; "
      "setp.lt.u32 %p1, %r10, 300000; @%p1 bra L;\nxor.b32 %r6, %r1, 63; shl.b32 %r6, %r6, 2; add.u32 %r6, "
      "%r6, %r5;";
  const auto hazards_of = [&](std::string_view end) {
    const auto program = program_of(with_tile(fmt::format("{}\n{}", loop, end)));
    NoValuesSink sink;
    return check_with(*program, launch_of(64), sink).hazards;
  };
  EXPECT_TRUE(hazards_of("ld.shared.u32 %r7, [%r6];").empty());
  EXPECT_EQ(hazards_of("st.shared.u32 [%r2], %r10;\nld.shared.u32 %r7, [%r6];").size(), 1u);
}

TEST(Race, a_missing_barrier_is_one_entry_for_lanes_and_warps_together) {
  // Thread t reads what t + 1 wrote: of its own warp, or of the next.
  const trace::Hazard race = only(
      check("st.shared.u32 [%r2], %r1;\nsetp.lt.u32 %p1, %r1, 63; @%p1 ld.shared.u32 %r7, [%r2+4];").hazards);
  EXPECT_EQ(race.thread, (Dim3{31, 0, 0}));
  EXPECT_EQ(race.count, 63u);
  EXPECT_NE(race.message.find("__syncthreads"), std::string::npos) << race.message;
}

TEST(Race, a_guess_at_a_variable_by_its_name_is_one_too) {
  expect_correct(
      "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile+8], 0; bar.sync 0; ld.shared.u32 %r6, [tile+8]; "
      "mov.u32 "
      "%r7, tile; AGAIN: mov.u32 %r8, %r6; add.u32 %r9, %r8, 1; atom.shared.cas.b32 %r6, [%r7+8], %r8, %r9; "
      "setp.ne.u32 %p1, %r6, %r8; @%p1 bra AGAIN;");
}

TEST(Race, a_lane_that_polls_and_then_writes_the_flag_does_not_race_with_itself) {
  // Lane after lane takes its turn, as with a ticket.
  expect_correct(
      "setp.eq.u32 %p1, %r1, 0; @%p1 st.volatile.shared.u32 [tile], 0; bar.sync 0; AGAIN: "
      "ld.volatile.shared.u32 "
      "%r6, [tile]; setp.ne.u32 %p1, %r6, %r1; @%p1 bra AGAIN; add.u32 %r6, %r1, 1; membar.cta; "
      "st.volatile.shared.u32 [tile], %r6;",
      32);
}

TEST(Race, a_threads_own_plain_read_is_not_taken_for_the_volatile_ones_of_others) {
  // Lane 0 alone reads plainly and writes; lane 1 reads the same word as a volatile, before or after.
  for (const std::string_view order :
       {"@%p1 ld.shared.u32 %r7, [tile]; @%p2 ld.volatile.shared.u32 %r7, [tile];",
        "@%p2 ld.volatile.shared.u32 %r7, [tile]; @%p1 ld.shared.u32 %r7, [tile];"})
    expect_correct(
        fmt::format("setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; @%p1 st.shared.u32 [tile], 3; "
                    "bar.warp.sync 0xffffffff; {} @%p1 atom.shared.exch.b32 %r8, [tile], 4;",
                    order),
        32);
}

TEST(Race, lost_updates_name_a_lane_with_the_same_address) {
  // Lanes 0 and 23 add to word 0 without an atomic.
  const Checked checked = check(
      "st.shared.u32 [%r2], 0; bar.sync 0; setp.eq.u32 %p1, %r1, 23; selp.u32 %r6, %r5, %r2, %p1;\n"
      "ld.shared.u32 %r7, [%r6]; add.u32 %r7, %r7, %r1;\nst.shared.u32 [%r6], %r7;",
      32);
  ASSERT_EQ(checked.hazards.size(), 2u) << "with each other in one instruction, and with the reads";
  EXPECT_EQ(checked.hazards[1].thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(checked.hazards[1].other->thread, (Dim3{23, 0, 0})) << checked.hazards[1].message;
}

TEST(Race, a_lane_is_not_said_to_race_with_itself) {
  // All lanes read word 0, then lane 0 writes it.
  const trace::Hazard race = only(check("setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], 5; "
                                        "bar.warp.sync 0xffffffff; ld.shared.u32 %r7, [tile];\n@%p1 "
                                        "st.shared.u32 [tile], 6;",
                                        32)
                                      .hazards);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->thread, (Dim3{1, 0, 0}));
}

TEST(Race, global_memory_of_one_block_follows_the_same_rules) {
  const std::string_view write =
      "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r1;";
  const std::string_view read =
      "xor.b32 %r6, %r1, 63; mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r7, "
      "[%rd3];";
  expect_correct(fmt::format("{} bar.sync 0; {}", write, read));
  const trace::Hazard race = only(check(fmt::format("{} {}", write, read)).hazards);
  EXPECT_NE(race.message.find("reads out[63], byte 252 of 'out', where thread (63,0,0) writes"),
            std::string::npos)
      << race.message;
}

TEST(Race, nothing_is_found_when_nothing_is_looked_for) {
  KernelRun kernel;
  run_kernel(kernel, with_tile("st.shared.u32 [tile+8], %r1;"), launch_of(32));
  EXPECT_TRUE(kernel.outcome.hazards.empty());
}

/// The messages of a kernel with source lines in a.cu; every word of the tile has been written.
std::string messages_in_source(std::string_view body) {
  std::string text = with_tile(fmt::format("st.shared.u32 [%r2], %r1; bar.sync 0;\n{}", body));
  text.insert(text.find(".shared"), ".file 1 \"a.cu\"\n");
  std::string messages;
  for (const trace::Hazard& hazard : check_kernel(text, launch_of(64)).hazards)
    messages += hazard.message + "\n";
  return messages;
}

TEST(Race, an_update_of_one_element_wants_an_atomic_and_one_from_another_element_a_barrier) {
  const std::string counter = messages_in_source(
      ".loc 1 9 1\nld.shared.u32 %r6, [tile]; add.u32 %r6, %r6, %r1; st.shared.u32 [tile], %r6;");
  EXPECT_NE(counter.find("so that updates are lost; use an atomic"), std::string::npos) << counter;
  // s[t] += s[t ^ 32]
  const std::string sum = messages_in_source(
      "xor.b32 %r8, %r2, 128;\n.loc 1 9 1\nld.shared.u32 %r6, [%r8]; ld.shared.u32 %r7, [%r2]; add.u32 %r6, "
      "%r6, "
      "%r7; st.shared.u32 [%r2], %r6;");
  EXPECT_NE(sum.find("no barrier is between them; put __syncthreads() between one round and the next"),
            std::string::npos)
      << sum;
  EXPECT_EQ(sum.find("atomic"), std::string::npos) << sum;
}

}  // namespace
}  // namespace lanescope::emulator
