// Accesses to shared memory outside the array from which their address is computed, and to global memory far
// from the buffer to which their pointer leads. Hand-computed.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

// Shared memory: `bins` at 0, 128 bytes; `other` at 128, 64 bytes; `rest` at 192, as much as the launch
// gives.
constexpr std::string_view kArrays =
    ".shared .align 4 .b8 bins[128];\n.shared .align 4 .b8 other[64];\n.extern .shared .align 4 .b8 rest[];";

/// Of a kernel with the thread in %r1, its address in `bins` in %r2 and in `rest` in %r3, and 64 bytes of
/// dynamic shared memory. All words are written first, by symbols.
Checked check(std::string_view body, uint32_t threads = 32) {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(256)).value(uint64_t{64});
  builder.launch.dynamic_shared_bytes = 64;
  return check_kernel(
      kernel_text(
          ".param .u64 out, .param .u64 far",
          fmt::format("mov.u32 %r1, %tid.x; shl.b32 %r4, %r1, 2; mov.u32 %r2, bins; add.u32 %r2, %r2, %r4;\n"
                      "mov.u32 %r3, rest; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [far];\n"
                      "st.shared.u32 [%r2], %r1; mov.u32 %r5, other; add.u32 %r5, %r5, %r4;\n"
                      "setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.u32 [%r5], %r1; add.u32 %r6, %r3, %r4;\n"
                      "@%p1 st.shared.u32 [%r6], %r1; bar.sync 0;\n{}\nret;",
                      body),
          kArrays),
      builder.launch);
}

std::string message_of(std::string_view body, uint32_t threads = 32) {
  const Checked checked = check(body, threads);
  return checked.hazards.size() == 1 && checked.hazards[0].kind == trace::HazardKind::OutOfBounds
             ? text_of(checked.hazards[0])
             : testing::PrintToString(texts_of(checked.hazards));
}
void expect_beyond(std::string_view body, std::string_view sentence) {
  EXPECT_NE(message_of(body).find(sentence), std::string::npos) << body << "\n" << message_of(body);
}
void expect_correct(std::string_view body) {
  EXPECT_EQ(texts_of(check(body).hazards), std::vector<std::string>{}) << body;
}

TEST(OwnArray, an_index_into_the_next_array_is_told_as_that) {
  expect_beyond("ld.shared.u32 %r7, [%r2+36];",
                "reads index 32 of 'bins' in shared memory, which has 32 elements of 4 bytes, and reaches "
                "'other'; check the index");
  expect_beyond("ld.shared.u32 %r7, [%r2+160];",
                "reads index 40 of 'bins' in shared memory, which has 32 elements of 4 bytes, and reaches "
                "'other'; check the index");
  expect_beyond("mov.u32 %r7, bins; st.shared.u8 [%r7+191], %r1;",
                "writes index 191 of 'bins' in shared memory, which has 128 elements of 1 bytes, and reaches "
                "'other'");
  expect_beyond("mov.u32 %r7, other; ld.shared.u32 %r8, [%r7+64];",
                "reads index 16 of 'other' in shared memory, which has 16 elements of 4 bytes, and reaches "
                "dynamic shared memory");
  expect_beyond(
      "mov.u32 %r7, other; ld.shared.u32 %r8, [%r7+-4];",
      "reads 4 bytes 4 bytes before the start of 'other' in shared memory, and reaches 'bins'; check "
      "for a negative index");
  expect_beyond("ld.shared.u32 %r7, [%r3+-8];",
                "reads 4 bytes 8 bytes before the start of dynamic shared memory, and reaches 'other'");
  expect_beyond("mov.u32 %r7, bins; red.shared.add.u32 [%r7+128], 1;",
                "updates index 32 of 'bins' in shared memory, which has 32 elements of 4 bytes, and reaches "
                "'other'");
}

TEST(OwnArray, so_is_one_through_a_generic_pointer_or_in_some_lanes) {
  expect_beyond("mov.u64 %rd3, bins; cvta.shared.u64 %rd3, %rd3; ld.u32 %r7, [%rd3+128];",
                "reads index 32 of 'bins'");
  expect_beyond("setp.eq.u32 %p2, %r1, 31; @%p2 ld.shared.u32 %r7, [%r2+4];", "reads index 32 of 'bins'");
  // Without a rule: the square of the lane, 36 and more from lane 6 on.
  expect_beyond(
      "mul.lo.u32 %r7, %r1, %r1; shl.b32 %r9, %r7, 2; mov.u32 %r8, bins; add.u32 %r10, %r9, %r8; "
      "ld.shared.u32 %r11, [%r10];",
      "thread 6 x1: reads index 36 of 'bins'");
}

TEST(OwnArray, in_a_loop_the_pointer_keeps_its_array) {
  expect_beyond(
      "mov.u32 %r7, bins; mov.u32 %r9, 0; L: ld.shared.u32 %r8, [%r7]; add.u32 %r7, %r7, 4; add.u32 "
      "%r9, %r9, 1; setp.lt.u32 %p2, %r9, 33; @%p2 bra L;",
      "reads index 32 of 'bins'");
}

