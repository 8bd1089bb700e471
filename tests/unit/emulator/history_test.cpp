// The history of one warp: what each instruction wrote, walked both ways.

#include "emulator/history.h"

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

using trace::History;
using trace::HistoryCursor;

/// Threads of a block count up to their number, modulo 4.
std::string counting_kernel() {
  return kernel_text(
      "",
      "mov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 3;\nmov.u32 %r2, 0;\nLOOP:\nsetp.ge.u32 %p1, %r2, "
      "%r1;\n@%p1 bra END;\nadd.u32 %r2, %r2, 1;\nbra LOOP;\nEND:\n@%p1 mov.u64 %rd1, 7;\n"
      "st.shared.u64 [s], %rd1;\nret;",
      ".shared .align 8 .b8 s[8];");
}

History history_of(const std::string& text, Dim3 grid, uint32_t threads, CtaId cta, WarpId warp,
                   uint32_t most = kMostHistoryEntries) {
  const Result<ptx::Program> program = program_of(text);
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  auto history =
      record_history(*program, LaunchBuilder(grid, {threads, 1, 1}).launch, cta, warp, {.threads = 2}, most);
  EXPECT_TRUE(history) << describe(history.error());
  return history ? std::move(*history) : History{};
}

uint32_t length_of(const History& history) { return static_cast<uint32_t>(history.entries.size()); }

TEST(History, registers_have_the_names_of_the_ptx_and_the_values_of_the_place) {
  const History history = history_of(counting_kernel(), {3, 1, 1}, 64, {2}, {1});
  HistoryCursor cursor(history);
  EXPECT_EQ(cursor.find(0, "%r1"), nullptr);
  cursor.go_to(1);
  ASSERT_NE(cursor.find(0, "%r1"), nullptr);
  EXPECT_EQ(cursor.find(0, "%r1")->lanes[5], 37u);
  cursor.go_to(2);
  EXPECT_EQ(cursor.find(0, "%r1")->lanes[5], 1u);
  EXPECT_EQ(cursor.find(0, "%r2"), nullptr);
  cursor.go_to(length_of(history));
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(cursor.find(0, "%r2")->lanes[lane], lane % 4);
    EXPECT_EQ(cursor.find(0, "%p1")->lanes[lane], 1u);
    EXPECT_EQ(cursor.find(0, "%rd1")->lanes[lane], 7u);
  }
}

TEST(History, lanes_that_have_left_the_loop_are_not_in_the_mask) {
  const History history = history_of(counting_kernel(), {1, 1, 1}, 32, {0}, {0});
  std::vector<uint32_t> masks;
  for (const History::Entry& entry : history.entries) {
    if (entry.end_change != entry.first_change &&
        history.registers[history.changes[entry.first_change].reg].name == "%r2")
      masks.push_back(entry.lanes.bits);
  }
  EXPECT_EQ(masks, (std::vector<uint32_t>{0xffffffff, 0xeeeeeeee, 0xcccccccc, 0x88888888}));
}

TEST(History, a_guard_lets_part_of_the_active_lanes_execute) {
  const History history = history_of(
      kernel_text("", "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 4;\n@!%p1 mov.u32 %r2, 9;\nret;"),
      {1, 1, 1}, 32, {0}, {0});
  ASSERT_GE(history.entries.size(), 3u);
  EXPECT_EQ(history.entries[2].active, kAllLanes);
  EXPECT_EQ(history.entries[2].lanes.bits, 0xfffffff0u);
  ASSERT_EQ(history.entries[2].end_change - history.entries[2].first_change, 1u);
  EXPECT_EQ(history.changes[history.entries[2].first_change].fresh.bits, 0xfffffff0u);
}

TEST(History, walking_back_leads_to_the_same_registers) {
  const History history = history_of(counting_kernel(), {1, 1, 1}, 64, {0}, {1});
  const auto values_at = [&](HistoryCursor& cursor, uint32_t place) {
    cursor.go_to(place);
    std::vector<uint64_t> values;
    for (const trace::RegisterValue& value : cursor.registers()) {
      values.push_back(value.written.bits);
      values.push_back(value.written.any() ? static_cast<uint64_t>(value.meaning) : 0);
      for (int lane = 0; lane < kLanes; ++lane)
        values.push_back(value.written.test(lane) ? value.lanes[static_cast<size_t>(lane)] : 99);
    }
    return values;
  };
  HistoryCursor forwards(history);
  HistoryCursor backwards(history);
  const uint32_t end = length_of(history);
  backwards.go_to(end);
  std::vector<std::vector<uint64_t>> seen;
  for (uint32_t place = 0; place <= end; ++place) seen.push_back(values_at(forwards, place));
  for (uint32_t place = end + 1; place-- > 0;) EXPECT_EQ(values_at(backwards, place), seen[place]) << place;
}

