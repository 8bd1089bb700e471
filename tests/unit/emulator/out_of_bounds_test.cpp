// Accesses out of bounds of a run that goes on after them: they read 0, write nothing, and are reported.

#include "kernel_run.h"

#include <numeric>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<uint32_t> from_one(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

/// %r4: number of the thread in the grid; %rd1: address of in[%r4]; %rd2: of out[%r4].
KernelRun run_on(std::string_view body, size_t in_words, size_t out_words, Options options = {},
                 Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}) {
  options.out_of_bounds = OutOfBounds::IsPassedOver;
  LaunchBuilder builder(grid, block);
  builder.buffer("in", from_one(in_words)).buffer("out", std::vector<uint32_t>(out_words));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(".param .u64 in, .param .u64 out",
                  fmt::format("ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; "
                              "mov.u32 %r2, %ntid.x; mov.u32 %r3, %ctaid.x; "
                              "mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd3, %r4, 4;"
                              "add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n{}\nret;",
                              body)),
      builder.launch, options);
  return kernel;
}

std::vector<uint32_t> out_of(const KernelRun& kernel) {
  return values_of<uint32_t>(kernel.outcome.buffers[1]);
}

TEST(PassedOver, a_read_before_the_buffer_gives_0_and_the_kernel_goes_on) {
  for (const Vectors vectors : kAllVectors) {
    const KernelRun kernel =
        run_on("ld.global.u32 %r5, [%rd1+-4]; st.global.u32 [%rd2], %r5;", 32, 32, {.vectors = vectors});
    std::vector<uint32_t> expected = from_one(31);
    expected.insert(expected.begin(), 0);
    EXPECT_EQ(out_of(kernel), expected);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
    EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
    EXPECT_EQ(kernel.outcome.hazards[0].message,
              "reads 4 bytes 4 bytes before the start of 'in'; check for a negative index");
    EXPECT_EQ(kernel.outcome.hazards[0].count, 1u);
    EXPECT_FALSE(kernel.outcome.stopped_in);
    EXPECT_EQ(kernel.sink.list[0].mask, 0xfffffffeu) << "the lane that is out of bounds is not counted";
  }
}

TEST(PassedOver, writes_beyond_the_end_are_dropped_and_counted_in_all_blocks) {
  // Of 4 blocks of 32 threads, those from thread 100 on write beyond the end.
  const KernelRun kernel =
      run_on("ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd2], %r5;", 128, 100, {}, {4, 1, 1});
  EXPECT_EQ(out_of(kernel), from_one(100));
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].count, 28u);
  EXPECT_EQ(kernel.outcome.hazards[0].block.x, 3u);
  EXPECT_EQ(kernel.outcome.hazards[0].thread.x, 4u);
}

TEST(PassedOver, each_instruction_is_reported_once_with_the_lowest_block) {
  const KernelRun kernel = run_on("ld.global.u32 %r5, [%rd1+4096]; st.global.u32 [%rd2+4096], %r5;", 128, 128,
                                  {.threads = 2}, {4, 1, 1});
  ASSERT_EQ(kernel.outcome.hazards.size(), 2u);
  for (const trace::Hazard& hazard : kernel.outcome.hazards) {
    EXPECT_EQ(hazard.count, 128u);
    EXPECT_EQ(hazard.block.x, 0u);
    EXPECT_EQ(hazard.thread.x, 0u);
  }
  EXPECT_THAT(kernel.outcome.hazards[0].message, HasSubstr("reads"));
  EXPECT_THAT(kernel.outcome.hazards[1].message, HasSubstr("writes"));
}

TEST(PassedOver, an_atomic_beyond_the_end_returns_0_to_each_lane) {
  const KernelRun kernel = run_on("atom.global.add.u32 %r5, [%rd1], 100; st.global.u32 [%rd2], %r5;", 30, 32);
  std::vector<uint32_t> expected = from_one(30);
  expected.resize(32);
  EXPECT_EQ(out_of(kernel), expected);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[0])[29], 130u);
}

TEST(PassedOver, lanes_of_a_vector_that_are_inside_are_read) {
  const KernelRun kernel = run_on(
      "add.u64 %rd1, %rd1, %rd3; ld.global.v2.u32 {%r5, %r6}, [%rd1]; add.u32 %r5, %r5, %r6; "
      "st.global.u32 [%rd2], %r5;",
      6, 32);
  std::vector<uint32_t> expected{1 + 2, 3 + 4, 5 + 6};
  expected.resize(32);
  EXPECT_EQ(out_of(kernel), expected);
}

TEST(PassedOver, a_null_pointer_reads_0) {
  const KernelRun kernel = run_on(
      "mov.u64 %rd4, 0; ld.global.u32 %r5, [%rd4]; add.u32 %r5, %r5, 7; "
      "st.global.u32 [%rd2], %r5;",
      32, 32);
  EXPECT_EQ(out_of(kernel), std::vector<uint32_t>(32, 7));
  EXPECT_EQ(kernel.outcome.hazards.size(), 1u);
}

TEST(PassedOver, shared_memory_beyond_its_end_reads_0) {
  const KernelRun kernel = run_on(
      ".shared .align 4 .b8 tile[64]; mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7; "
      "st.shared.u32 [%r6], 9; ld.shared.u32 %r5, [%r6]; st.global.u32 [%rd2], %r5;",
      32, 32);
  std::vector<uint32_t> expected(16, 9);
  expected.resize(32);
  EXPECT_EQ(out_of(kernel), expected);
  EXPECT_EQ(kernel.outcome.hazards.size(), 2u);
}

TEST(PassedOver, a_misaligned_access_stops_the_kernel_as_it_stops_a_gpu) {
  const KernelRun kernel = run_on(
      "setp.eq.u32 %p1, %r1, 31; @%p1 add.u64 %rd1, %rd1, -2; ld.global.u32 %r5, [%rd1+-4]; "
      "st.global.u32 [%rd2], %r5;",
      32, 32);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::Misaligned);
  EXPECT_TRUE(kernel.outcome.stopped_in);
}

TEST(PassedOver, each_engine_reports_the_same) {
  const auto messages = [](Engine engine, Checks checks) {
    const KernelRun kernel = run_on(
        "setp.gt.u32 %p1, %r1, 12; @%p1 bra far; ld.global.u32 %r5, [%rd1+-4]; bra.uni last; "
        "far: ld.global.u32 %r5, [%rd1+8000]; last: st.global.u32 [%rd2+256], %r5;",
        4096, 4096, {.checks = checks, .engine = engine}, {32, 1, 1}, {96, 1, 1});
    std::vector<std::string> texts;
    for (const trace::Hazard& hazard : kernel.outcome.hazards) texts.push_back(trace::sentence_of(hazard));
    return texts;
  };
  const auto reference = messages(Engine::Reference, Checks::None);
  // Threads 13 to 95 of each block read 2000 words ahead: from thread 2096 on that is beyond the 4096.
  // In blocks 22 to 31 all of these 83, in block 21 (from thread 2016 on) threads 80 to 95.
  EXPECT_THAT(reference,
              ElementsAre(HasSubstr("thread (0,0,0) of block (0,0,0) reads 4 bytes 4 bytes before"),
                          testing::AllOf(HasSubstr("thread (80,0,0) of block (21,0,0) reads"),
                                         HasSubstr("(one of 846 times)"))));
  for (const Engine engine : {Engine::Reference, Engine::Groups, Engine::Batches})
    for (const Checks checks : {Checks::None, Checks::All}) EXPECT_EQ(messages(engine, checks), reference);
}

}  // namespace
}  // namespace lanescope::emulator
