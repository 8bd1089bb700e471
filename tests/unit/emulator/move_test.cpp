// Moves, packing, generic addresses, special registers, parameters.

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

/// Runs a kernel in which every thread leaves a 32-bit word in %r1; [block][thread] in a row.
std::vector<uint32_t> words_of(std::string_view body, Dim3 grid, Dim3 block, std::string_view before = "",
                               uint32_t dynamic_shared_bytes = 0) {
  LaunchBuilder builder(grid, block);
  builder.buffer("out", std::vector<uint32_t>(volume(grid) * volume(block)));
  builder.launch.dynamic_shared_bytes = dynamic_shared_bytes;
  const std::string text = fmt::format(
      "{}\nld.param.u64 %rd50, [out]; mov.u32 %r50, %tid.x; mov.u32 %r51, %tid.y; mov.u32 %r52, %tid.z;\n"
      "mov.u32 %r53, %ntid.x; mov.u32 %r54, %ntid.y; mov.u32 %r55, %ntid.z; mov.u32 %r56, %ctaid.x; mov.u32 "
      "%r57, "
      "%ctaid.y;\n mov.u32 %r58, %nctaid.x; mad.lo.u32 %r59, %r58, %r57, %r56; mad.lo.u32 %r59, %r59, %r55, "
      "%r52;\n"
      "mad.lo.u32 %r59, %r59, %r54, %r51; mad.lo.u32 %r59, %r59, %r53, %r50;\n"
      "mul.wide.u32 %rd51, %r59, 4; add.u64 %rd50, %rd50, %rd51; st.global.u32 [%rd50], %r1; ret;",
      body);
  KernelRun kernel;
  run_kernel(kernel, kernel_text(".param .u64 out", text, before), builder.launch);
  if (kernel.outcome.buffers.empty()) return {};
  return values_of<uint32_t>(kernel.outcome.buffers[0]);
}

TEST(Move, vectors_pack_low_element_first) {
  EXPECT_EQ(evaluate<uint64_t>("mov.b64 %d, {%a, %b};", 0x11111111u, 0x22222222u), 0x2222222211111111u);
  EXPECT_EQ(evaluate<uint32_t>("mov.b32 %d, {%a, %b};", uint16_t{0x1111}, uint16_t{0x2222}), 0x22221111u);
  EXPECT_EQ(evaluate<uint32_t>("mov.b64 {%r1, %d}, %a;", 0x2222222211111111u), 0x22222222u);
  EXPECT_EQ(evaluate<uint32_t>("mov.b64 {_, %d}, %a;", 0x2222222211111111u), 0x22222222u);
  EXPECT_EQ(evaluate<uint16_t>("mov.b32 {%d, %rs1}, %a;", 0x22221111u), 0x1111);
  EXPECT_EQ(
      evaluate<uint64_t>("mov.b64 %d, {%a, %b, %c, %e};", uint16_t{1}, uint16_t{2}, uint16_t{3}, uint16_t{4}),
      0x0004000300020001u);
}

TEST(Move, constants_of_every_type) {
  EXPECT_EQ(evaluate<uint64_t>("mov.u64 %d, -1;"), ~uint64_t{0});
  EXPECT_EQ(evaluate<float>("mov.f32 %d, 0f3F800000;"), 1.0f);
  EXPECT_EQ(evaluate<double>("mov.f64 %d, 0d3FF0000000000000;"), 1.0);
  EXPECT_EQ(evaluate<uint16_t>("mov.u16 %d, 0x1234;"), 0x1234);
  EXPECT_EQ(evaluate<uint32_t>("add.s32 %d, %a, -8;", 3u), static_cast<uint32_t>(-5));
}

TEST(Move, special_registers_name_thread_and_block) {
  const Dim3 block{5, 3, 4};
  const Dim3 grid{3, 2, 1};
  for (const auto& [name, of] :
       {std::pair<const char*, uint32_t (*)(Dim3, Dim3)>{"tid.x", [](Dim3, Dim3 thread) { return thread.x; }},
        {"tid.y", [](Dim3, Dim3 thread) { return thread.y; }},
        {"tid.z", [](Dim3, Dim3 thread) { return thread.z; }},
        {"ctaid.x", [](Dim3 cta, Dim3) { return cta.x; }},
        {"ctaid.y", [](Dim3 cta, Dim3) { return cta.y; }},
        {"ntid.x", [](Dim3, Dim3) { return 5u; }},
        {"ntid.z", [](Dim3, Dim3) { return 4u; }},
        {"nctaid.x", [](Dim3, Dim3) { return 3u; }},
        {"nctaid.y", [](Dim3, Dim3) { return 2u; }}}) {
    const auto words = words_of(fmt::format("mov.u32 %r1, %{};", name), grid, block);
    ASSERT_EQ(words.size(), 6u * 60u);
    for (uint64_t n = 0; n < words.size(); ++n)
      EXPECT_EQ(words[n], of(position_of(n / 60, grid), position_of(n % 60, block))) << name << " " << n;
  }
}

TEST(Move, special_registers_name_lane_and_warp) {
  const auto lane = words_of("mov.u32 %r1, %laneid;", {1, 1, 1}, {48, 2, 1});
  const auto warp = words_of("mov.u32 %r1, %warpid;", {1, 1, 1}, {48, 2, 1});
  const auto below = words_of("mov.u32 %r1, %lanemask_lt;", {1, 1, 1}, {48, 2, 1});
  const auto above = words_of("mov.u32 %r1, %lanemask_gt;", {1, 1, 1}, {48, 2, 1});
  for (uint32_t n = 0; n < 96; ++n) {
    EXPECT_EQ(lane[n], n % 32);
    EXPECT_EQ(warp[n], n / 32);
    EXPECT_EQ(below[n], (uint64_t{1} << n % 32) - 1);
    EXPECT_EQ(above[n], ~static_cast<uint32_t>((uint64_t{2} << n % 32) - 1));
  }
}

