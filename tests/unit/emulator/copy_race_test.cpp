// Races with asynchronous copies that are under way: each with the wait that is missing or too short, and
// correct kernels, which must not be accused.

#include "check_run.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

/// %rd1 is where the thread's word of `in` is, %rd2 its word of `out`; %r2 its word of the tile, %r6 that of
/// thread 63 - tid.
std::string with_tile(std::string_view body) {
  return kernel_text(
      ".param .u64 in, .param .u64 out",
      fmt::format("ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
                  "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n"
                  "mov.u32 %r5, tile; mad.lo.u32 %r2, %r1, 4, %r5; xor.b32 %r6, %r1, 63;\n"
                  "mad.lo.u32 %r6, %r6, 4, %r5; setp.eq.u32 %p1, %r1, 0; mov.u32 %r7, 0;\n{}\nret;",
                  body),
      ".shared .align 16 .b8 tile[2048]; .shared .align 8 .b64 barrier;");
}

Checked check(std::string_view body, uint32_t blocks = 1) {
  LaunchBuilder builder({blocks, 1, 1}, {64, 1, 1});
  builder.buffer("in", std::vector<uint32_t>(512, 1)).buffer("out", std::vector<uint32_t>(512));
  return check_kernel(with_tile(body), builder.launch);
}

std::vector<std::string> found(std::string_view body, uint32_t blocks = 1) {
  return texts_of(check(body, blocks).hazards);
}
trace::Hazard only_race(std::string_view body) {
  trace::Hazard race = only(check(body).hazards);
  EXPECT_EQ(race.kind, trace::HazardKind::Race);
  return race;
}
/// Nothing is found.
const auto is_clean = testing::IsEmpty();

constexpr std::string_view kCopy = "cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.commit_group;\n";
/// What it copies into the next 256 bytes.
constexpr std::string_view kNext =
    "cp.async.ca.shared.global [%r2+256], [%rd1+256], 4; cp.async.commit_group;\n";
constexpr std::string_view kReadOther = "ld.shared.u32 %r7, [%r6];\n";
constexpr std::string_view kReadOwn = "ld.shared.u32 %r7, [%r2];\n";

TEST(CopyRace, a_barrier_alone_does_not_wait_for_a_copy) {
  const trace::Hazard race =
      only_race(fmt::format("{}bar.sync 0;\n{}cp.async.wait_group 0;", kCopy, kReadOther));
  EXPECT_EQ(race.thread, (Dim3{0, 0, 0}));
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->thread, (Dim3{63, 0, 0}));
  EXPECT_EQ(race.ptx_line - race.other->ptx_line, 2);
  EXPECT_EQ(race.count, 64u);
  EXPECT_EQ(
      race.message,
      fmt::format("reads offset 252 of 'tile' in shared memory while the copy of thread (63,0,0) at PTX "
                  "line {} to there is under way; no wait has followed it: __pipeline_wait_prior(0) is "
                  "missing before the barrier, which alone does not wait for copies",
                  race.other->ptx_line));
}

TEST(CopyRace, the_wait_comes_before_the_barrier) {
  EXPECT_THAT(found(fmt::format("{}cp.async.wait_group 0; bar.sync 0;\n{}", kCopy, kReadOther)), is_clean);
  EXPECT_THAT(found(fmt::format("{}cp.async.wait_all; bar.sync 0;\n{}", kCopy, kReadOther)), is_clean);
  EXPECT_THAT(found(fmt::format("{}cp.async.wait_group 0;\n{}", kCopy, kReadOwn)), is_clean);
  EXPECT_THAT(
      only_race(fmt::format("{}bar.sync 0; cp.async.wait_group 0;\n{}", kCopy, kReadOther)).message,
      AllOf(HasSubstr("where thread (63,0,0) copies at PTX line"),
            EndsWith("which it waits for only after the barrier; __pipeline_wait_prior(0) is missing before "
                     "it, or a barrier after the wait")));
  EXPECT_THAT(only_race(fmt::format("{}cp.async.wait_group 0;\n{}", kCopy, kReadOther)).message,
              HasSubstr("no barrier is between them; put __syncthreads()"));
}

