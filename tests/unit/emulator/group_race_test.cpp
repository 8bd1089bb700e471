// Races with loads that all warps of a block make as one group, which the checks list first and stamp only
// where something else than another load follows: each is found as it would be warp by warp.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

/// A kernel with buffer `out` and a tile of 8 KiB. %r1 is tid.x, %r2 its word of the tile, %r5 the tile.
std::string with_tile(std::string_view body) {
  return kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r5, tile; shl.b32 %r2, %r1, 2;\n"
                  "add.u32 %r2, %r2, %r5;\n{}\nret;",
                  body),
      ".shared .align 16 .b8 tile[8192];");
}

launch::Launch launch_of(Dim3 block, uint32_t blocks = 1) {
  LaunchBuilder builder({blocks, 1, 1}, block);
  builder.buffer("out", std::vector<uint32_t>(1024));
  return builder.launch;
}

Checked check(std::string_view body, uint32_t blocks = 1) {
  return check_kernel(with_tile(body), launch_of({64, 1, 1}, blocks));
}

/// Each thread writes its word, all meet, and each reads the word of thread 63 - tid.x, whose address is %r6.
constexpr std::string_view kReadReversed =
    "st.shared.u32 [%r2], %r1; bar.sync 0;\n"
    "mov.u32 %r6, 63; sub.u32 %r6, %r6, %r1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r5;\n"
    "ld.shared.u32 %r7, [%r6];\n";

std::string after_read(std::string_view what) { return fmt::format("{}{}", kReadReversed, what); }

TEST(GroupRace, what_other_warps_read_may_not_be_overwritten_before_a_barrier) {
  const trace::Hazard race = only(check(after_read("st.shared.u32 [%r2], %r7;")).hazards);
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{63, 0, 0}));
  EXPECT_EQ(race.ptx_line - race.other->ptx_line, 1);
  EXPECT_EQ(race.count, 64u);
  EXPECT_TRUE(check(after_read("bar.sync 0; st.shared.u32 [%r2], %r7;")).hazards.empty());
}

TEST(GroupRace, a_thread_may_overwrite_what_it_alone_has_read) {
  EXPECT_TRUE(check(after_read("st.shared.u32 [%r6], %r7;")).hazards.empty());
}

TEST(GroupRace, one_lane_that_overwrites_is_found) {
  const trace::Hazard race =
      only(check(after_read("setp.eq.u32 %p1, %r1, 5; @%p1 st.shared.u32 [%r2], 1;")).hazards);
  EXPECT_EQ(race.thread, (Dim3{5, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{58, 0, 0}));
  EXPECT_EQ(race.count, 1u);
}

TEST(GroupRace, an_atomic_of_another_thread_is_one) {
  const trace::Hazard race = only(check(after_read("atom.shared.add.u32 %r8, [%r2], 1;")).hazards);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{63, 0, 0}));
}

TEST(GroupRace, every_one_of_many_reads_counts) {
  // Word 0 is read first of all, and then 200 times the reversed words of the upper half.
  const std::string_view many =
      "ld.shared.u32 %r7, [tile]; mov.u32 %r9, 0;\n"
      "loop: ld.shared.u32 %r7, [%r6]; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 200; @%p1 bra loop;\n";
  const std::string_view write = "setp.eq.u32 %p2, %r1, 40; @%p2 st.shared.u32 [tile], 1;";
  const trace::Hazard race = only(check(after_read(fmt::format("{}{}", many, write))).hazards);
  EXPECT_EQ(race.thread, (Dim3{40, 0, 0}));
  EXPECT_TRUE(check(after_read(fmt::format("{}bar.sync 0; {}", many, write))).hazards.empty());
}

