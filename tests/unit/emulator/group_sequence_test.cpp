// Blocks that repeat what a block before did to shared memory, and are checked by that, until one does
// something else: what that races with, or reads, is found as it would be without. check_kernel() holds both
// against each other.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

constexpr uint32_t kBlocks = 8;

/// 32 x 2 threads; %r1 is the thread's number, %r2 its word of the tile, %r6 that of thread 63 - %r1; %p1 is
/// true in block 5. Each thread writes its word, all meet, and each reads the other word; `first`, `second`
/// and `third` come before the barrier, before the read, and after it.
std::string kernel(std::string_view first, std::string_view second, std::string_view third) {
  return kernel_text(
      ".param .u64 out",
      fmt::format(
          "ld.param.u64 %rd1, [out]; mov.u32 %r21, %tid.x; mov.u32 %r22, %tid.y; shl.b32 %r22, %r22, 5;\n"
          "add.u32 %r1, %r21, %r22; mov.u32 %r5, tile; shl.b32 %r2, %r1, 2;\n"
          "add.u32 %r2, %r2, %r5; mov.u32 %r6, 63; sub.u32 %r6, %r6, %r1; shl.b32 %r6, %r6, 2;\n"
          "add.u32 %r6, %r6, %r5; mov.u32 %r20, %ctaid.x; setp.eq.u32 %p1, %r20, 5;\n"
          "st.shared.u32 [%r2], %r1;\n{}\nbar.sync 0;\n{}\nld.shared.u32 %r7, [%r6];\n{}\nret;",
          first, second, third),
      ".shared .align 16 .b8 tile[8192];");
}

std::vector<trace::Hazard> hazards_of(const std::string& text) {
  LaunchBuilder builder({kBlocks, 1, 1}, {32, 2, 1});
  builder.buffer("out", std::vector<uint32_t>(64));
  return check_kernel(text, builder.launch).hazards;
}

/// What block 5 alone does: a branch around it that all its threads take together.
std::string only_in_5(std::string_view what) { return fmt::format("@!%p1 bra AROUND;\n{}\nAROUND:", what); }
/// What all the others do.
std::string but_in_5(std::string_view what) { return fmt::format("@%p1 bra AROUND;\n{}\nAROUND:", what); }

/// The hazards are in block 5 alone, and there are some.
void expect_in_5(const std::string& text, trace::HazardKind kind) {
  const std::vector<trace::Hazard> hazards = hazards_of(text);
  EXPECT_FALSE(hazards.empty()) << text;
  for (const trace::Hazard& hazard : hazards) {
    EXPECT_EQ(hazard.kind, kind) << hazard.message;
    EXPECT_EQ(hazard.block, (Dim3{5, 0, 0})) << hazard.message;
  }
}

TEST(GroupSequence, blocks_that_repeat_it_are_in_order) {
  EXPECT_TRUE(hazards_of(kernel("", "", "")).empty());
}

TEST(GroupSequence, a_write_after_the_read_races_with_it) {
  expect_in_5(kernel("", "", only_in_5("st.shared.u32 [%r2], 1;")), trace::HazardKind::Race);
  EXPECT_TRUE(hazards_of(kernel("", "", only_in_5("bar.sync 0; st.shared.u32 [%r2], 1;"))).empty());
  EXPECT_TRUE(hazards_of(kernel("", "", only_in_5("st.shared.u32 [%r6], 1;"))).empty()) << "its own read";
}

TEST(GroupSequence, a_write_of_some_lanes_races) {
  expect_in_5(kernel("", "", only_in_5("setp.lt.u32 %p2, %r1, 3; @%p2 st.shared.u32 [%r2], 1;")),
              trace::HazardKind::Race);
}

/// %r10 is `others`, and `in_5` in block 5.
std::string number(uint32_t others, uint32_t in_5) {
  return fmt::format("selp.u32 %r10, {}, {}, %p1;\n", in_5, others);
}

TEST(GroupSequence, the_same_access_of_other_lanes_races) {
  const auto write = [](uint32_t in_5) {
    return number(1, in_5) + "setp.lt.u32 %p2, %r1, %r10; @%p2 st.shared.u32 [%r5+4096], %r1;";
  };
  EXPECT_TRUE(hazards_of(kernel("", "", write(1))).empty());
  EXPECT_TRUE(hazards_of(kernel("", "", write(0))).empty());
  expect_in_5(kernel("", "", write(40)), trace::HazardKind::Race);
  const std::string overwrite =
      number(62, 2) + "setp.ge.u32 %p2, %r1, %r10; @%p2 st.shared.u32 [%r6+8], %r1;";
  EXPECT_TRUE(hazards_of(kernel("", "", "bar.sync 0;\n" + overwrite)).empty());
}

TEST(GroupSequence, what_fewer_lanes_have_written_is_found) {
  const auto text = [](uint32_t written_in_5, uint32_t read_in_5) {
    return kernel(number(40, written_in_5) + "setp.lt.u32 %p2, %r1, %r10; @%p2 st.shared.u32 [%r2+256], 1;",
                  "",
                  number(40, read_in_5) + "setp.lt.u32 %p3, %r1, %r10; @%p3 ld.shared.u32 %r8, [%r2+256];");
  };
  EXPECT_TRUE(hazards_of(text(40, 40)).empty());
  EXPECT_TRUE(hazards_of(text(64, 40)).empty());
  EXPECT_TRUE(hazards_of(text(40, 3)).empty());
  expect_in_5(text(39, 40), trace::HazardKind::Uninitialized);
  expect_in_5(text(40, 41), trace::HazardKind::Uninitialized);
}