TEST(CopyRace, a_thread_waits_for_its_own_copy_too) {
  const trace::Hazard race = only_race(fmt::format("{}{}cp.async.wait_all;", kCopy, kReadOwn));
  EXPECT_THAT(race.message,
              AllOf(HasSubstr("reads offset 0 of 'tile' in shared memory while its own copy at PTX line"),
                    EndsWith("no wait has followed it: __pipeline_wait_prior(0) is missing")));
}

TEST(CopyRace, a_wait_for_too_few_groups_is_named) {
  const auto body = [](int left) {
    return fmt::format("{}{}cp.async.wait_group {}; bar.sync 0;\n{}", kCopy, kNext, left, kReadOther);
  };
  EXPECT_THAT(found(body(0)), is_clean);
  EXPECT_THAT(found(body(1)), is_clean);
  const trace::Hazard race = only_race(body(2));
  ASSERT_TRUE(race.other);
  EXPECT_THAT(race.message, EndsWith(fmt::format(
                                "__pipeline_wait_prior(2) at PTX line {} leaves 2 groups under way, and this "
                                "copy is in one of them; call __pipeline_wait_prior(1)",
                                race.other->ptx_line + 2)));
}

TEST(CopyRace, a_copy_in_no_group_is_not_waited_for) {
  const trace::Hazard race = only_race(
      fmt::format("cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_group 0; bar.sync 0;\n{}"
                  "cp.async.wait_all;",
                  kReadOther));
  EXPECT_THAT(race.message, HasSubstr("__pipeline_commit() and __pipeline_wait_prior(0) are missing"));
}

TEST(CopyRace, a_write_to_where_a_copy_goes_is_one) {
  EXPECT_THAT(
      only_race(fmt::format("{}bar.sync 0;\nst.shared.u32 [%r6], 1;\ncp.async.wait_all;", kCopy)).message,
      HasSubstr("writes offset 252 of 'tile' in shared memory while the copy of thread (63,0,0)"));
  EXPECT_THAT(found(fmt::format("{}cp.async.wait_all; bar.sync 0;\nst.shared.u32 [%r6], 1;", kCopy)),
              is_clean);
}

TEST(CopyRace, a_stage_must_not_land_where_the_earlier_one_is_still_to_be_read) {
  // Two stages on their way to one place; the wait covers the first of them.
  const Checked checked = check(
      fmt::format("{}{}cp.async.wait_group 1; bar.sync 0;\n{}cp.async.wait_all;", kCopy,
                  "cp.async.ca.shared.global [%r2], [%rd1+256], 4; cp.async.commit_group;\n", kReadOther));
  ASSERT_EQ(checked.hazards.size(), 2u) << fmt::format("{}", fmt::join(texts_of(checked.hazards), "\n"));
  EXPECT_THAT(
      checked.hazards[0].message,
      AllOf(HasSubstr("reads offset 252 of 'tile' in shared memory while the copy of thread (63,0,0)"),
            EndsWith("it began before the data of an earlier copy to the same place were read; use one "
                     "more buffer, or copy one stage less ahead")));
  EXPECT_THAT(
      checked.hazards[1].message,
      AllOf(HasSubstr("copies to offset 0 of 'tile' in shared memory while its own copy at PTX line"),
            EndsWith("the data of that copy have not been read yet; use one more buffer, or copy one stage "
                     "less ahead")));
}

/// `buffers` of 256 bytes in turn; copies are `ahead` rounds ahead, and the wait leaves `left` groups.
std::string rounds(int buffers, int ahead, int left) {
  std::string text;
  const auto copy = [&](int round) {
    if (round < 6)
      text += fmt::format("cp.async.ca.shared.global [%r2+{}], [%rd1+{}], 4;\n", 256 * (round % buffers),
                          256 * round);
    text += "cp.async.commit_group;\n";
  };
  for (int round = 0; round < ahead; ++round) copy(round);
  for (int round = 0; round < 6; ++round) {
    copy(round + ahead);
    text += fmt::format(
        "cp.async.wait_group {}; bar.sync 0; ld.shared.u32 %r8, [%r6+{}]; add.u32 %r7, %r7, %r8; "
        "bar.sync 0;\n",
        left, 256 * (round % buffers));
  }
  return text;
}