TEST(History, what_a_register_held_before_is_its_own_and_not_of_one_that_shares_its_place) {
  // %r1 is dead when %r2 is written, so they share a place in the register file.
  const History history = history_of(
      kernel_text(
          "",
          "mov.u32 %r1, 5;\nst.shared.u32 [s], %r1;\nmov.u32 %r2, 6;\nst.shared.u32 [s+4], %r2;\nmov.u32 "
          "%r1, 8;\nst.shared.u32 [s], %r1;\nret;",
          ".shared .align 4 .b8 s[8];"),
      {1, 1, 1}, 32, {0}, {0});
  ASSERT_EQ(history.changes.size(), 3u);
  EXPECT_EQ(history.changes[1].fresh, kAllLanes);
  EXPECT_FALSE(history.changes[2].fresh.any());
  EXPECT_EQ(history.values[history.changes[2].first], 5u);
}

TEST(History, it_says_where_each_instruction_was_written_and_which_access_it_makes) {
  const std::string text =
      kernel_text("", "mov.u32 %r1, %tid.x;\nst.shared.u32 [s], %r1;\nst.shared.u32 [s+4], %r1;\nret;",
                  ".shared .align 4 .b8 s[8];");
  const History history = history_of(text, {1, 1, 1}, 32, {0}, {0});
  ASSERT_EQ(history.entries.size(), 4u);
  EXPECT_EQ(history.instructions[history.entries[1].instruction].ptx_text, "st.shared.u32 [s], %r1");
  EXPECT_EQ(history.instructions[history.entries[1].instruction].ptx_line, 9);
  EXPECT_EQ(history.entries[1].access, 0u);
  EXPECT_EQ(history.entries[2].access, 1u);
  EXPECT_EQ(history.entries[3].access, 2u);
}

TEST(History, a_long_one_is_cut_and_says_so) {
  EXPECT_FALSE(history_of(counting_kernel(), {1, 1, 1}, 32, {0}, {0}).is_cut);
  const History cut = history_of(counting_kernel(), {1, 1, 1}, 32, {0}, {0}, 5);
  EXPECT_TRUE(cut.is_cut);
  EXPECT_EQ(cut.entries.size(), 5u);
}

TEST(History, a_kernel_that_does_not_end_has_one) {
  const History history =
      history_of(kernel_text("", "mov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;\nret;"), {1, 1, 1},
                 32, {0}, {0}, 101);
  EXPECT_TRUE(history.is_cut);
  HistoryCursor cursor(history);
  cursor.go_to(101);
  EXPECT_EQ(cursor.find(0, "%r1")->lanes[0], 50u);
}

TEST(History, vectors_and_pairs_of_predicates_are_named_in_order) {
  const History history = history_of(
      kernel_text("",
                  "mov.b64 %rd1, 0x500000003;\nmov.b64 {%r1, %r2}, %rd1;\nsetp.lt.u32 %p1|%p2, %r1, %r2;\n"
                  "mov.b64 {_, %r3}, %rd1;\nadd.cc.u32 %r4, %r1, -3;\nret;"),
      {1, 1, 1}, 32, {0}, {0});
  HistoryCursor cursor(history);
  cursor.go_to(5);
  EXPECT_EQ(cursor.find(0, "%r1")->lanes[0], 3u);
  EXPECT_EQ(cursor.find(0, "%r2")->lanes[0], 5u);
  EXPECT_EQ(cursor.find(0, "%p1")->lanes[0], 1u);
  EXPECT_EQ(cursor.find(0, "%p2")->lanes[0], 0u);
  EXPECT_EQ(cursor.find(0, "%r3")->lanes[0], 5u);
  EXPECT_EQ(cursor.find(0, "%r4")->lanes[0], 0u);
  EXPECT_EQ(cursor.find(0, "CC.CF")->lanes[0], 1u);
}

