// Loads and stores: every space and width, what is recorded of them, and accesses that may not be made.

#include "emulator/memory/spare_buffers.h"
#include "emulator/schedule/pool.h"
#include "kernel_run.h"

#include <algorithm>
#include <numeric>

namespace lanescope::emulator {
namespace {

std::vector<uint32_t> counting(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0u);
  return values;
}

/// %rd1 and %rd2 are the buffers in and out, %r1 the thread, %rd3 the thread too.
KernelRun run_body(std::string_view body, const std::vector<uint32_t>& in, size_t out_words,
                   Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}, std::string_view before = "",
                   Options options = {}) {
  LaunchBuilder builder(grid, block);
  builder.buffer("in", in).buffer("out", std::vector<uint32_t>(out_words));
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(".param .u64 in, .param .u64 out",
                         fmt::format("ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, "
                                     "%tid.x; cvt.u64.u32 %rd3, %r1;\n{}\nret;",
                                     body),
                         before),
             builder.launch, options);
  return kernel;
}

TEST(Memory, an_affine_access_is_recorded_as_base_and_stride) {
  const KernelRun kernel = run_body(
      "mul.lo.u64 %rd4, %rd3, 12; add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r2, [%rd4+8]; shl.b64 %rd5, %rd3, "
      "2; "
      "add.u64 %rd5, %rd5, %rd2; st.global.u32 [%rd5], %r2;",
      counting(100), 32);
  ASSERT_EQ(kernel.sink.list.size(), 2u);
  const AccessList::Access& load = kernel.sink.list[0];
  EXPECT_TRUE(load.affine);
  EXPECT_EQ(load.operation, (trace::Operation{trace::Space::Global, trace::Kind::Load, 4}));
  EXPECT_EQ(load.mask, 0xffffffffu);
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(load.addresses[lane], trace::global_address(0, 12 * lane + 8));
  EXPECT_EQ(kernel.sink.list[1].addresses[3], trace::global_address(1, 12));
  EXPECT_EQ(kernel.sink.list[1].step, 1u);
  EXPECT_EQ(kernel.sink.list[1].site, 1u);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 3 * lane + 2);
}

TEST(Memory, addresses_are_read_before_the_destination_is_written) {
  const KernelRun kernel = run_body(
      "shl.b64 %rd4, %rd3, 3; add.u64 %rd4, %rd4, %rd1; ld.global.u64 %rd4, [%rd4]; cvt.u32.u64 %r2, %rd4; "
      "shl.b64 %rd5, %rd3, 2; add.u64 %rd5, %rd5, %rd2; st.global.u32 [%rd5], %r2;",
      counting(64), 32);
  EXPECT_EQ(kernel.sink.list[0].addresses[5], trace::global_address(0, 40));
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[1])[5], 10u);
}

TEST(Memory, a_vector_load_may_overwrite_its_own_address) {
  const KernelRun kernel = run_body(
      "shl.b64 %rd4, %rd3, 4; add.u64 %rd4, %rd4, %rd1; ld.global.v2.u64 {%rd4, %rd6}, [%rd4]; cvt.u32.u64 "
      "%r2, %rd6; "
      "shl.b64 %rd5, %rd3, 2; add.u64 %rd5, %rd5, %rd2; st.global.u32 [%rd5], %r2;",
      counting(128), 32);
  EXPECT_EQ(kernel.sink.list[0].operation.bytes_per_lane, 16);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[1])[5], 22u);
}

TEST(Memory, scattered_addresses_are_listed_in_lane_order) {
  const KernelRun kernel = run_body(
      "mul.lo.u32 %r2, %r1, 7; and.b32 %r2, %r2, 31; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, %rd1; "
      "ld.global.u32 %r3, [%rd4]; shl.b64 %rd5, %rd3, 2; add.u64 %rd5, %rd5, %rd2; setp.gt.u32 %p1, %r1, 27; "
      "@%p1 st.global.u32 [%rd4], %r3;"
      "st.global.u32 [%rd5], %r3;",
      counting(32), 32);
  ASSERT_EQ(kernel.sink.list.size(), 3u);
  EXPECT_FALSE(kernel.sink.list[0].affine);
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(kernel.sink.list[0].addresses[lane], trace::global_address(0, 4 * (7 * lane % 32)));
  EXPECT_EQ(kernel.sink.list[1].mask, 0xf0000000u);
  EXPECT_EQ(kernel.sink.list[1].addresses.size(), 4u);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[1])[9], 63u % 32);
}

