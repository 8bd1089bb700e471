// Reads that no barrier orders, in kernels that are correct, beside kernels that differ in one point and are
// not.

#include "emulator/checks/access_idioms.h"

#include "check_run.h"
#include "emulator/checks/access_traits.h"

namespace lanescope::emulator {
namespace {

/// 128 threads. %rd1 is the buffer `out`, %r1 the thread, %r21 its warp, %r9 a parameter that is 7.
Checked check(std::string_view body) {
  const std::string text = kernel_text(
      ".param .u64 out, .param .u32 next",
      fmt::format("ld.param.u64 %rd9, [out]; cvta.to.global.u64 %rd1, %rd9; ld.param.u32 %r9, [next];\n"
                  "mov.u32 %r1, %tid.x; shr.u32 %r21, %r1, 5;\n{}\nret;",
                  body),
      ".shared .align 4 .b32 highest;");
  LaunchBuilder builder({1, 1, 1}, {128, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(256));
  builder.value(uint32_t{7});
  return check_kernel(text, builder.launch);
}

constexpr std::string_view kWordOfThread =
    "cvt.u64.u32 %rd2, %r1; shl.b64 %rd2, %rd2, 2; add.u64 %rd2, %rd2, %rd1;\n";
/// The word of the next thread, but for the last thread, whose word is its own.
constexpr std::string_view kWordOfNext =
    "add.u32 %r5, %r1, 1; min.u32 %r5, %r5, 127; cvt.u64.u32 %rd3, %r5; shl.b64 %rd3, %rd3, 2;\n"
    "add.u64 %rd3, %rd3, %rd1;\n";

TEST(AccessIdioms, a_test_ahead_of_an_atomic_maximum_may_be_stale) {
  for (const std::string_view operation : {"max.s32", "min.u32", "or.b32", "and.b32"})
    EXPECT_TRUE(check(fmt::format("ld.global.u32 %r6, [%rd1];\nsetp.le.s32 %p1, %r1, %r6; @%p1 bra END;\n"
                                  "atom.global.{} %r7, [%rd1], %r1; END:",
                                  operation))
                    .hazards.empty())
        << operation;
  EXPECT_TRUE(check("ld.global.u32 %r6, [%rd1];\nsetp.gt.s32 %p1, %r1, %r6;\n"
                    "@%p1 red.global.max.s32 [%rd1], %r1;")
                  .hazards.empty());
  EXPECT_TRUE(
      check("setp.ne.u32 %p1, %r1, 0; @%p1 bra CLEARED; st.shared.u32 [highest], 0; CLEARED: bar.sync 0;\n"
            "ld.shared.u32 %r6, [highest];\nsetp.le.u32 %p1, %r1, %r6; @%p1 bra END;\n"
            "atom.shared.max.u32 %r7, [highest], %r1; END: ")
          .hazards.empty());
}

TEST(AccessIdioms, a_test_that_decides_nothing_or_guards_a_sum_is_a_race) {
  EXPECT_FALSE(check("ld.global.u32 %r6, [%rd1];\nsetp.le.s32 %p1, %r1, %r6; @%p1 bra END;\n"
                     "atom.global.add.u32 %r7, [%rd1], 1; END:")
                   .hazards.empty());
  EXPECT_FALSE(check("ld.global.u32 %r6, [%rd1];\nsetp.le.s32 %p1, %r1, 5; @%p1 bra END;\n"
                     "atom.global.max.s32 %r7, [%rd1], %r6; END:")
                   .hazards.empty());
  EXPECT_FALSE(check("ld.global.u32 %r6, [%rd1+4];\nsetp.le.s32 %p1, %r1, %r6; @%p1 bra END;\n"
                     "atom.global.max.s32 %r7, [%rd1], %r1; END:\nst.global.u32 [%rd1+4], %r1;")
                   .hazards.empty())
      << "another word";
}

/// One level of a search: a thread whose word is 0 writes the word of the next thread if that is 0, too.
std::string level(std::string_view value,
                  std::string_view test = "setp.ne.u32 %p2, %r7, 0; @%p2 bra END;\n") {
  return fmt::format(
      "{}{}ld.global.u32 %r6, [%rd2];\nsetp.ne.u32 %p1, %r6, 0; @%p1 bra END;\n"
      "ld.global.u32 %r7, [%rd3];\n{}st.global.u32 [%rd3], {}; END:",
      kWordOfThread, kWordOfNext, test, value);
}

TEST(AccessIdioms, an_element_that_many_set_to_one_value_is_a_note) {
  for (const std::string_view value : {"%r9", "3"}) {
    const Checked checked = check(level(value));
    EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << value;
    ASSERT_FALSE(checked.notes.empty()) << value;
    EXPECT_NE(checked.notes[0].message.find("that is fine if the test has one result"), std::string::npos)
        << checked.notes[0].message;
  }
  EXPECT_TRUE(check("add.u32 %r8, %r9, 1;\n" + level("%r8")).hazards.empty());
}

TEST(AccessIdioms, a_lock_or_a_count_behind_the_test_is_a_race) {
  const auto with = [](std::string_view more) {
    return check(
        fmt::format("{}{}ld.global.u32 %r7, [%rd3];\nsetp.ne.u32 %p2, %r7, 0; @%p2 bra END;\n"
                    "st.global.u32 [%rd3], %r9;\n{}\nEND:",
                    kWordOfThread, kWordOfNext, more));
  };
  EXPECT_TRUE(with("st.global.u32 [%rd1+900], 1;").hazards.empty()) << "a flag";
  EXPECT_FALSE(with("atom.global.add.u32 %r8, [%rd1+900], 1;").hazards.empty()) << "a count";
  EXPECT_FALSE(with("atom.global.exch.b32 %r8, [%rd3], 0;").hazards.empty()) << "a lock";
  EXPECT_FALSE(with("st.global.u32 [%rd2+512], %r1;").hazards.empty()) << "work of one thread";
}

TEST(AccessIdioms, a_value_of_the_thread_or_a_store_without_a_test_is_a_race) {
  EXPECT_FALSE(check(level("%r1")).hazards.empty());
  EXPECT_FALSE(check(level("%r21")).hazards.empty()) << "a value of the warp";
  EXPECT_FALSE(check(level("%r9", "")).hazards.empty()) << "no test";
  EXPECT_FALSE(check(fmt::format("{}{}ld.global.u32 %r6, [%rd2];\nadd.u32 %r8, %r6, 1;\n"
                                 "ld.global.u32 %r7, [%rd3];\nsetp.ne.u32 %p2, %r7, 0; @%p2 bra END;\n"
                                 "st.global.u32 [%rd3], %r9; END:\nst.global.u32 [%rd2+512], %r8;",
                                 kWordOfThread, kWordOfNext))
                   .hazards.empty())
      << "a value that is more than compared";
}

TEST(AccessIdioms, a_store_with_the_tests_predicate_decides_nothing_that_comes_after_it) {
  // The thread's store ends its basic block by a label, and the maximum after the label is made by all.
  EXPECT_FALSE(
      check("ld.global.u32 %r6, [%rd1];\nsetp.eq.u32 %p1, %r6, %r1; @%p1 st.global.u32 [%rd1], %r1;\n"
            "JOIN: atom.global.max.u32 %r7, [%rd1], %r1; setp.eq.u32 %p2, %r7, 999; @%p2 bra JOIN;")
          .hazards.empty());
}

TEST(AccessIdioms, a_kernel_that_begins_with_the_head_of_a_loop_is_read_to_its_end) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
      "{ .reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
      "HEAD: ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 5; @%p1 bra END;\n"
      "setp.eq.u32 %p2, %r1, 6; @%p2 bra HEAD;\nEND: st.global.u32 [%rd1], 7; ret; }\n";
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("p", std::vector<uint32_t>(1));
  EXPECT_FALSE(check_kernel(text, builder.launch).hazards.empty()) << "the store is made after both ways";
}

}  // namespace
}  // namespace lanescope::emulator
