// For which loads a warp waits, read from PTX.

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Program program_of(std::string_view body) {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
      "out)\n{{\n"
      ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n{}\nret;\n}}\n",
      body);
  const auto module = parse(text, "t.ptx");
  EXPECT_TRUE(module);
  auto program = lower(*module, "k");
  EXPECT_TRUE(program) << describe(program.error());
  return *std::move(program);
}

std::vector<LoadWait> waits_of(std::string_view body) {
  const Program program = program_of(body);
  std::vector<LoadWait> waits;
  for (const MemorySite& site : program.sites) waits.push_back(site.wait);
  return waits;
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

/// A loop of one basic block, with what is in it before its end.
std::vector<LoadWait> waits_of_loop(const std::string& body) {
  return waits_of("mov.u32 %r9, 0;\nLOOP:\n" + body +
                  "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 64; @%p1 bra LOOP;\n"
                  "st.global.f32 [%rd2], %f3;");
}

TEST(LoadWaits, rounds_of_a_loop_that_sums_up_are_under_way_together) {
  const auto waits =
      waits_of_loop("ld.global.f32 %f1, [%rd1]; add.f32 %f3, %f3, %f1; add.s64 %rd1, %rd1, 4;\n");
  EXPECT_TRUE(waits[0].spans_rounds);
  EXPECT_FALSE(waits[1].spans_rounds) << "the store is after the loop";
}

TEST(LoadWaits, rounds_follow_each_other_where_the_loop_is_not_unrolled) {
  const std::string body = "ld.global.f32 %f1, [%rd1]; add.f32 %f3, %f3, %f1; add.s64 %rd1, %rd1, 4;\n";
  EXPECT_FALSE(waits_of_loop(".pragma \"nounroll\";\n" + body)[0].spans_rounds);
  EXPECT_TRUE(waits_of_loop(".pragma \"used_bytes_mask\";\n" + body)[0].spans_rounds);
}

TEST(LoadWaits, rounds_follow_each_other_where_the_next_needs_what_this_one_loads) {
  EXPECT_FALSE(waits_of_loop("ld.global.u64 %rd1, [%rd1]; mov.f32 %f3, 0f00000000;\n")[0].spans_rounds)
      << "the address";
  const auto list = waits_of_loop(
      "ld.global.u32 %r1, [%rd1]; cvt.u64.u32 %rd3, %r1; add.s64 %rd1, %rd2, %rd3; mov.f32 %f3, "
      "0f00000000;\n");
  EXPECT_FALSE(list[0].spans_rounds) << "the address of the next round, by arithmetic";
  EXPECT_FALSE(
      waits_of("LOOP:\nld.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 bra LOOP;")[0].spans_rounds)
      << "the end of the loop";
  EXPECT_FALSE(waits_of_loop("ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1;\n")[0].spans_rounds)
      << "what is stored may be what the next round loads";
}

TEST(LoadWaits, index_that_is_loaded_in_the_same_round_does_not_keep_rounds_apart) {
  const auto waits = waits_of_loop(
      "ld.global.u32 %r1, [%rd1]; cvt.u64.u32 %rd3, %r1; add.s64 %rd4, %rd2, %rd3; ld.global.f32 %f1, "
      "[%rd4];\n"
      "add.f32 %f3, %f3, %f1; add.s64 %rd1, %rd1, 4;\n");
  EXPECT_TRUE(waits[0].spans_rounds);
  EXPECT_TRUE(waits[1].spans_rounds);
  EXPECT_THAT(waits[1].needs, ElementsAre(0));
}

TEST(CacheUse, of_loads_that_stream_leaves_the_l2_first) {
  const auto leaves_first = [](std::string_view load) {
    return program_of(fmt::format("{} %r1, [%rd1];", load)).sites[0].cache_use.leaves_l2_first;
  };
  for (const char* load : {"ld.global.cs.u32", "ld.global.lu.u32", "ld.global.L1::no_allocate.u32",
                           "ld.global.L1::evict_first.u32"})
    EXPECT_TRUE(leaves_first(load)) << load;
  for (const char* load : {"ld.global.u32", "ld.global.cg.u32", "ld.global.cv.u32", "ld.global.nc.u32",
                           "ld.volatile.global.u32", "ld.relaxed.gpu.global.u32"})
    EXPECT_FALSE(leaves_first(load)) << load;
}

}  // namespace
}  // namespace lanescope::ptx