TEST(CopyRace, several_stages_with_the_right_wait_are_correct) {
  EXPECT_THAT(found(rounds(2, 1, 1)), is_clean);
  EXPECT_THAT(found(rounds(3, 2, 2)), is_clean);
  EXPECT_THAT(found(rounds(3, 1, 0)), is_clean);
  EXPECT_THAT(found(rounds(4, 3, 3)), is_clean);
}

TEST(CopyRace, several_stages_with_a_wait_one_short_or_one_buffer_too_few_race) {
  EXPECT_THAT(found(rounds(2, 1, 2)), testing::Not(is_clean));
  EXPECT_THAT(found(rounds(3, 2, 3)), testing::Not(is_clean));
  EXPECT_THAT(found(rounds(2, 2, 2)), testing::Not(is_clean));
  EXPECT_THAT(found(rounds(4, 4, 4)), testing::Not(is_clean));
}

TEST(CopyRace, the_source_must_not_change_before_the_wait) {
  const auto body = [](std::string_view wait) {
    return fmt::format("{}{}bar.sync 0;\nst.global.u32 [%rd1+4], 5;\ncp.async.wait_all;", kCopy, wait);
  };
  EXPECT_THAT(found(body("cp.async.wait_all; ")), is_clean);
  const trace::Hazard race = only_race(body(""));
  EXPECT_EQ(race.count, 63u) << "the last thread's next word is no source";
  EXPECT_THAT(race.message,
              HasSubstr("writes in[1], byte 4 of 'in' while the copy of thread (1,0,0) at PTX line"));
  EXPECT_THAT(race.message, HasSubstr("from there is under way; no wait has followed it"));
}

TEST(CopyRace, other_words_of_the_same_buffers_are_free) {
  EXPECT_THAT(found(fmt::format("{}bar.sync 0; st.global.u32 [%rd1+1024], 5; st.shared.u32 [%r6+512], 1;\n"
                                "cp.async.wait_all;",
                                kCopy)),
              is_clean);
}

TEST(CopyRace, what_a_block_did_not_wait_for_is_nothing_to_the_next) {
  EXPECT_THAT(found(fmt::format("st.shared.u32 [%r6], 1; bar.sync 0;\n{}", kCopy), 3), is_clean);
}

/// All threads arrive when their copies are done.
constexpr std::string_view kCopyToBarrier =
    "@%p1 mbarrier.init.shared.b64 [barrier], 64; bar.sync 0; cp.async.ca.shared.global [%r2], [%rd1], 4;\n"
    "cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];\n";
constexpr std::string_view kWaitForBarrier =
    "AGAIN: mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 0; @!%p2 bra AGAIN;\n";

TEST(CopyRace, a_copy_to_a_barrier_ends_with_its_phase) {
  EXPECT_THAT(found(fmt::format("{}{}{}", kCopyToBarrier, kWaitForBarrier, kReadOther)), is_clean);
  EXPECT_THAT(found(fmt::format("{}cp.async.wait_all;\n{}", kCopyToBarrier, kReadOwn)), is_clean);
  EXPECT_THAT(
      only_race(fmt::format("{}bar.sync 0;\n{}{}", kCopyToBarrier, kReadOther, kWaitForBarrier)).message,
      EndsWith("the phase of its mbarrier has not been waited for; wait for it first"));
}

