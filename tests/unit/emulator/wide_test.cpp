// Values of 128 bits: registers, memory, atomics. Results of an H200: tests/data/probes.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

/// One warp; %rd2 is the lane's 32 bytes of `data`, whose 64-bit words count up from 0, and %r1 the lane.
/// Words of the buffer afterwards.
std::vector<uint64_t> run_on_words(std::string_view body, KernelRun& kernel, uint32_t threads = 32) {
  std::vector<uint64_t> words(4 * 32);
  for (size_t n = 0; n < words.size(); ++n) words[n] = n;
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("data", words);
  run_kernel(kernel,
             kernel_text(".param .u64 data",
                         fmt::format(".reg .b128 %q<8>;\nld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x;\n"
                                     "mul.wide.u32 %rd2, %r1, 32; add.u64 %rd2, %rd1, %rd2;\n{}\nret;",
                                     body)),
             builder.launch);
  if (kernel.outcome.buffers.empty()) return words;
  return values_of<uint64_t>(kernel.outcome.buffers[0]);
}
std::vector<uint64_t> run_on_words(std::string_view body) {
  KernelRun kernel;
  auto words = run_on_words(body, kernel);
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return words;
}

TEST(Wide, a_register_is_made_of_a_low_and_a_high_half) {
  const auto words = run_on_words(
      "mov.b64 %rd3, 0x1111; mov.b64 %rd4, 0x2222; mov.b128 %q1, {%rd3, %rd4}; mov.b128 %q2, %q1;\n"
      "mov.b128 {%rd5, %rd6}, %q2; st.global.u64 [%rd2], %rd5; st.global.u64 [%rd2+8], %rd6;\n"
      "mov.b128 {_, %rd7}, %q2; st.global.u64 [%rd2+16], %rd7;");
  EXPECT_EQ(words[4 * 31], 0x1111u);
  EXPECT_EQ(words[4 * 31 + 1], 0x2222u);
  EXPECT_EQ(words[4 * 31 + 2], 0x2222u);
  EXPECT_EQ(words[4 * 31 + 3], 127u);
}

TEST(Wide, a_copy_is_one_request_of_16_bytes_each_way) {
  KernelRun kernel;
  const auto words = run_on_words("ld.global.b128 %q1, [%rd2+16]; st.global.b128 [%rd2], %q1;", kernel);
  EXPECT_EQ(words[4 * 5], 22u);
  EXPECT_EQ(words[4 * 5 + 1], 23u);
  ASSERT_EQ(kernel.sink.list.size(), 2u);
  EXPECT_EQ(kernel.sink.list[0].operation, (trace::Operation{trace::Space::Global, trace::Kind::Load, 16}));
  EXPECT_EQ(kernel.sink.list[1].operation, (trace::Operation{trace::Space::Global, trace::Kind::Store, 16}));
}

TEST(Wide, lanes_that_do_not_take_part_keep_what_they_had) {
  const auto words = run_on_words(
      "ld.global.b128 %q1, [%rd2]; setp.lt.u32 %p1, %r1, 3; @%p1 ld.global.b128 %q1, [%rd2+16];\n"
      "st.global.b128 [%rd2], %q1;");
  EXPECT_EQ(words[4 * 2], 10u);
  EXPECT_EQ(words[4 * 3], 12u);
}

TEST(Wide, an_address_is_a_multiple_of_16) {
  KernelRun kernel;
  run_on_words("ld.global.b128 %q1, [%rd2+8]; st.global.b128 [%rd2], %q1;", kernel);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::Misaligned);
}

TEST(Wide, an_exchange_gives_what_was_there_lane_after_lane) {
  // All lanes exchange at one place: lane n gets what lane n - 1 left, the first lane what was there.
  const auto words = run_on_words(
      "cvt.u64.u32 %rd3, %r1; mov.b64 %rd4, 77; mov.b128 %q1, {%rd3, %rd4};\n"
      "atom.global.exch.b128 %q2, [%rd1+1008], %q1; mov.b128 {%rd5, %rd6}, %q2;\n"
      "setp.eq.u32 %p1, %r1, 31; @%p1 bra DONE; st.global.u64 [%rd2], %rd5; st.global.u64 [%rd2+8], %rd6; "
      "DONE:");
  EXPECT_EQ(words[0], 126u);
  EXPECT_EQ(words[1], 127u);
  EXPECT_EQ(words[4 * 7], 6u);
  EXPECT_EQ(words[4 * 7 + 1], 77u);
  EXPECT_EQ(words[126], 31u);
}

TEST(Wide, a_comparison_of_both_halves_decides_who_swaps) {
  // Lane 4 compares with (16, 17), which is there; the others' high half is wrong.
  const auto words = run_on_words(
      "cvt.u64.u32 %rd3, %r1; shl.b64 %rd3, %rd3, 2; add.u64 %rd4, %rd3, 1; setp.ne.u32 %p1, %r1, 4;\n"
      "@%p1 add.u64 %rd4, %rd4, 1; mov.b128 %q1, {%rd3, %rd4}; mov.b64 %rd5, 1000; mov.b128 %q2, {%rd5, "
      "%rd5};\n"
      "atom.global.cas.b128 %q3, [%rd2], %q1, %q2; mov.b128 {%rd6, %rd7}, %q3; st.global.u64 [%rd2+16], "
      "%rd7;");
  EXPECT_EQ(words[16], 1000u);
  EXPECT_EQ(words[17], 1000u);
  EXPECT_EQ(words[18], 17u);
  EXPECT_EQ(words[20], 20u);
  EXPECT_EQ(words[21], 21u);
  EXPECT_EQ(words[22], 21u);
}

TEST(Wide, sums_of_blocks_by_compare_and_swap_lose_nothing) {
  const Result<ptx::Program> program = program_of(kernel_text(
      ".param .u64 data",
      ".reg .b128 %q<8>;\nld.param.u64 %rd1, [data]; ld.global.b128 %q1, [%rd1];\n"
      "AGAIN: mov.b128 {%rd3, %rd4}, %q1; add.u64 %rd5, %rd3, 1; sub.u64 %rd6, %rd4, 1;\n"
      "mov.b128 %q2, {%rd5, %rd6}; atom.global.cas.b128 %q3, [%rd1], %q1, %q2; mov.b128 {%rd7, %rd8}, %q3;\n"
      "mov.b128 %q1, %q3; setp.ne.u64 %p1, %rd7, %rd3; @%p1 bra AGAIN; ret;"));
  ASSERT_TRUE(program) << describe(program.error());
  LaunchBuilder builder({64, 1, 1}, {32, 1, 1});
  builder.buffer("data", std::vector<uint64_t>{0, 5000});
  NoValuesSink sink;
  Pool pool(4);
  const auto outcome =
      run(*program, builder.launch, [&](unsigned) -> trace::Sink& { return sink; }, {.pool = &pool});
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(values_of<uint64_t>(outcome->buffers[0]), (std::vector<uint64_t>{2048, 5000 - 2048}));
}

TEST(Wide, what_ptx_does_not_have_is_refused) {
  for (const char* body :
       {"add.b128 %q1, %q1, %q1; ret;", "ld.global.u64 %q1, [%rd1]; ret;", "mov.b128 %q1, %rd1; ret;",
        "mov.b128 %q1, {%r1, %r1, %r1, %r1}; ret;", "atom.global.or.b128 %q1, [%rd1], %q2; ret;"}) {
    EXPECT_FALSE(program_of(kernel_text("", fmt::format(".reg .b128 %q<8>;\n{}", body)))) << body;
  }
}

}  // namespace
}  // namespace lanescope::emulator