TEST(OwnArray, everything_that_may_be_meant_is_correct) {
  // The whole of each array, and dynamic memory to its end.
  expect_correct(
      "ld.shared.u32 %r7, [%r2]; mov.u32 %r8, other; ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r8+48]; "
      "ld.shared.u32 %r7, [%r3+60];");
  // A pointer to one of two arrays, by a selection or from two branches.
  expect_correct(
      "setp.lt.u32 %p2, %r1, 16; mov.u32 %r7, bins; mov.u32 %r8, other; selp.b32 %r7, %r7, %r8, %p2; "
      "add.u32 %r7, %r7, 128; setp.gt.u32 %p3, %r1, 15; @%p3 sub.u32 %r7, %r7, 128; ld.shared.u32 %r9, "
      "[%r7];");
  expect_correct(
      "setp.lt.u32 %p2, %r1, 16; mov.u32 %r7, bins; @%p2 mov.u32 %r7, other; ld.shared.u32 %r9, [%r7+64];");
  // A distance between two arrays, and one between two places of one.
  expect_correct(
      "mov.u32 %r7, bins; mov.u32 %r8, other; sub.u32 %r9, %r8, %r7; add.u32 %r7, %r7, %r9; "
      "ld.shared.u32 %r9, [%r7];");
  expect_correct(
      "mov.u32 %r7, bins; sub.u32 %r9, %r2, %r7; mov.u32 %r8, other; and.b32 %r9, %r9, 63; add.u32 "
      "%r8, %r8, %r9; ld.shared.u32 %r9, [%r8];");
  // An address from memory: a function's argument, a pointer in a structure.
  expect_correct(
      "mov.u32 %r7, other; setp.eq.u32 %p2, %r1, 0; @%p2 st.shared.u32 [%r3], %r7; @%p2 ld.shared.u32 %r8, "
      "[%r3]; @%p2 ld.shared.u32 %r9, [%r8+-4];");
}

TEST(OwnArray, two_extern_arrays_are_a_note) {
  constexpr std::string_view kBoth =
      ".extern .shared .align 4 .b8 rest[];\n.extern .shared .align 4 .b8 more[];";
  const auto notes = [&](std::string_view body) {
    LaunchBuilder builder({1, 1, 1}, {16, 1, 1});
    builder.launch.dynamic_shared_bytes = 128;
    return check_kernel(kernel_text("", body, kBoth), builder.launch).notes;
  };
  const trace::Hazard note = only(notes(
      "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, rest; add.u32 %r3, %r3, %r2; st.shared.u32 "
      "[%r3], %r1; mov.u32 %r4, more; add.u32 %r4, %r4, %r2; st.shared.u32 [%r4], %r1; ret;"));
  EXPECT_EQ(note.kind, trace::HazardKind::OverlappingArrays);
  EXPECT_EQ(
      note.message,
      "writes 'more', which is an extern __shared__ array as 'rest' is, and begins at the same address; "
      "that is fine if the two are not in use at a time, and else a mistake: add an offset to one");
  EXPECT_TRUE(notes("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, rest; add.u32 %r3, %r3, %r2; "
                    "st.shared.u32 [%r3], %r1; ret;")
                  .empty());
}

/// A kernel that reads 4 bytes `offset` bytes from the start of `far`, behind another buffer.
std::string far_message(int64_t offset) {
  LaunchBuilder builder({1, 1, 1}, {1, 1, 1});
  builder.buffer("near", std::vector<uint32_t>(8)).buffer("far", std::vector<uint32_t>(8));
  const Checked checked = check_kernel(
      kernel_text(".param .u64 near, .param .u64 far",
                  fmt::format("ld.param.u64 %rd1, [near]; ld.param.u64 %rd2, [far]; st.global.u32 [%rd1], 1; "
                              "mov.u64 %rd3, {}; add.u64 %rd4, %rd2, %rd3; ld.global.u32 %r1, [%rd4]; ret;",
                              offset)),
      builder.launch);
  return only(checked.hazards).message;
}

TEST(FarAddress, the_pointer_that_it_was_computed_from_is_named) {
  EXPECT_EQ(far_message(-4), "reads 4 bytes 4 bytes before the start of 'far'; check for a negative index");
  EXPECT_EQ(far_message(-7'579'869'184),
            "reads 4 bytes 7579869184 bytes before the start of 'far'; does an index overflow 32 bits, or "
            "come from uninitialized memory?");
  EXPECT_EQ(far_message(6'000'000'000),
            "reads 4 bytes at far[1500000000], byte 6000000000 of 'far', 5999999972 bytes beyond its end (it "
            "has 32); does an index overflow 32 bits, or come from uninitialized memory?");
}

TEST(FarAddress, without_a_pointer_no_buffer_far_away_is_named) {
  LaunchBuilder builder({1, 1, 1}, {1, 1, 1});
  builder.buffer("data", std::vector<uint64_t>{0x1ff'0000'0000});
  const Checked checked = check_kernel(
      kernel_text(".param .u64 data",
                  "ld.param.u64 %rd1, [data]; ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd2]; ret;"),
      builder.launch);
  EXPECT_EQ(only(checked.hazards).message,
            "reads 4 bytes at address 0x1ff00000000, where there is no buffer; check the pointer");
}

}  // namespace
}  // namespace lanescope::emulator