TEST(Memory, values_are_what_was_read_and_written) {
  const KernelRun kernel = run_body(
      "setp.lt.u32 %p1, %r1, 3; shl.b64 %rd4, %rd3, 2; add.u64 %rd5, %rd4, %rd1; add.u64 %rd6, %rd4, %rd2; "
      "@%p1 ld.global.u32 %r2, [%rd5]; add.u32 %r2, %r2, 100; @%p1 st.global.u32 [%rd6], %r2;",
      counting(32), 32);
  EXPECT_EQ(kernel.sink.list[0].values, bytes_of(std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(kernel.sink.list[1].values, bytes_of(std::vector<uint32_t>{100, 101, 102}));
}

TEST(Memory, narrow_loads_fill_the_register_with_zeros_or_the_sign) {
  const std::vector<uint32_t> in{0x8081fffe};
  const auto word = [&](std::string_view load) {
    return values_of<uint32_t>(
        run_body(fmt::format("{} st.global.u32 [%rd2], %r2;", load), in, 1).outcome.buffers[1])[0];
  };
  EXPECT_EQ(word("ld.global.u8 %r2, [%rd1];"), 0xfeu);
  EXPECT_EQ(word("ld.global.s8 %r2, [%rd1];"), 0xfffffffeu);
  EXPECT_EQ(word("ld.global.u16 %r2, [%rd1+2];"), 0x8081u);
  EXPECT_EQ(word("ld.global.s16 %r2, [%rd1+2];"), 0xffff8081u);
  EXPECT_EQ(word("ld.global.s32 %rd4, [%rd1]; shr.u64 %rd4, %rd4, 32; cvt.u32.u64 %r2, %rd4;"), 0xffffffffu);
  EXPECT_EQ(word("ld.global.u32 %rd4, [%rd1]; shr.u64 %rd4, %rd4, 32; cvt.u32.u64 %r2, %rd4;"), 0u);
  EXPECT_EQ(word("ld.global.u8 %rs1, [%rd1+3]; cvt.u32.u16 %r2, %rs1;"), 0x80u);
}

TEST(Memory, narrow_stores_leave_their_neighbours_alone) {
  const KernelRun kernel = run_body(
      "mov.u32 %r2, 0x11223344; add.u64 %rd4, %rd2, %rd3; setp.eq.u32 %p1, %r1, 1; @%p1 st.global.u8 [%rd4], "
      "%r2; "
      "mov.u16 %rs1, 0x5566; setp.eq.u32 %p2, %r1, 2; @%p2 st.global.u16 [%rd4], %rs1;",
      {0}, 2);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[1])[0], 0x55664400u);
}

TEST(Memory, vectors_of_every_width) {
  const KernelRun kernel = run_body(
      "shl.b64 %rd4, %rd3, 4; add.u64 %rd5, %rd4, %rd1; add.u64 %rd6, %rd4, %rd2; ld.global.v4.f32 {%f1, "
      "%f2, %f3, %f4}, [%rd5]; "
      "st.global.v4.f32 [%rd6], {%f4, %f3, %f2, %f1};",
      counting(128), 128);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (uint32_t n = 0; n < 128; ++n) EXPECT_EQ(out[n], n / 4 * 4 + 3 - n % 4);
  const KernelRun bytes =
      run_body("ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd1]; st.global.v2.u8 [%rd2], {%rs4, %rs1};",
               {0x44332211}, 1);
  EXPECT_EQ(values_of<uint32_t>(bytes.outcome.buffers[1])[0], 0x1144u);
}