TEST(GroupRace, reads_in_rows_of_lanes_are_kept_by_lane) {
  // 16 x 4 threads: each reads the word of the transposed place, tid.x * 4 + tid.y, and writes its own.
  const auto body = [](std::string_view between) {
    return fmt::format(
        "mov.u32 %r3, %tid.y; shl.b32 %r4, %r3, 4; add.u32 %r4, %r4, %r1; shl.b32 %r4, %r4, 2;\n"
        "add.u32 %r4, %r4, %r5; st.shared.u32 [%r4], %r1; bar.sync 0;\n"
        "shl.b32 %r6, %r1, 2; add.u32 %r6, %r6, %r3; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r5;\n"
        "ld.shared.u32 %r7, [%r6]; {} st.shared.u32 [%r4], %r7;",
        between);
  };
  const launch::Launch launch = launch_of({16, 4, 1});
  const Checked checked = check_kernel(with_tile(body("")), launch);
  ASSERT_FALSE(checked.hazards.empty());
  const trace::Hazard& race = checked.hazards.front();
  ASSERT_TRUE(race.other);
  // Word 2 belongs to thread (2,0), and thread (0,2) reads it: the first that is of another warp.
  EXPECT_EQ(race.thread, (Dim3{2, 0, 0}));
  EXPECT_EQ(race.other->thread, (Dim3{0, 2, 0}));
  EXPECT_TRUE(check_kernel(with_tile(body("bar.sync 0;")), launch).hazards.empty());
}

TEST(GroupRace, a_word_that_was_not_written_is_found_between_those_that_were) {
  // Rows of 33 words, of which 32 are written: reading down the columns is fine, the last column is not.
  const std::string_view columns =
      "mul.lo.u32 %r3, %r1, 132; add.u32 %r3, %r3, %r5; mov.u32 %r9, 0;\n"
      "loop: add.u32 %r8, %r9, %r3; st.shared.u32 [%r8], %r1; add.u32 %r9, %r9, 4;\n"
      "setp.lt.u32 %p1, %r9, 128; @%p1 bra loop; bar.sync 0;\n";
  const auto read = [&](int column) {
    return fmt::format("{}mul.lo.u32 %r6, %r1, 132; add.u32 %r6, %r6, %r5; ld.shared.u32 %r7, [%r6+{}];",
                       columns, 4 * column);
  };
  const launch::Launch launch = launch_of({32, 1, 1});
  EXPECT_TRUE(check_kernel(with_tile(read(31)), launch).hazards.empty());
  const trace::Hazard unwritten = only(check_kernel(with_tile(read(32)), launch).hazards);
  EXPECT_EQ(unwritten.kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(unwritten.count, 32u);
}

TEST(GroupRace, the_next_block_does_not_race_with_the_last_ones_reads) {
  EXPECT_TRUE(check(kReadReversed, 8).hazards.empty());
}

/// %rd2 is the address of the thread's word of `out`, %rd3 that of thread 63 - tid.x.
constexpr std::string_view kWordsOfOut =
    "cvt.u64.u32 %rd2, %r1; shl.b64 %rd2, %rd2, 2; add.u64 %rd2, %rd2, %rd1;\n"
    "mov.u32 %r6, 63; sub.u32 %r6, %r6, %r1; cvt.u64.u32 %rd3, %r6; shl.b64 %rd3, %rd3, 2;\n"
    "add.u64 %rd3, %rd3, %rd1;\n";

std::string with_out(std::string_view what) { return fmt::format("{}{}", kWordsOfOut, what); }

TEST(GroupRace, a_global_word_may_not_be_read_before_a_barrier) {
  const trace::Hazard race =
      only(check(with_out("st.global.u32 [%rd2], %r1;\nld.global.u32 %r7, [%rd3];")).hazards);
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{63, 0, 0}));
  EXPECT_EQ(race.count, 64u);
  EXPECT_TRUE(
      check(with_out("st.global.u32 [%rd2], %r1; bar.sync 0; ld.global.u32 %r7, [%rd3];")).hazards.empty());
}

TEST(GroupRace, a_global_word_may_not_be_written_twice) {
  const trace::Hazard race =
      only(check(with_out("st.global.u32 [%rd2], %r1;\nst.global.u32 [%rd3], %r1;")).hazards);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.ptx_line - race.other->ptx_line, 1);
  EXPECT_TRUE(check(with_out("st.global.u32 [%rd2], %r1; st.global.u32 [%rd2+256], %r1;")).hazards.empty());
}