TEST(GroupSequence, an_atomic_races) {
  expect_in_5(kernel("", "", only_in_5("atom.shared.add.u32 %r8, [%r2], 1;")), trace::HazardKind::Race);
}

TEST(GroupSequence, a_read_before_the_barrier_races_with_the_write) {
  expect_in_5(kernel(only_in_5("ld.shared.u32 %r7, [%r6];"), "", ""), trace::HazardKind::Race);
}

TEST(GroupSequence, a_write_between_barrier_and_read_races) {
  expect_in_5(kernel("", only_in_5("st.shared.u32 [%r2], 1;"), ""), trace::HazardKind::Race);
  EXPECT_TRUE(hazards_of(kernel("", only_in_5("st.shared.u32 [%r2], 1; bar.sync 0;"), "")).empty());
}

TEST(GroupSequence, what_was_not_written_is_found) {
  expect_in_5(kernel("", "", only_in_5("ld.shared.u32 %r7, [%r2+256];")), trace::HazardKind::Uninitialized);
  EXPECT_TRUE(hazards_of(kernel("", "", only_in_5("ld.shared.u32 %r7, [%r2];"))).empty());
}

TEST(GroupSequence, a_barrier_that_is_left_out_is_missed) {
  expect_in_5(
      kernel(but_in_5("bar.sync 0;\nst.shared.u32 [%r2+256], 2;"), "ld.shared.u32 %r8, [%r2+256];", ""),
      trace::HazardKind::Uninitialized);
  // All meet twice between the write and the overwriting, block 5 once.
  expect_in_5(kernel("",
                     "ld.shared.u32 %r8, [%r6];\n" + but_in_5("bar.sync 0;") +
                         "\nst.shared.u32 [%r2], 7;\nbar.sync 0;\n",
                     ""),
              trace::HazardKind::Race);
}

TEST(GroupSequence, lanes_that_meet_alone_are_no_barrier) {
  // Within warp 0 and warp 1 each: the threads whose words are read are in the other one.
  expect_in_5(kernel("", "", only_in_5("bar.warp.sync -1; st.shared.u32 [%r2], 1;")),
              trace::HazardKind::Race);
  // The word of lane 31 - tid.x of the own warp, whose lanes all meet in the other blocks.
  const std::string own_warp =
      "mov.u32 %r9, 31; sub.u32 %r9, %r9, %r21; add.u32 %r9, %r9, %r22; shl.b32 %r9, %r9, 2;\n"
      "add.u32 %r9, %r9, %r5; st.shared.u32 [%r2+512], %r1;\n";
  expect_in_5(kernel(own_warp + but_in_5("bar.warp.sync -1;") + "\nld.shared.u32 %r10, [%r9+512];", "", ""),
              trace::HazardKind::Race);
}

TEST(GroupSequence, a_block_that_is_unlike_the_first_is_repeated_too) {
  // Block 0 does more than the others, and so does block 5, but something else.
  const std::string text = "setp.ne.u32 %p3, %r20, 0; @%p3 bra OTHERS; st.shared.u32 [%r2+256], 1; OTHERS:\n";
  EXPECT_TRUE(hazards_of(kernel(text, "", "")).empty());
  expect_in_5(kernel(text, "", only_in_5("st.shared.u32 [%r2], 1;")), trace::HazardKind::Race);
}

/// Each block ends with accesses that are no part of a sequence: what comes before them is repeated.
TEST(GroupSequence, the_first_accesses_of_a_block_are_repeated_too) {
  const std::string end =
      "setp.ne.u32 %p2, %r1, 0; @%p2 bra END; atom.shared.add.u32 %r8, [%r5+4096], 0;\n"
      "st.shared.u32 [%r5+4100], %r8; END: bar.sync 0; ld.shared.u32 %r8, [%r5+4100];";
  const std::string first = "st.shared.u32 [%r2+4096], 0; bar.sync 0;";
  EXPECT_TRUE(hazards_of(kernel(first, "", end)).empty());
  expect_in_5(kernel(first, only_in_5("st.shared.u32 [%r2], 1;"), end), trace::HazardKind::Race);
  expect_in_5(kernel(first, "", only_in_5("ld.shared.u32 %r7, [%r2+256];") + "\n" + end),
              trace::HazardKind::Uninitialized);
  // What a block repeats orders what it does afterwards: a read before the end, a write after it.
  const std::string before = end.substr(0, end.find("bar.sync"));
  expect_in_5(kernel(first, "", before + only_in_5("bar.warp.sync -1; st.shared.u32 [%r2], 1;")),
              trace::HazardKind::Race);
}

TEST(GroupSequence, one_that_is_too_long_is_not_kept) {
  const std::string many =
      "mov.u32 %r9, 0;\nloop: ld.shared.u32 %r8, [%r6]; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 17000;\n"
      "@%p2 bra loop;\n";
  expect_in_5(kernel("", many, only_in_5("st.shared.u32 [%r2], 1;")), trace::HazardKind::Race);
}

}  // namespace
}  // namespace lanescope::emulator