TEST(Memory, local_memory_is_each_threads_own_at_equal_offsets) {
  const KernelRun kernel = run_body(
      ".local .align 8 .b8 spill[16]; mov.u64 %rd4, spill; cvta.local.u64 %rd5, %rd4; st.local.u32 [%rd4+4], "
      "%r1; "
      "ld.u32 %r2, [%rd5+4]; shl.b64 %rd6, %rd3, 2; add.u64 %rd6, %rd6, %rd2; st.global.u32 [%rd6], %r2;",
      {0}, 64, {1, 1, 1}, {64, 1, 1});
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t);
  EXPECT_EQ(kernel.sink.list[0].operation.space, trace::Space::Local);
  EXPECT_EQ(kernel.sink.list[0].addresses, std::vector<uint64_t>(32, 4));
  EXPECT_EQ(kernel.sink.list[2].operation, (trace::Operation{trace::Space::Local, trace::Kind::Load, 4}));
}

TEST(Memory, a_generic_access_to_two_spaces_is_two_accesses_at_two_sites) {
  const KernelRun kernel = run_body(
      ".shared .u32 s[32]; mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4; shl.b64 %rd5, %rd3, 2; add.u64 %rd4, "
      "%rd4, %rd5; "
      "add.u64 %rd6, %rd2, %rd5; setp.lt.u32 %p1, %r1, 8; selp.b64 %rd7, %rd4, %rd6, %p1; st.u32 [%rd7], "
      "%r1; ld.u32 %r2, [%rd7];"
      "st.global.u32 [%rd6+128], %r2;",
      {0}, 64);
  ASSERT_EQ(kernel.sink.list.size(), 5u);
  EXPECT_EQ(kernel.sink.list[0].operation.space, trace::Space::Global);
  EXPECT_EQ(kernel.sink.list[0].mask, 0xffffff00u);
  EXPECT_EQ(kernel.sink.list[1].operation.space, trace::Space::Shared);
  EXPECT_EQ(kernel.sink.list[1].mask, 0xffu);
  EXPECT_EQ(kernel.sink.list[1].addresses[7], 28u);
  EXPECT_EQ(kernel.sink.list[1].site, kernel.sink.list[0].site + 1);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[32 + t], t);
}

TEST(Memory, constants_and_variables_hold_their_initial_values) {
  const std::string before =
      ".const .align 4 .u32 table[4] = {10, 20, 30}; .global .align 4 .u32 numbers[2] = {7, 8}; "
      ".global .align 8 .u64 pointer = generic(numbers);";
  const KernelRun kernel = run_body(
      "ld.const.u32 %r2, [table+8]; st.global.u32 [%rd2], %r2; ld.global.u64 %rd4, [pointer]; ld.u32 %r3, "
      "[%rd4+4]; "
      "st.global.u32 [%rd2+4], %r3; ld.const.u32 %r2, [table+12]; st.global.u32 [%rd2+8], %r2;",
      {0}, 3, {1, 1, 1}, {32, 1, 1}, before);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers.at(1)), (std::vector<uint32_t>{30, 8, 0}));
  EXPECT_EQ(kernel.sink.list[0].operation.space, trace::Space::Constant);
}

TEST(Memory, beyond_the_end_is_a_hazard_that_says_where_and_how_far) {
  const KernelRun kernel = run_body(
      "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r2, %r2, 32, %r1; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, "
      "%rd1;\n"
      "ld.global.u32 %r3, [%rd4];\nst.global.u32 [%rd2], %r3;",
      counting(70), 1, {4, 1, 1});
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  const trace::Hazard& hazard = kernel.outcome.hazards[0];
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.block, (Dim3{2, 0, 0}));
  EXPECT_EQ(hazard.thread, (Dim3{6, 0, 0}));
  EXPECT_EQ(
      hazard.message,
      "reads 4 bytes at in[70], byte 280 of 'in', 4 bytes beyond its end (it has 280); check the index");
  EXPECT_EQ(kernel.outcome.stopped_in, CtaId{2});
  // Neither the invalid access nor any later one of that warp is recorded.
  for (const AccessList::Access& access : kernel.sink.list) EXPECT_LT(access.cta, 2u);
}

TEST(Memory, a_pointer_into_nowhere_is_a_hazard) {
  for (const char* address : {"0", "64", "-8", "0x123456789abc"}) {
    const KernelRun kernel =
        run_body(fmt::format("mov.u64 %rd4, {}; st.global.u32 [%rd4], %r1;", address), {0}, 1);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u) << address;
    EXPECT_NE(kernel.outcome.hazards[0].message.find("where there is no buffer"), std::string::npos);
  }
}