TEST(Move, a_clock_rises) {
  const auto words =
      words_of("mov.u32 %r2, %clock; mov.u64 %rd1, %clock64; cvt.u32.u64 %r3, %rd1; sub.u32 %r1, %r3, %r2;",
               {1, 1, 1}, {64, 1, 1});
  for (const uint32_t difference : words) EXPECT_GT(difference, 0u);
}

TEST(Move, a_clock_advances_with_the_instructions_that_the_block_issues) {
  const auto straight = words_of(
      "mov.u32 %r2, %clock; add.u32 %r4, %r2, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; mov.u32 %r3, "
      "%clock; "
      "sub.u32 %r1, %r3, %r2;",
      {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(straight[0], 4u);
  const auto loop = words_of(
      "mov.u32 %r2, %clock; mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 100; @%p1 bra L; "
      "mov.u32 %r3, %clock; sub.u32 %r1, %r3, %r2;",
      {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(loop[0], 302u);
}

TEST(Move, generic_addresses_lead_back_to_their_space) {
  const std::string before = ".global .align 4 .u32 counter[4];";
  const std::string body =
      ".shared .align 4 .b8 tile[128]; .local .align 4 .b8 spill[16];\n"
      "mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; isspacep.shared %p1, %rd2; isspacep.global %p2, "
      "%rd2;\n"
      "mov.u64 %rd3, spill; cvta.local.u64 %rd4, %rd3; isspacep.local %p3, %rd4; isspacep.shared %p4, %rd4;\n"
      "mov.u64 %rd5, counter; cvta.global.u64 %rd6, %rd5; isspacep.global %p5, %rd6;\n"
      "cvta.to.shared.u64 %rd7, %rd2; setp.eq.u64 %p6, %rd7, %rd1; isspacep.global %p7, 0;\n"
      "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %r1, %r1, %r2; selp.u32 %r2, 4, 0, %p3; "
      "or.b32 %r1, "
      "%r1, %r2;\n selp.u32 %r2, 8, 0, %p4; or.b32 %r1, %r1, %r2; selp.u32 %r2, 16, 0, %p5; or.b32 %r1, %r1, "
      "%r2;\n"
      "selp.u32 %r2, 32, 0, %p6; or.b32 %r1, %r1, %r2; selp.u32 %r2, 64, 0, %p7; or.b32 %r1, %r1, %r2;";
  for (const uint32_t word : words_of(body, {1, 1, 1}, {32, 1, 1}, before)) EXPECT_EQ(word, 1u + 4 + 16 + 32);
}

TEST(Move, dynamic_shared_memory_starts_after_the_static) {
  const std::string before = ".extern .shared .align 16 .b8 dynamic[];";
  const std::string body = ".shared .align 4 .b8 tile[100]; mov.u32 %r1, dynamic;";
  for (const uint32_t word : words_of(body, {1, 1, 1}, {32, 1, 1}, before, 64)) EXPECT_EQ(word, 112u);
  EXPECT_EQ(words_of("mov.u32 %r2, dynamic; mov.u32 %r1, %total_smem_size; .shared .align 4 .b8 tile[100]; "
                     "mov.u32 %r2, tile;",
                     {1, 1, 1}, {32, 1, 1}, before, 64)[0],
            176u);
}

TEST(Move, parameters_are_read_at_their_offsets) {
  LaunchBuilder builder;
  builder.value(uint8_t{7})
      .value(uint16_t{300})
      .value(uint64_t{1} << 40)
      .value(std::array<uint32_t, 3>{10, 20, 30});
  builder.buffer("out", std::vector<uint64_t>(5));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(".param .u8 a, .param .u16 b, .param .u64 c, .param .align 4 .b8 s[12], .param .u64 out",
                  "ld.param.u64 %rd1, [out]; ld.param.u8 %rs1, [a]; cvt.u64.u16 %rd2, %rs1; st.global.u64 "
                  "[%rd1], %rd2;\n"
                  "ld.param.u16 %rs1, [b]; cvt.u64.u16 %rd2, %rs1; st.global.u64 [%rd1+8], %rd2;\n"
                  "ld.param.u64 %rd2, [c]; st.global.u64 [%rd1+16], %rd2;\n"
                  "ld.param.u32 %rd2, [s+8]; st.global.u64 [%rd1+24], %rd2;\n"
                  "mov.b64 %rd3, s; add.u64 %rd3, %rd3, 4; ld.param.u32 %rd2, [%rd3]; st.global.u64 "
                  "[%rd1+32], %rd2; ret;"),
      builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
  EXPECT_EQ(values_of<uint64_t>(kernel.outcome.buffers[0]),
            (std::vector<uint64_t>{7, 300, uint64_t{1} << 40, 30, 20}));
}

TEST(Move, a_predicate_can_be_negated_on_the_way) {
  EXPECT_TRUE(evaluate_truth("mov.pred %d, %a;", Truth{1}));
  EXPECT_FALSE(evaluate_truth("mov.pred %d, !%a;", Truth{1}));
  EXPECT_TRUE(evaluate_truth("mov.pred %d, !%a;", Truth{0}));
}

}  // namespace
}  // namespace lanescope::emulator