TEST(CopyRace, a_copy_whose_phase_was_waited_for_is_an_ordinary_write) {
  // Warp 1 overwrites what warp 0 reads, and no barrier is between them.
  const std::string_view after =
      "setp.lt.u32 %p3, %r1, 32; @%p3 bra READ; st.shared.u32 [%r6], 1; bra DONE;\n"
      "READ: ld.shared.u32 %r7, [%r2]; DONE:";
  EXPECT_THAT(only_race(fmt::format("{}{}{}", kCopyToBarrier, kWaitForBarrier, after)).message,
              HasSubstr("no barrier is between them"));
}

TEST(CopyRace, a_copy_to_a_barrier_may_also_be_waited_for_by_its_own_thread) {
  // Warp 0 waits for the phase alone, and reads what warp 1 copied.
  const std::string_view after =
      "setp.ge.u32 %p3, %r1, 32; @%p3 bra COPIED;\n"
      "AGAIN: mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 0; @!%p2 bra AGAIN;\n"
      "ld.shared.u32 %r7, [%r6]; bra DONE;\n"
      "COPIED: cp.async.wait_all; DONE:";
  EXPECT_THAT(found(fmt::format("{}{}", kCopyToBarrier, after)), is_clean);
}

TEST(CopyRace, a_copy_stays_with_its_own_barrier) {
  // Two stages with a barrier each; the wait for the first makes its data readable while the second is under
  // way.
  const std::string two =
      "@%p1 mbarrier.init.shared.b64 [barrier], 64; @%p1 mbarrier.init.shared.b64 [tile+1024], 64; bar.sync "
      "0;\n"
      "cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];\n"
      "cp.async.ca.shared.global [%r2+256], [%rd1+256], 4;\n"
      "cp.async.mbarrier.arrive.noinc.shared.b64 [tile+1024];\n";
  EXPECT_THAT(found(fmt::format("{}{}{}", two, kWaitForBarrier, kReadOther)), is_clean);
  EXPECT_EQ(found(fmt::format("{}{}ld.shared.u32 %r7, [%r6+256];\n", two, kWaitForBarrier)).size(), 1u);
}

TEST(CopyRace, buffers_that_follow_each_other_through_one_barrier_are_correct) {
  std::string text = "@%p1 mbarrier.init.shared.b64 [barrier], 64; bar.sync 0;\n";
  for (int round = 0; round < 4; ++round)
    text += fmt::format(
        "cp.async.ca.shared.global [%r2], [%rd1+{}], 4; cp.async.mbarrier.arrive.noinc.shared.b64 "
        "[barrier];\n"
        "AGAIN{}: mbarrier.test_wait.parity.shared.b64 %p2, [barrier], {}; @!%p2 bra AGAIN{};\n{}bar.sync "
        "0;\n",
        256 * round, round, round % 2, round, kReadOther);
  EXPECT_THAT(found(text), is_clean);
}

/// Thread 0 copies 256 bytes.
constexpr std::string_view kBulk =
    "@!%p1 bra JOIN; mbarrier.init.shared.b64 [barrier], 1; mbarrier.arrive.expect_tx.shared.b64 _, "
    "[barrier], "
    "256;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, [barrier];\n"
    "JOIN: bar.sync 0;\n";