/// Lane l reads word l of `even` or of `odd` and writes it, by 100 larger, to its own word there again.
TEST(Memory, lanes_of_one_access_may_access_several_buffers) {
  std::vector<uint32_t> even(32);
  std::vector<uint32_t> odd(32);
  for (uint32_t l = 0; l < 32; ++l) {
    even[l] = l;
    odd[l] = 1000 + l;
  }
  LaunchBuilder builder;
  builder.buffer("even", even).buffer("odd", odd);
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(
          ".param .u64 even, .param .u64 odd",
          "ld.param.u64 %rd1, [even]; ld.param.u64 %rd2, [odd]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; "
          "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd3, %rd1, %rd2, %p1; mul.wide.u32 %rd4, %r1, 4; "
          "add.u64 %rd3, %rd3, %rd4; ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, 100; "
          "st.global.u32 [%rd3], %r3; ret;"),
      builder.launch);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  const auto even_after = values_of<uint32_t>(kernel.outcome.buffers[0]);
  const auto odd_after = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(even_after[l], l % 2 == 0 ? l + 100 : l);
    EXPECT_EQ(odd_after[l], l % 2 == 0 ? 1000 + l : 1100 + l);
  }
  ASSERT_EQ(kernel.sink.list.size(), 2u) << "one request each";
  const AccessList::Access& load = kernel.sink.list[0];
  EXPECT_EQ(load.mask, 0xffffffffu);
  EXPECT_EQ(load.addresses[4], trace::global_address(0, 16));
  EXPECT_EQ(load.addresses[5], trace::global_address(1, 20));
  std::vector<uint32_t> loaded(32);
  ASSERT_EQ(load.values.size(), 128u);
  std::memcpy(loaded.data(), load.values.data(), 128);
  EXPECT_EQ(loaded[4], 4u);
  EXPECT_EQ(loaded[5], 1005u);
}

TEST(Memory, an_index_below_zero_is_a_hazard) {
  for (const char* pointer : {"%rd1", "%rd2"}) {
    const KernelRun kernel =
        run_body(fmt::format("add.u64 %rd4, {}, -4; st.global.u32 [%rd4], %r1;", pointer), {0}, 1);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
    EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
    EXPECT_NE(kernel.outcome.hazards[0].message.find("4 bytes before the start of '"), std::string::npos)
        << kernel.outcome.hazards[0].message;
  }
}

TEST(Memory, below_zero_of_shared_and_local_memory_is_a_hazard) {
  for (const char* body :
       {".shared .u32 s[64]; mov.u64 %rd4, s; ld.shared.u32 %r2, [%rd4+-4];",
        ".shared .u32 s[64]; mov.u64 %rd4, s; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd4, %rd4, %rd5; "
        "ld.shared.u32 %r2, [%rd4+-4];",
        ".shared .u32 s[64]; mov.u32 %r3, s; ld.shared.u32 %r2, [%r3+-4];",
        ".local .u32 l[4]; mov.u64 %rd4, l; ld.local.u32 %r2, [%rd4+-4];"}) {
    const KernelRun kernel = run_body(body, {0}, 1);
    ASSERT_EQ(kernel.outcome.hazards.size(), 1u) << body;
    EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
    EXPECT_EQ(kernel.outcome.hazards[0].thread, (Dim3{0, 0, 0}));
    EXPECT_NE(kernel.outcome.hazards[0].message.find("reads 4 bytes 4 bytes before the start of"),
              std::string::npos)
        << kernel.outcome.hazards[0].message;
  }
}

