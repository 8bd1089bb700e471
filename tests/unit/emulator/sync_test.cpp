// Threads that synchronize and are not all there: member masks of warp-wide instructions, barriers that part
// of the block has left.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

/// %r1 is tid.x.
Checked check(std::string_view body, uint32_t threads) {
  return check_kernel(kernel_text("", fmt::format("mov.u32 %r1, %tid.x;\n{}\nret;", body)),
                      LaunchBuilder({1, 1, 1}, {threads, 1, 1}).launch);
}

void expect_clean(std::string_view body, uint32_t threads) {
  const Checked checked = check(body, threads);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << body;
  EXPECT_EQ(texts_of(checked.notes), std::vector<std::string>{}) << body;
}

TEST(MemberMask, a_lane_that_it_does_not_name_may_not_execute_the_instruction) {
  const trace::Hazard hazard = only(check("shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffff;", 32).hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::DivergentBarrier);
  EXPECT_EQ(hazard.thread, (Dim3{16, 0, 0}));
  EXPECT_NE(hazard.message.find("whose member mask 0x0000ffff does not name it"), std::string::npos)
      << hazard.message;
  EXPECT_EQ(check("bar.warp.sync 0xfffffffe;", 32).hazards.size(), 1u);
  EXPECT_EQ(check("setp.eq.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, %p1, 0x7fffffff;", 64).hazards.size(),
            1u);
}

TEST(MemberMask, diverged_lanes_with_masks_of_their_own_are_right) {
  expect_clean(
      "setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\nbar.warp.sync 0xffff0000; bra END;\nA: bar.warp.sync "
      "0xffff;\nEND:",
      32);
  // The upper half names the lower one, which is at a __syncwarp() of its own.
  expect_clean(
      "setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\nbar.warp.sync 0xffffffff; bra END;\nA: bar.warp.sync "
      "0xffffffff;\nEND:",
      32);
  EXPECT_EQ(
      check("setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\nbar.warp.sync 0xffff0000; bra END;\nA: bar.warp.sync "
            "0x7fff;\nEND:",
            32)
          .hazards.size(),
      1u);
}

TEST(MemberMask, lanes_that_only_end_are_not_waited_for_where_paths_meet) {
  // Two lanes synchronize within a condition; the others have nothing to do after it but to end. An H200 lets
  // them, and Numba's cuda.reduce relies on it.
  expect_clean(
      "setp.ge.u32 %p1, %r1, 2; @%p1 bra MEET;\nbar.warp.sync 0xffffffff;\nMEET: setp.ne.u32 %p1, %r1, 0; "
      "@%p1 "
      "bra END; mov.u32 %r2, 1;\nEND:",
      32);
  // With a barrier of the block after it they do have.
  EXPECT_EQ(check("setp.ge.u32 %p1, %r1, 2; @%p1 bra MEET;\nbar.warp.sync 0xffffffff;\nMEET: bar.sync 0;", 32)
                .hazards.size(),
            1u);
}

TEST(MemberMask, the_value_of_a_lane_that_does_not_exist_is_undefined) {
  // Lanes 0-3 of 20 take the values of 16-19, and lane 4 that of lane 20.
  const Checked checked = check("shfl.sync.down.b32 %r2, %r1, 16, 31, -1;", 20);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
  const trace::Hazard note = only(checked.notes);
  EXPECT_EQ(note.thread, (Dim3{4, 0, 0}));
  EXPECT_NE(note.message.find("takes the value of lane 20"), std::string::npos) << note.message;
  expect_clean("shfl.sync.down.b32 %r2, %r1, 16, 19, -1;", 20);  // lanes from 4 on keep their own
}

