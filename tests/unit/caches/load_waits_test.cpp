// For which loads a warp waits, read from PTX.

#include "caches/load_waits.h"

#include "caches/wait_clock.h"
#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<LoadWait> waits_of(std::string_view body) {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
      "out)\n{{\n"
      ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n{}\nret;\n}}\n",
      body);
  const auto module = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(module);
  const auto program = ptx::lower(*module, "k");
  EXPECT_TRUE(program) << describe(program.error());
  return load_waits(*program);
}

TEST(LoadWaits, two_loads_of_a_sum_wait_for_nothing) {
  const auto waits = waits_of(
      "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd2], "
      "%f3;");
  ASSERT_EQ(waits.size(), 3u);
  EXPECT_THAT(waits[0].needs, IsEmpty());
  EXPECT_THAT(waits[1].needs, IsEmpty());
  EXPECT_TRUE(waits[0].is_used);
  EXPECT_TRUE(waits[1].is_used);
  EXPECT_EQ(waits[0].block, waits[1].block);
  EXPECT_LT(waits[0].step, waits[1].step);
  EXPECT_THAT(waits[2].needs, ElementsAre(0, 1));
  EXPECT_FALSE(waits[2].is_used);
}

TEST(LoadWaits, address_from_a_load_needs_it_through_any_arithmetic) {
  const auto waits = waits_of(
      "ld.global.u32 %r1, [%rd1]; shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd3, %r2; add.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd2], %f1;");
  EXPECT_THAT(waits[1].needs, ElementsAre(0));
  EXPECT_THAT(waits[2].needs, ElementsAre(1));  // the value of load 1; load 0 is there by then
}

TEST(LoadWaits, load_of_shared_memory_passes_on_what_its_address_needs) {
  const auto waits = waits_of(
      "ld.global.u32 %r1, [%rd1]; ld.shared.u32 %r2, [%r1]; cvt.u64.u32 %rd3, %r2; add.s64 %rd4, %rd1, "
      "%rd3;\n"
      "ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd2], %f1;");
  EXPECT_THAT(waits[2].needs, ElementsAre(0));
}

TEST(LoadWaits, guard_from_a_load_needs_it) {
  const auto waits = waits_of(
      "ld.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 ld.global.f32 %f1, [%rd1+4];\n"
      "st.global.f32 [%rd2], %f1;");
  EXPECT_THAT(waits[1].needs, ElementsAre(0));
}

TEST(LoadWaits, register_that_is_written_again_forgets_the_load) {
  const auto waits = waits_of(
      "ld.global.u32 %r1, [%rd1]; mov.u32 %r1, 7; cvt.u64.u32 %rd3, %r1; add.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd2], %f1;");
  EXPECT_THAT(waits[1].needs, IsEmpty());
  EXPECT_FALSE(waits[0].is_used);
}

TEST(LoadWaits, value_that_another_basic_block_reads_is_not_used_in_its_own) {
  const auto waits = waits_of(
      "mov.u32 %r1, %tid.x; ld.global.f32 %f1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE;\n"
      "st.global.f32 [%rd2], %f1;\nDONE:");
  EXPECT_FALSE(waits[0].is_used);
  EXPECT_NE(waits[0].block, waits[1].block);
}

TEST(LoadWaits, load_fills_a_register_and_an_asynchronous_copy_does_not) {
  const auto waits = waits_of(
      "mov.u32 %r1, 0; cp.async.cg.shared.global [%r1], [%rd1], 16; ld.global.f32 %f1, [%rd1+64];\n"
      "st.global.f32 [%rd2], %f1;");
  ASSERT_EQ(waits.size(), 4u);  // the copy has a site for its reads and one for its writes
  EXPECT_FALSE(waits[0].fills_register);
  EXPECT_FALSE(waits[1].fills_register);
  EXPECT_TRUE(waits[2].fills_register);
  EXPECT_FALSE(waits[3].fills_register);
}

/// A loop that loads, adds and goes on: sites 0 and 1 of one basic block.
std::vector<LoadWait> loop(bool second_needs_first) {
  LoadWait first{.block = 1, .step = 3, .fills_register = true, .is_used = true, .needs = {}};
  LoadWait second{.block = 1, .step = 5, .fills_register = true, .is_used = true, .needs = {}};
  if (second_needs_first) second.needs = {0};
  return {first, second};
}

double cycles_of(const std::vector<LoadWait>& waits, std::initializer_list<uint16_t> sites) {
  WaitClock clock;
  for (const uint16_t site : sites) clock.issue(waits, site, 100);
  return clock.end(waits);
}

TEST(WaitClock, loads_of_a_basic_block_are_under_way_together) {
  // Issued at 0 and 1, there at 101 and 102.
  EXPECT_DOUBLE_EQ(cycles_of(loop(false), {0, 1}), 102);
}

TEST(WaitClock, load_whose_address_is_loaded_waits) {
  // There at 101, issued at 101, there at 202.
  EXPECT_DOUBLE_EQ(cycles_of(loop(true), {0, 1}), 202);
}

TEST(WaitClock, next_round_of_a_loop_waits_for_what_the_last_used) {
  EXPECT_DOUBLE_EQ(cycles_of(loop(false), {0, 1, 0, 1}), 102 + 102);
}

TEST(WaitClock, value_that_is_used_later_is_waited_for_when_its_register_is_loaded_again) {
  // Load 0 of another basic block prefetches: its value is read in the next round. Load 1 is used at once.
  std::vector<LoadWait> waits{{.block = 1, .step = 3, .fills_register = true, .is_used = false, .needs = {}},
                              {.block = 2, .step = 5, .fills_register = true, .is_used = true, .needs = {}}};
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0}), 1);
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1}), 102);
  // Site 0 at 0, there at 101; site 1 there at 102; site 0 again at 102, site 1 there at 204.
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1}), 204);
}

TEST(WaitClock, asynchronous_copy_of_the_next_round_does_not_wait_for_the_last) {
  auto waits = loop(false);
  for (LoadWait& wait : waits) wait.fills_register = wait.is_used = false;
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1}), 4);
  // Its address comes from a load: the copy is issued when the load is there, and nothing waits for the copy.
  waits[0].fills_register = true;
  waits[1].needs = {0};
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1}), 102);
}

TEST(WaitClock, stores_take_a_cycle) {
  const auto waits = loop(false);
  WaitClock clock;
  clock.issue(waits, 0, 0);
  clock.issue(waits, 1, 0);
  EXPECT_DOUBLE_EQ(clock.end(waits), 2);
}

}  // namespace
}  // namespace lanescope::caches