TEST(Memory, what_is_wrong_with_a_pointer_is_said) {
  const auto message_of = [](std::string_view body, const char* before = "") {
    const KernelRun kernel = run_body(std::string(body), {0}, 1, {1, 1, 1}, {32, 1, 1}, before);
    return kernel.outcome.hazards.size() == 1 ? kernel.outcome.hazards[0].message : std::string();
  };
  EXPECT_NE(message_of("mov.u64 %rd4, 16; ld.global.u32 %r2, [%rd4];").find("a null pointer"),
            std::string::npos);
  EXPECT_NE(
      message_of(".shared .u32 s[4]; mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4; ld.global.u32 %r2, [%rd4];")
          .find("it is one of shared memory"),
      std::string::npos);
  EXPECT_NE(message_of(".local .u32 l[4]; mov.u64 %rd4, l; ld.local.u32 %r2, [%rd4+16];")
                .find("of its local memory"),
            std::string::npos);
  EXPECT_NE(message_of("mov.u32 %r2, s; st.shared.u32 [%r2], %r1;", ".extern .shared .align 4 .b8 s[];")
                .find("give it some: <<<grid, block, BYTES>>>, or --shared BYTES"),
            std::string::npos);
  // Another kernel of the file declares s; this one has an array of its own.
  const std::string own =
      message_of(".shared .align 4 .b8 own[128]; mov.u32 %r2, own; st.shared.u32 [%r2+128], %r1;",
                 ".extern .shared .align 4 .b8 s[];");
  EXPECT_EQ(own,
            "writes index 32 of 'own' in shared memory, which has 32 elements of 4 bytes; check the index");
  EXPECT_NE(message_of("st.global.u32 [_ZN1a5innerE+4], %r1;", ".global .align 4 .b8 _ZN1a5innerE[4];")
                .find("of 'a::inner'"),
            std::string::npos);
}

TEST(Memory, shared_and_local_bounds_are_checked) {
  const KernelRun shared = run_body(
      ".shared .u32 s[31]; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], "
      "%r1;",
      {0}, 1);
  ASSERT_EQ(shared.outcome.hazards.size(), 1u);
  EXPECT_EQ(shared.outcome.hazards[0].thread, (Dim3{31, 0, 0}));
  const KernelRun local = run_body(".local .u32 l[4]; mov.u64 %rd4, l; st.local.u32 [%rd4+16], %r1;", {0}, 1);
  ASSERT_EQ(local.outcome.hazards.size(), 1u);
  EXPECT_EQ(local.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
}

TEST(Memory, a_misaligned_access_is_a_hazard) {
  const KernelRun kernel = run_body(
      "setp.eq.u32 %p1, %r1, 9; selp.b64 %rd4, 2, 0, %p1; add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r2, "
      "[%rd4];",
      counting(4), 1);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::Misaligned);
  EXPECT_EQ(kernel.outcome.hazards[0].thread, (Dim3{9, 0, 0}));
  const KernelRun wide = run_body("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+8];", counting(16), 1);
  ASSERT_EQ(wide.outcome.hazards.size(), 1u);
  EXPECT_EQ(wide.outcome.hazards[0].kind, trace::HazardKind::Misaligned);
}

TEST(Memory, lanes_far_apart_may_be_aligned_though_their_stride_is_not) {
  // Lanes 0 and 16, 128 bytes apart: 8 bytes per lane, and every access of 16 bytes is aligned.
  const KernelRun kernel = run_body(
      "and.b32 %r2, %r1, 15; setp.eq.u32 %p1, %r2, 0; shl.b64 %rd4, %rd3, 3; add.u64 %rd4, %rd4, %rd2; "
      "@%p1 st.global.v4.u32 [%rd4], {%r1, %r1, %r1, %r1};",
      {0}, 36);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  ASSERT_EQ(kernel.sink.list.size(), 1u);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[1])[35], 16u);
}

TEST(Memory, a_lane_that_is_masked_out_may_hold_any_address) {
  const KernelRun kernel = run_body(
      "setp.lt.u32 %p1, %r1, 1; shl.b64 %rd4, %rd3, 40; add.u64 %rd4, %rd4, %rd1; @%p1 ld.global.u32 %r2, "
      "[%rd4];",
      {5}, 1);
  EXPECT_TRUE(kernel.outcome.hazards.empty());
  EXPECT_EQ(kernel.sink.list[0].mask, 1u);
}

TEST(Memory, a_buffer_that_is_only_read_is_not_copied) {
  const KernelRun kernel = run_body("ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2], %r2;", {5}, 1);
  LaunchBuilder builder;
  builder.buffer("in", std::vector<uint32_t>{5}).buffer("out", std::vector<uint32_t>{0});
  KernelRun again;
  run_kernel(again,
             kernel_text(".param .u64 in, .param .u64 out",
                         "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.global.u32 %r2, [%rd1]; "
                         "st.global.u32 [%rd2], %r2; ret;"),
             builder.launch);
  EXPECT_EQ(again.outcome.buffers[0], builder.launch.buffers[0].initial);
  EXPECT_NE(again.outcome.buffers[1], builder.launch.buffers[1].initial);
  EXPECT_EQ(values_of<uint32_t>(builder.launch.buffers[1].initial)[0], 0u);
}