/// Each thread writes a row of 8 words from left to right, and then a word of another thread's row.
TEST(GroupRace, rows_that_stores_fill_are_known_as_one) {
  const auto body = [](int words, std::string_view other) {
    std::string text = "cvt.u64.u32 %rd4, %r1; shl.b64 %rd4, %rd4, 5; add.u64 %rd4, %rd4, %rd1;\n";
    for (int word = 0; word < words; ++word) text += fmt::format("st.global.u32 [%rd4+{}], %r1;\n", 4 * word);
    return text + std::string(other);
  };
  const std::string next =
      "xor.b32 %r6, %r1, 63; cvt.u64.u32 %rd5, %r6; shl.b64 %rd5, %rd5, 5;\n"
      "add.u64 %rd5, %rd5, %rd1;\n";
  EXPECT_TRUE(check(with_out(body(8, ""))).hazards.empty());
  EXPECT_TRUE(check(with_out(body(6, next + "st.global.u32 [%rd5+24], %r1;"))).hazards.empty());
  for (const int word : {0, 3, 5})
    EXPECT_EQ(
        only(check(with_out(body(6, next + fmt::format("st.global.u32 [%rd5+{}], %r1;", 4 * word)))).hazards)
            .count,
        64u)
        << word;
  // Stores at another distance: the words 5, 9, 13, .. are in the rows, except where they are their last two.
  const std::string across = "cvt.u64.u32 %rd5, %r1; shl.b64 %rd5, %rd5, 4; add.u64 %rd5, %rd5, %rd1;\n";
  EXPECT_FALSE(check(with_out(body(6, across + "st.global.u32 [%rd5+20], %r1;"))).hazards.empty());
  EXPECT_TRUE(check(with_out(body(6, across + "st.global.u32 [%rd5+2072], %r1;"))).hazards.empty());
}

/// The first words of each block: 32, or more.
TEST(GroupRace, blocks_some_of_whose_lanes_write_the_same_words_race) {
  const auto body = [](uint32_t lanes) {
    return fmt::format(
        "mov.u32 %r8, %ctaid.x; mul.lo.u32 %r9, %r8, 128; cvt.u64.u32 %rd4, %r9; add.u64 %rd2, %rd2, %rd4;\n"
        "setp.lt.u32 %p1, %r1, {}; @%p1 st.global.u32 [%rd2], %r8;",
        lanes);
  };
  EXPECT_TRUE(check(with_out(body(32)), 8).hazards.empty());
  EXPECT_TRUE(check(with_out(body(5)), 8).hazards.empty());
  const Checked checked = check(with_out(body(33)), 8);
  EXPECT_FALSE(checked.hazards.empty() && checked.notes.empty());
}

/// Thread 0 would write before the buffer, and takes no part.
TEST(GroupRace, lanes_that_take_no_part_may_be_anywhere) {
  const std::string_view begin = "setp.ne.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd2-4], %r1;\n";
  EXPECT_TRUE(check(with_out(begin)).hazards.empty());
  const std::string_view of_block =
      "mov.u32 %r8, %ctaid.x; mul.lo.u32 %r8, %r8, 252; cvt.u64.u32 %rd4, %r8; add.u64 %rd2, %rd2, %rd4;\n";
  EXPECT_TRUE(check(with_out(fmt::format("{}{}", of_block, begin)), 8).hazards.empty());
  const Checked checked = check(with_out(fmt::format("{}{}st.global.u32 [%rd2], 9;", of_block, begin)), 8);
  EXPECT_FALSE(checked.hazards.empty() && checked.notes.empty());
  EXPECT_EQ(only(check(with_out(fmt::format("{}ld.global.u32 %r7, [%rd2];", begin))).hazards).count, 63u);
  const trace::Hazard race =
      only(check(with_out(fmt::format("{}@%p1 st.global.u32 [%rd2], 1000;", begin))).hazards);
  EXPECT_EQ(race.count, 62u);
}

TEST(GroupRace, blocks_that_write_the_same_words_race) {
  const Checked checked = check(with_out("mov.u32 %r8, %ctaid.x; st.global.u32 [%rd2], %r8;"), 2);
  EXPECT_FALSE(checked.hazards.empty() && checked.notes.empty());
  const std::string own =
      "mov.u32 %r8, %ctaid.x; mul.lo.u32 %r8, %r8, 256; cvt.u64.u32 %rd4, %r8; add.u64 %rd2, %rd2, %rd4;\n";
  const Checked apart = check(with_out(own + "st.global.u32 [%rd2], %r1;"), 4);
  EXPECT_TRUE(apart.hazards.empty());
  EXPECT_TRUE(apart.notes.empty());
}

}  // namespace
}  // namespace lanescope::emulator