TEST(History, a_barrier_that_reduces_gives_its_result_when_all_have_arrived) {
  const History history = history_of(
      kernel_text("",
                  "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 40;\nbar.red.popc.u32 %r2, 0, %p1;\n"
                  "st.shared.u32 [0], %r2;\nret;",
                  ".shared .align 4 .b8 s[8];"),
      {1, 1, 1}, 64, {0}, {1});
  HistoryCursor cursor(history);
  cursor.go_to(3);
  EXPECT_EQ(cursor.find(0, "%r2"), nullptr);
  cursor.go_to(4);
  ASSERT_NE(cursor.find(0, "%r2"), nullptr);
  EXPECT_EQ(cursor.find(0, "%r2")->lanes[31], 40u);
}

TEST(History, a_function_that_calls_itself_finds_its_registers_again) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".func (.param .b32 out) f(.param .b32 in)\n{\n.reg .b32 %r<5>; .reg .pred %p<2>;\n"
      "ld.param.u32 %r1, [in];\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 bra END;\nsub.u32 %r3, %r1, "
      "1;\n"
      "{\n.param .b32 p;\n.param .b32 q;\nst.param.b32 [p], %r3;\ncall.uni (q), f, (p);\nld.param.b32 %r2, "
      "[q];\n}\n"
      "END:\nadd.u32 %r4, %r2, %r1;\nst.param.b32 [out], %r4;\nret;\n}\n"
      ".visible .entry k()\n{\n.reg .b32 %r<4>; .shared .align 4 .b8 s[8];\nmov.u32 %r1, 3;\n"
      "{\n.param .b32 p;\n.param .b32 q;\nst.param.b32 [p], %r1;\ncall.uni (q), f, (p);\nld.param.b32 %r2, "
      "[q];\n}\n"
      "st.shared.u32 [0], %r2;\nret;\n}\n";
  const History history = history_of(text, {1, 1, 1}, 32, {0}, {0});
  HistoryCursor cursor(history);
  cursor.go_to(length_of(history));
  ASSERT_NE(cursor.find(0, "%r2"), nullptr);
  EXPECT_EQ(cursor.find(0, "%r2")->lanes[0], 6u);
  // Each return gives the caller its own %r1 back: 0, 1, 2 come up again as 1, 2, 3.
  ASSERT_NE(cursor.find(1, "%r1"), nullptr);
  EXPECT_EQ(cursor.find(1, "%r1")->lanes[0], 3u);
  cursor.go_to(0);
  EXPECT_EQ(cursor.find(1, "%r1"), nullptr);
}

TEST(History, a_warp_that_is_not_there_is_an_error) {
  const ptx::Program program = program_of(counting_kernel()).value();
  const auto history = record_history(program, LaunchBuilder({1, 1, 1}, {32, 1, 1}).launch, {0}, {1}, {});
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().kind, ErrorKind::Usage);
}

TEST(History, values_read_as_their_type_says) {
  using Meaning = History::Meaning;
  EXPECT_EQ(trace::value_text(Meaning::Float, 4, 0x3fc00000), "1.5");
  EXPECT_EQ(trace::value_text(Meaning::Float, 8, 0x3ff8000000000000), "1.5");
  EXPECT_EQ(trace::value_text(Meaning::Signed, 4, 0xfffffffe), "-2");
  EXPECT_EQ(trace::value_text(Meaning::Signed, 8, ~uint64_t{0}), "-1");
  EXPECT_EQ(trace::value_text(Meaning::Unsigned, 4, 0xfffffffe), "4294967294");
  EXPECT_EQ(trace::value_text(Meaning::Bits, 4, 0x1f), "0x1f");
  EXPECT_EQ(trace::value_text(Meaning::Unsigned, 8, 0x10000000010), "0x10000000010");
  EXPECT_EQ(trace::value_text(Meaning::Truth, 1, 1), "true");
}

TEST(History, a_negative_short_is_negative) {
  const History history =
      history_of(kernel_text("", "mov.u16 %rs1, 3;\nsub.s16 %rs2, %rs1, 5;\nret;"), {1, 1, 1}, 32, {0}, {0});
  ASSERT_EQ(history.changes.size(), 2u);
  const History::Change& change = history.changes[1];
  EXPECT_EQ(trace::value_text(change.meaning, 4, history.values[change.first + 32]), "-2");
}

}  // namespace
}  // namespace lanescope::emulator