TEST(Memory, parameters_end_where_the_last_does) {
  LaunchBuilder builder;
  builder.buffer("out", std::vector<uint32_t>(32))
      .value(std::array<uint32_t, 4>{1, 2, 3, 4})
      .value(uint32_t{7});
  const auto read_at = [&](int offset) {
    KernelRun kernel;
    run_kernel(kernel,
               kernel_text(".param .u64 out, .param .align 4 .b8 s[16], .param .u32 last",
                           fmt::format("mov.b64 %rd3, s; add.u64 %rd3, %rd3, {}; ld.param.u32 %r1, [%rd3]; "
                                       "ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r1; ret;",
                                       offset)),
               builder.launch);
    return kernel;
  };
  EXPECT_EQ(values_of<uint32_t>(read_at(16).outcome.buffers.at(0))[0], 7u) << "the next parameter";
  const KernelRun past_end = read_at(20);
  ASSERT_EQ(past_end.outcome.hazards.size(), 1u);
  EXPECT_EQ(past_end.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
}

/// On as many threads as the pool has.
TEST(SpareBuffers, a_large_buffer_of_a_pool_is_copied_whole) {
  launch::Bytes bytes((size_t{48} << 20) + 5);
  for (size_t n = 0; n < bytes.size(); n += 1000) bytes[n] = std::byte{static_cast<uint8_t>(n / 1000)};
  Pool pool(3);
  EXPECT_EQ(*pool.spare_buffers().copy_of(bytes), bytes);
}

/// Zeros are not copied to memory that has them already, but to memory that is used again.
TEST(SpareBuffers, zeros_replace_what_was_there_before) {
  launch::Bytes bytes(3 * 4096 + 7);
  bytes[4096 + 4095] = std::byte{1};  // in a page of zeros otherwise
  bytes[3 * 4096 + 6] = std::byte{2};
  Pool pool(1);
  auto copy = pool.spare_buffers().copy_of(bytes);
  EXPECT_EQ(*copy, bytes);
  const std::byte* const place = copy->data();
  std::ranges::fill(*copy, std::byte{9});
  copy.reset();
  copy = pool.spare_buffers().copy_of(bytes);
  EXPECT_EQ(copy->data(), place);
  EXPECT_EQ(*copy, bytes);
}

TEST(SpareBuffers, zeros_are_zeros_in_memory_that_is_used_again) {
  Pool pool(1);
  auto buffer = pool.spare_buffers().zeros(5000);
  EXPECT_EQ(*buffer, launch::Bytes(5000, std::byte{0}));
  const std::byte* const place = buffer->data();
  std::ranges::fill(*buffer, std::byte{9});
  buffer.reset();
  buffer = pool.spare_buffers().zeros(5000);
  EXPECT_EQ(buffer->data(), place);
  EXPECT_EQ(*buffer, launch::Bytes(5000, std::byte{0}));
}

TEST(SpareBuffers, memory_that_nobody_owns_any_more_is_used_again) {
  const launch::Bytes bytes(5000, std::byte{1});
  std::shared_ptr<launch::Bytes> survivor;
  {
    SpareBuffers spare([](std::byte* to, const std::byte* from, size_t size, SpareBuffers::Before) {
      std::memcpy(to, from, size);
    });
    auto first = spare.copy_of(bytes);
    EXPECT_EQ(*first, bytes);
    const std::byte* const place = first->data();
    (*first)[3] = std::byte{7};
    survivor = spare.copy_of(bytes);
    EXPECT_NE(survivor->data(), place);
    first.reset();
    EXPECT_NE(spare.copy_of(launch::Bytes(4999))->data(), place);  // of another size
    const auto again = spare.copy_of(bytes);
    EXPECT_EQ(again->data(), place);
    EXPECT_EQ(*again, bytes);
  }
  EXPECT_EQ(*survivor, bytes);
}

}  // namespace
}  // namespace lanescope::emulator