TEST(MemberMask, lanes_that_have_exited_are_a_note_where_their_values_count) {
  constexpr std::string_view kLeave = "setp.ge.u32 %p1, %r1, 16; @%p1 ret;\n";
  const trace::Hazard note =
      only(check(fmt::format("{}vote.sync.ballot.b32 %r2, %p1, -1;", kLeave), 32).notes);
  EXPECT_NE(note.message.find("with lanes 16-31 in its member mask"), std::string::npos) << note.message;
  // __syncwarp() means those that are left; a mask that is written out says who is meant.
  expect_clean(fmt::format("{}bar.warp.sync 0xffffffff;", kLeave), 32);
  EXPECT_EQ(check(fmt::format("{}bar.warp.sync 0x1ffff;", kLeave), 32).notes.size(), 1u);
  expect_clean(fmt::format("{}vote.sync.ballot.b32 %r2, %p1, 0xffff;", kLeave), 32);
  expect_clean("setp.lt.u32 %p1, %r1, 7; vote.sync.ballot.b32 %r2, %p1, -1;", 20);  // there never were more
}

TEST(Barrier, one_that_part_of_the_block_has_left_is_a_note) {
  for (const std::string_view way :
       {"setp.ge.u32 %p1, %r1, 50; @%p1 ret;\nbar.sync 0;",
        "setp.ge.u32 %p1, %r1, 50; @%p1 bra END;\nbar.sync 0; END:",
        "setp.ge.u32 %p1, %r1, 50; @%p1 bra END;\nbar.sync 0; END: mov.u32 %r2, 1;"}) {
    const Checked checked = check(way, 64);
    EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << way;
    const trace::Hazard note = only(checked.notes);
    EXPECT_EQ(note.kind, trace::HazardKind::DivergentBarrier);
    EXPECT_NE(note.message.find("passes the barrier with 50 of the 64 threads"), std::string::npos)
        << note.message;
  }
  expect_clean("bar.sync 0; setp.ge.u32 %p1, %r1, 50; @%p1 ret;", 64);
}

TEST(Barrier, one_in_a_loop_that_threads_leave_by_exit_is_a_note_too) {
  // Thread t passes t / 8 + 1 rounds.
  const Checked checked = check(
      "shr.u32 %r2, %r1, 3; mov.u32 %r3, 0;\nLOOP: bar.sync 0; setp.ge.u32 %p1, %r3, %r2; @%p1 bra END; "
      "add.u32 %r3, %r3, 1; bra LOOP;\nEND: mov.u32 %r4, 1;",
      64);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
  EXPECT_NE(only(checked.notes).message.find("passes the barrier with 56 of the 64 threads"),
            std::string::npos);
}

// Odd threads read what the others wrote after a barrier that they left out: a device would hang, since it
// brings the lanes together before the read.
TEST(Barrier, one_that_threads_go_around_on_their_way_is_a_hazard) {
  constexpr std::string_view kShared = ".shared .align 4 .b8 tile[256];\n";
  constexpr std::string_view kAround =
      "shl.b32 %r3, %r1, 2; mov.u32 %r4, tile; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1;\n"
      "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra ON; bar.sync 0;\nON: {}";
  const Checked around =
      check(fmt::format("{}{}", kShared, fmt::format(kAround, "ld.shared.u32 %r5, [%r3];")), 64);
  const trace::Hazard hazard = only(around.hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::DivergentBarrier);
  EXPECT_EQ(
      hazard.message,
      "reaches the barrier with 32 of the 64 threads of its block; the others went around it, on to what "
      "follows, and exited; move it out of the condition");
  EXPECT_EQ(texts_of(around.notes), std::vector<std::string>{});
  // Those who only store a result at the end may have returned early in the source.
  const Checked returned =
      check(fmt::format("{}{}", kShared, fmt::format(kAround, "st.shared.u32 [%r3], 1;")), 64);
  EXPECT_EQ(texts_of(returned.hazards), std::vector<std::string>{});
  EXPECT_EQ(returned.notes.size(), 1u);
  // One way around it leads straight to the end.
  const Checked may_return = check(
      fmt::format(
          "{}{}", kShared,
          fmt::format(kAround, "setp.gt.u32 %p2, %r1, 99; @%p2 bra END; ld.shared.u32 %r5, [%r3]; END:")),
      64);
  EXPECT_EQ(texts_of(may_return.hazards), std::vector<std::string>{});
  EXPECT_EQ(may_return.notes.size(), 1u);
}

}  // namespace
}  // namespace lanescope::emulator