TEST(CopyRace, a_bulk_copy_ends_with_the_phase_of_its_barrier) {
  EXPECT_THAT(found(fmt::format("{}{}{}", kBulk, kWaitForBarrier, kReadOther)), is_clean);
  // One thread waits for all of them.
  EXPECT_THAT(
      found(fmt::format("{}@!%p1 bra REST;\n{}REST: bar.sync 0;\n{}", kBulk, kWaitForBarrier, kReadOther)),
      is_clean);
  const trace::Hazard race = only_race(fmt::format("{}{}{}", kBulk, kReadOther, kWaitForBarrier));
  EXPECT_EQ(race.other->thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(race.count, 64u);
  EXPECT_THAT(race.message, EndsWith("the phase of its mbarrier has not been waited for; wait for it first"));
}

TEST(CopyRace, a_copy_outlasts_the_numbers_of_accesses) {
  // The word that the loop reads is no target of the copy.
  const std::string text = fmt::format(
      "st.shared.u32 [%r2+1024], 1; {}mov.u32 %r10, 0;\nLOOP: ld.shared.u32 %r11, [%r2+1024]; add.u32 %r10, "
      "%r10, "
      "1; setp.lt.u32 %p3, %r10, 300000; @%p3 bra LOOP;\n{}{}",
      kBulk, kWaitForBarrier, kReadOther);
  const auto program = program_of(with_tile(text));
  ASSERT_TRUE(program) << describe(program.error());
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("in", std::vector<uint32_t>(64)).buffer("out", std::vector<uint32_t>(64));
  NoValuesSink sink;
  EXPECT_THAT(texts_of(check_with(*program, builder.launch, sink).hazards), is_clean);
}

TEST(CopyRace, the_other_parity_is_no_wait) {
  const std::string early =
      "@!%p1 bra JOIN; mbarrier.init.shared.b64 [barrier], 2; mbarrier.arrive.expect_tx.shared.b64 _, "
      "[barrier], "
      "256;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, [barrier];\n"
      "JOIN: bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p2, [barrier], 1;\n";
  EXPECT_EQ(found(fmt::format("{}{}", early, kReadOther)).size(), 1u);
}

/// Thread 0 copies 256 bytes of the tile to `out`.
std::string bulk_back(std::string_view after) {
  return fmt::format(
      "st.shared.u32 [%r2], %r1; bar.sync 0; @!%p1 bra JOIN; fence.proxy.async;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 256; cp.async.bulk.commit_group;\n{}",
      after);
}

TEST(CopyRace, the_source_of_a_bulk_copy_must_not_change_before_it_is_read) {
  const std::string_view write = "JOIN: bar.sync 0;\nst.shared.u32 [%r6], 1;\n";
  EXPECT_THAT(found(bulk_back(fmt::format("cp.async.bulk.wait_group.read 0;\n{}", write))), is_clean);
  EXPECT_THAT(found(bulk_back(fmt::format("cp.async.bulk.wait_group 0;\n{}", write))), is_clean);
  const trace::Hazard race = only_race(bulk_back(write));
  EXPECT_EQ(race.count, 64u);
  EXPECT_THAT(race.message,
              HasSubstr("writes offset 252 of 'tile' in shared memory while its own copy at PTX"));
  EXPECT_THAT(race.message, EndsWith("cp.async.bulk.wait_group.read 0 is missing"));
  EXPECT_THAT(only_race(bulk_back(fmt::format("cp.async.bulk.wait_group.read 1;\n{}", write))).message,
              AllOf(HasSubstr("cp.async.bulk.wait_group.read 1 at PTX line"),
                    EndsWith("leaves 1 group under way, and this copy is in it; call "
                             "cp.async.bulk.wait_group.read 0")));
}

TEST(CopyRace, what_a_bulk_copy_writes_is_there_after_the_whole_wait) {
  const std::string_view read = "JOIN: bar.sync 0;\nld.global.u32 %r7, [%rd2];\n";
  EXPECT_THAT(found(bulk_back(fmt::format("cp.async.bulk.wait_group 0;\n{}", read))), is_clean);
  EXPECT_THAT(only_race(bulk_back(fmt::format("cp.async.bulk.wait_group.read 0;\n{}", read))).message,
              EndsWith("cp.async.bulk.wait_group.read only waits until the source is read; call "
                       "cp.async.bulk.wait_group 0"));
}

TEST(CopyRace, bulk_reductions_to_one_place_are_atomic) {
  const std::string_view reduce =
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [tile], 256; "
      "cp.async.bulk.commit_group;\n";
  EXPECT_THAT(
      found(fmt::format("st.shared.u32 [%r2], %r1; bar.sync 0; @!%p1 bra DONE; fence.proxy.async;\n{}{}"
                        "cp.async.bulk.wait_group 0; DONE:",
                        reduce, reduce)),
      is_clean);
}

}  // namespace
}  // namespace lanescope::emulator
