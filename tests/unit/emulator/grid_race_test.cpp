// Races between blocks in global memory: both sides are named, whatever the number of workers; blocks that
// are ordered by atomics and fences are not accused.

#include "check_run.h"

#include <fmt/ranges.h>

namespace lanescope::emulator {
namespace {

trace::Cost no_cost(const trace::WarpAccess&) { return {}; }

/// %rd1 is `data`, %r1 tid.x, %r2 ctaid.x, %r3 the number of the thread in the grid, %rd2 the address of its
/// word.
std::string kernel(std::string_view body) {
  return kernel_text(
      ".param .u64 data",
      fmt::format(
          "ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r4, %ntid.x; "
          "mad.lo.u32 %r3, %r2, %r4, %r1;\nmul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n{}\nret;",
          body),
      ".shared .align 4 .b8 flag[4];");
}

Checked check(std::string_view body, Dim3 grid, Dim3 block) {
  const Result<ptx::Program> program = program_of(kernel(body));
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  LaunchBuilder builder(grid, block);
  builder.buffer("data", std::vector<uint32_t>(volume(grid) * volume(block) * 2 + 64));
  std::optional<Checked> result;
  for (const unsigned workers : {1u, 2u, 4u}) {
    Pool pool(workers);
    const auto recording =
        record(*program, builder.launch, no_cost, {}, {.pool = &pool, .checks = Checks::All});
    EXPECT_TRUE(recording) << describe(recording.error());
    if (!recording) return {};
    const Checked checked{recording->trace.hazards, recording->trace.notes, recording->trace.unchecked};
    if (!result) result = checked;
    EXPECT_EQ(texts_of(checked.hazards), texts_of(result->hazards)) << workers;
    EXPECT_EQ(texts_of(checked.notes), texts_of(result->notes)) << workers;
  }
  return *result;
}

Checked check(std::string_view body, uint32_t blocks = 8, uint32_t threads = 32) {
  return check(body, {blocks, 1, 1}, {threads, 1, 1});
}

void expect_correct(std::string_view body, Dim3 grid, Dim3 block) {
  const Checked checked = check(body, grid, block);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << body;
  EXPECT_EQ(texts_of(checked.notes), std::vector<std::string>{}) << body;
  EXPECT_EQ(checked.unchecked, std::vector<std::string>{});
}

void expect_correct(std::string_view body, uint32_t blocks = 8, uint32_t threads = 32) {
  expect_correct(body, {blocks, 1, 1}, {threads, 1, 1});
}

TEST(GridRace, a_write_where_several_blocks_have_read_is_found_and_one_next_to_it_is_not) {
  // Block b reads words b and b + 1, so each is read by two blocks. Then the last block writes word 2.
  const std::string_view reads =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
      "ld.global.u32 %r5, [%rd5]; ld.global.u32 %r6, [%rd5+4]; add.u32 %r5, %r5, %r6;\n"
      "setp.ne.u32 %p2, %r2, 7; @%p2 bra DONE;\n";
  const Checked raced = check(fmt::format("{}st.global.u32 [%rd1+8], %r5; DONE:", reads));
  const trace::Hazard race = only(raced.hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  EXPECT_EQ(race.block, (Dim3{7, 0, 0}));
  EXPECT_NE(race.message.find("writes data[2], byte 8"), std::string::npos) << race.message;
  // Word 9 shares its cell of eight with word 8, which the last block alone has read.
  expect_correct(fmt::format("{}st.global.u32 [%rd1+36], %r5; DONE:", reads));
}

TEST(GridRace, a_block_may_write_what_it_alone_has_read_next_to_what_others_read) {
  // Each block reads and then writes its own word; eight of them share a cell.
  expect_correct(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
      "ld.global.u32 %r5, [%rd5]; add.u32 %r5, %r5, 1; st.global.u32 [%rd5], %r5; DONE:",
      32);
}

TEST(GridRace, a_sum_without_atomics_names_both_blocks_and_lines) {
  const Checked checked = check(
      "setp.ne.u32 %p1, %r1, 5; @%p1 bra DONE;\nld.global.u32 %r5, [%rd1];\nadd.u32 %r5, %r5, 1;\n"
      "st.global.u32 [%rd1], %r5; DONE:");
  ASSERT_FALSE(checked.hazards.empty());
  const trace::Hazard& race = checked.hazards[0];
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  EXPECT_EQ(race.block, (Dim3{1, 0, 0}));
  EXPECT_EQ(race.thread, (Dim3{5, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->block, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->thread, (Dim3{5, 0, 0}));
  EXPECT_EQ(
      race.message,
      fmt::format("writes data[0], byte 0 of 'data', where thread (5,0,0) of block (0,0,0) writes at PTX "
                  "line {}, and "
                  "nothing orders the blocks; use an atomic, let one block do it, or launch two kernels",
                  race.other->ptx_line));
}

TEST(GridRace, a_sum_with_atomics_is_right) {
  expect_correct("red.global.add.u32 [%rd1], 1; atom.global.max.u32 %r5, [%rd1+4], %r1;");
}

TEST(GridRace, each_block_its_own_words_is_right_even_in_one_cell) {
  expect_correct("st.global.u32 [%rd2], %r3; ld.global.u32 %r5, [%rd2];", 64, 3);
  expect_correct("ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, 1; st.global.u32 [%rd2], %r5;", 64, 5);
}

// A block of two rows of 32 threads writes two rows of a matrix of 256 columns; %rd5 is the address.
constexpr std::string_view kTile =
    "mov.u32 %r5, %tid.y; mad.lo.u32 %r6, %r5, 256, %r3; mul.wide.u32 %rd5, %r6, 4;\n"
    "add.u64 %rd5, %rd1, %rd5; setp.eq.u32 %p1, %r2, 7;\n";

TEST(GridRace, each_block_its_own_tile_is_right) {
  expect_correct(fmt::format("{}st.global.u32 [%rd5], %r3;", kTile), {8, 1, 1}, {32, 2, 1});
  // The last block's is elsewhere, but of the same shape.
  expect_correct(fmt::format("{}@%p1 add.u64 %rd5, %rd5, 2048; st.global.u32 [%rd5], %r3;", kTile), {8, 1, 1},
                 {32, 2, 1});
  // It is not beside the others, but after them.
  expect_correct(fmt::format("{}@%p1 add.u64 %rd5, %rd5, 1984; st.global.u32 [%rd5], %r3;", kTile), {8, 1, 1},
                 {32, 2, 1});
}

TEST(GridRace, a_tile_of_two_blocks_is_found) {
  // Which tile it is does not depend on ctaid.y.
  const Checked checked =
      check(fmt::format("{}mov.u32 %r7, %ctaid.y; st.global.u32 [%rd5], %r7;", kTile), {8, 2, 1}, {32, 2, 1});
  const trace::Hazard race = only(checked.hazards);
  EXPECT_EQ(race.block, (Dim3{0, 1, 0}));
  EXPECT_NE(race.message.find("block (0,0,0)"), std::string::npos) << race.message;
}

TEST(GridRace, a_tile_across_those_of_two_blocks_is_found) {
  const Checked checked = check(
      fmt::format("{}@%p1 sub.u64 %rd5, %rd5, 64;st.global.u32 [%rd5], %r3;", kTile), {8, 1, 1}, {32, 2, 1});
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_NE(checked.hazards[0].message.find("block (6,0,0)"), std::string::npos)
      << checked.hazards[0].message;
}

TEST(GridRace, a_word_of_a_tile_of_another_block_is_not_to_be_accessed) {
  for (const std::string_view access :
       {"ld.global.u32 %r7, [%rd1+1028]; st.global.u32 [%rd5], %r7;", "st.global.u32 [%rd1+1028], %r3;",
        "atom.global.add.u32 %r7, [%rd1+1028], %r3;"}) {
    const Checked checked =
        check(fmt::format("{}@%p1 bra LAST; st.global.u32 [%rd5], %r3; bra DONE;\n"
                          "LAST: or.b32 %r5, %r5, %r1; setp.ne.u32 %p2, %r5, 0; @%p2 bra DONE;\n{} DONE:",
                          kTile, access),
              {8, 1, 1}, {32, 2, 1});
    ASSERT_FALSE(checked.hazards.empty()) << access;
    EXPECT_NE(checked.hazards[0].message.find("block (0,0,0)"), std::string::npos)
        << checked.hazards[0].message;
  }
}

TEST(GridRace, a_neighbours_word_is_not_to_be_read_while_it_writes) {
  // Each block writes its words in place and reads the next one.
  const trace::Hazard race = only(
      check("ld.global.u32 %r5, [%rd2+4]; bar.warp.sync 0xffffffff;\nst.global.u32 [%rd2], %r5;").hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  EXPECT_NE(race.message.find("of block"), std::string::npos) << race.message;
  EXPECT_EQ(race.count, 7u);
}

TEST(GridRace, all_may_read_what_no_block_writes) {
  expect_correct("ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd1+4]; st.global.u32 [%rd2+256], %r5;", 8,
                 32);
}

TEST(GridRace, equal_values_are_a_note) {
  // A flag that says that something was found.
  const Checked checked = check("setp.eq.u32 %p1, %r1, 3; @%p1 st.global.u32 [%rd1], 1;");
  EXPECT_TRUE(checked.hazards.empty()) << checked.hazards[0].message;
  EXPECT_NE(only(checked.notes).message.find("the same value"), std::string::npos);
}

TEST(GridRace, a_plain_write_races_with_atomics) {
  const Checked checked = check(
      "setp.eq.u32 %p1, %r3, 0; @%p1 st.global.u32 [%rd1], 0; bar.sync 0;\nred.global.add.u32 [%rd1], 1;");
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_NE(checked.hazards[0].message.find(
                "updates data[0], byte 0 of 'data', where thread (0,0,0) of block (0,0,0) writes"),
            std::string::npos)
      << checked.hazards[0].message;
}

/// Every block writes a number; the last one to finish adds them up, and then executes `after`. `fence` is
/// between.
std::string last_block_sums(std::string_view fence, std::string_view after = "") {
  return fmt::format(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\n"
      "mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd1, %rd3; add.u32 %r6, %r2, 7; st.global.u32 [%rd3+64], "
      "%r6;\n{}\n"
      "atom.global.add.u32 %r7, [%rd1], 1; st.shared.u32 [flag], %r7;\n"
      "WAIT: bar.sync 0; ld.shared.u32 %r8, [flag]; mov.u32 %r9, %nctaid.x; sub.u32 %r9, %r9, 1; setp.ne.u32 "
      "%p2, %r8, %r9; @%p2 "
      "bra DONE;\nsetp.ge.u32 %p3, %r1, 8; @%p3 bra DONE; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd1, "
      "%rd4;\n"
      "ld.global.u32 %r10, [%rd4+64];\n{}\nDONE:",
      fence, after);
}

TEST(GridRace, a_plain_write_before_an_atomic_of_the_block_races_with_atomics_of_blocks_before_and_after) {
  for (const int writer : {0, 3, 7}) {
    const auto text = [&](std::string_view first, std::string_view second) {
      return fmt::format("setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; setp.eq.u32 %p2, %r2, {};\n{}\n{}\nDONE:",
                         writer, first, second);
    };
    const std::string_view write = "@%p2 st.global.u32 [%rd1], 5;", update = "red.global.add.u32 [%rd1], 1;";
    const Checked raced = check(text(write, update));
    EXPECT_EQ(only(raced.hazards).kind, trace::HazardKind::Race) << writer;
    // The last block's write after its own update is taken for the reset of a counter.
    if (writer == 7) {
      expect_correct(text(update, write));
      expect_correct(text(update, fmt::format("{}\n{}", write, update)));
    }
  }
}

TEST(GridRace, the_last_block_may_read_what_the_others_wrote_before_a_fence) {
  expect_correct(last_block_sums("membar.gl;"), 8, 32);
  expect_correct(last_block_sums("fence.acq_rel.gpu;"), 8, 32);
}

TEST(GridRace, without_the_fence_it_may_not) {
  const trace::Hazard race = only(check(last_block_sums(""), 8, 32).hazards);
  EXPECT_NE(race.message.find("reads data["), std::string::npos) << race.message;
  EXPECT_NE(race.message.find(
                "and nothing orders the blocks; if an atomic is to, __threadfence() is missing before "
                "it, and else use an atomic here"),
            std::string::npos)
      << race.message;
}

TEST(GridRace, a_fence_of_the_block_orders_no_other_block) {
  for (const std::string_view fence : {"membar.cta;", "fence.acq_rel.cta;"})
    EXPECT_NE(only(check(last_block_sums(fence), 8, 32).hazards)
                  .message.find("if an atomic is to, __threadfence() is missing before it"),
              std::string::npos);
}

TEST(GridRace, a_fence_after_the_atomic_comes_too_late_and_is_told_to_be_missing_before_it) {
  const std::string late = last_block_sums("", "membar.gl;");
  EXPECT_NE(only(check(late, 8, 32).hazards).message.find("__threadfence() is missing before it"),
            std::string::npos);
}

TEST(GridRace, the_last_block_may_reset_the_counter_that_all_have_updated) {
  expect_correct(last_block_sums("membar.gl;", "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], 0;"), 8,
                 32);
  // Who sets it before it updates it races with the others' updates.
  EXPECT_FALSE(check("setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; st.global.u32 [%rd1], %r2;\n"
                     "atom.global.add.u32 %r5, [%rd1], 1; DONE:")
                   .hazards.empty());
}

TEST(GridRace, a_fence_counts_for_what_came_before_a_signal_was_seen) {
  // The first atomic sees that of the block before, which is after a fence.
  expect_correct(
      last_block_sums(
          "atom.global.add.u32 %r11, [%rd1+4], 1; membar.gl; atom.global.add.u32 %r11, [%rd1+4], 1;"),
      8, 32);
}

TEST(GridRace, a_fence_of_one_warp_counts_for_the_others_only_after_a_barrier) {
  // All threads leave a number, thread 0 signals; the block that is the last, any of the four, reads what the
  // other warp of the next block left.
  const auto body = [](std::string_view barrier) {
    return fmt::format(
        "st.global.u32 [%rd2+64], %r1;\n{}\nsetp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT; membar.gl; "
        "atom.global.add.u32 %r7, [%rd1], 1; st.shared.u32 [flag], %r7;\n"
        "WAIT: bar.sync 0; ld.shared.u32 %r8, [flag]; setp.ne.u32 %p2, %r8, 3; @%p2 bra DONE;\n"
        "add.u32 %r9, %r2, 1; and.b32 %r9, %r9, 3; xor.b32 %r10, %r1, 32; mad.lo.u32 %r9, %r9, 64, %r10;\n"
        "mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd1, %rd4; ld.global.u32 %r10, [%rd4+64];\nDONE:",
        barrier);
  };
  expect_correct(body("bar.sync 0;"), 4, 64);
  const trace::Hazard race = only(check(body(""), 4, 64).hazards);
  EXPECT_EQ(race.block, (Dim3{3, 0, 0}));
}

TEST(GridRace, a_race_that_only_another_order_of_the_blocks_has_is_said) {
  // The block that counts first, if it is not block 0, writes what all read. Block 0 starts first and is
  // slow.
  const Result<ptx::Program> program =
      program_of(kernel("mov.u32 %r5, 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra COUNT;\n"
                        "SLOW: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 300000; @%p2 bra SLOW;\n"
                        "COUNT: setp.ne.u32 %p3, %r1, 0; @%p3 bra DONE; ld.global.u32 %r8, [%rd1+128];\n"
                        "atom.global.add.u32 %r7, [%rd1], 1; setp.ne.u32 %p1, %r7, 0; @%p1 bra DONE;\n"
                        "setp.eq.u32 %p2, %r2, 0; @%p2 bra DONE; st.global.u32 [%rd1+128], %r2;\nDONE:"));
  ASSERT_TRUE(program);
  LaunchBuilder builder({4, 1, 1}, {32, 1, 1});
  builder.buffer("data", std::vector<uint32_t>(64));
  bool said = false;
  for (int n = 0; n < 9 && !said; ++n) {
    const auto recording =
        record(*program, builder.launch, no_cost, {}, {.threads = 4, .checks = Checks::All});
    ASSERT_TRUE(recording);
    EXPECT_TRUE(recording->trace.hazards.empty());  // as in the order that is recorded
    said = recording->trace.unchecked.size() == 1 &&
           recording->trace.unchecked[0].find("another order") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST(GridRace, a_lock_orders_the_blocks_that_take_it) {
  const auto body = [](std::string_view fence) {
    return fmt::format(
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;\nTAKE: atom.global.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 "
        "%p2, %r5, 0; @%p2 "
        "bra TAKE; {}\nld.global.u32 %r6, [%rd1+4]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+4], %r6; {}\n"
        "atom.global.exch.b32 %r7, [%rd1], 0;\nDONE:",
        fence, fence);
  };
  expect_correct(body("membar.gl;"));
  EXPECT_FALSE(check(body("")).hazards.empty());
}

TEST(GridRace, a_word_written_by_an_earlier_block_only_is_not_initialised) {
  // Nothing says that block 0 comes first.
  const Result<ptx::Program> program = program_of(
      kernel("setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd2], 1; @!%p1 ld.global.u32 %r5, [%rd1];"));
  ASSERT_TRUE(program);
  LaunchBuilder builder({4, 1, 1}, {32, 1, 1});
  builder.buffer("data", std::vector<uint32_t>(256));
  builder.launch.buffers[0].has_contents = false;
  const auto recording = record(*program, builder.launch, no_cost, {}, {.threads = 2, .checks = Checks::All});
  ASSERT_TRUE(recording);
  EXPECT_EQ(only(recording->trace.hazards).kind, trace::HazardKind::Race);
}

/// Thread 0 of each block counts itself in word 0; the last block resets the word by a plain store, and the
/// others wait for word 1. `rounds` times. `fence` is between counting and resetting, and before waiting.
std::string grid_barrier(std::string_view fence, int rounds) {
  return fmt::format(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; mov.u32 %r9, %nctaid.x; sub.u32 %r9, %r9, 1; mov.u32 %r8, 1;\n"
      "ROUND: {0} atom.global.add.u32 %r5, [%rd1], 1; setp.ne.u32 %p2, %r5, %r9; @%p2 bra WAIT;\n"
      "{0} st.global.u32 [%rd1], 0;\nmembar.gl; atom.global.exch.b32 %r6, [%rd1+4], %r8; bra NEXT;\n"
      "WAIT: ld.volatile.global.u32 %r6, [%rd1+4]; setp.lt.u32 %p2, %r6, %r8; @%p2 bra WAIT; {0}\n"
      "NEXT: add.u32 %r8, %r8, 1; setp.le.u32 %p3, %r8, {1}; @%p3 bra ROUND;\nDONE:",
      fence, rounds);
}

TEST(GridRace, the_last_block_may_reset_the_counter_while_the_others_wait) {
  expect_correct(grid_barrier("", 1), 4);
  expect_correct(grid_barrier("membar.gl;", 1), 4);
  expect_correct(grid_barrier("membar.gl;", 2), 4);
}

TEST(GridRace, a_block_that_is_not_the_last_may_not_reset_it) {
  // Block 0 resets what all others count in; they wait for word 1.
  const Checked checked = check(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; atom.global.add.u32 %r5, [%rd1], 1; setp.ne.u32 %p2, %r2, 0; "
      "@%p2 bra "
      "WAIT;\nst.global.u32 [%rd1], 0;\nst.volatile.global.u32 [%rd1+4], 1; bra DONE;\n"
      "WAIT: ld.volatile.global.u32 %r6, [%rd1+4]; setp.eq.u32 %p2, %r6, 0; @%p2 bra WAIT;\nDONE:",
      4);
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_NE(checked.hazards[0].message.find("updates data[0], byte 0"), std::string::npos)
      << checked.hazards[0].message;
}

}  // namespace
}  // namespace lanescope::emulator
