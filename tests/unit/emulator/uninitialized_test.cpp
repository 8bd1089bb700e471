// Uninitialized reads: shared, local and global memory, whole and in part.

#include "check_run.h"

#include <fmt/ranges.h>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kTile = ".shared .align 16 .b8 tile[1024];";

std::string kernel(std::string_view body) {
  return kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r5, tile;\n"
                  "add.u32 %r2, %r2, %r5; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n{}\nret;",
                  body),
      kTile);
}

launch::Launch launch_of(uint32_t threads, uint32_t words, bool has_contents) {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(words));
  builder.launch.buffers[0].has_contents = has_contents;
  return builder.launch;
}

Checked check(std::string_view body, uint32_t threads = 32) {
  return check_kernel(kernel(body), launch_of(threads, 256, false));
}

void expect_correct(std::string_view body) {
  const Checked checked = check(body);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{}) << body;
  EXPECT_EQ(texts_of(checked.notes), std::vector<std::string>{}) << body;
}

TEST(Uninitialized, shared_memory_is_uninitialized_at_first) {
  const trace::Hazard hazard = only(check("ld.shared.u32 %r6, [%r2+4];").hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(hazard.thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(hazard.count, 32u);
  EXPECT_EQ(
      hazard.message,
      "reads 4 bytes at offset 4 of 'tile' in shared memory, which are uninitialized; write it first, and "
      "check the index");
  expect_correct("st.shared.u32 [%r2], %r1; ld.shared.u32 %r6, [%r2];");
}

TEST(Uninitialized, what_a_compiler_reads_ahead_of_a_condition_is_a_note) {
  constexpr std::string_view kAhead =
      "ld.shared.u32 %r6, [%r2]; add.u32 %r7, %r6, 1; setp.eq.u32 %p1, %r1, 77; selp.u32 %r8, %r7, %r1, %p1; "
      "{}";
  const Checked checked = check(fmt::format(kAhead, "st.global.u32 [%rd2], %r8;"));
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
  EXPECT_NE(only(checked.notes).message.find("reads ahead of a condition"), std::string::npos);
  // Used in any other way it is a mistake.
  EXPECT_EQ(check(fmt::format(kAhead, "st.global.u32 [%rd2], %r7;")).hazards.size(), 1u);
  EXPECT_EQ(check(fmt::format(kAhead, "st.global.u32 [%rd2], %r6;")).hazards.size(), 1u);
  EXPECT_EQ(check(fmt::format(kAhead, "bra NEXT; NEXT: st.global.u32 [%rd2], %r7;")).hazards.size(), 1u);
}

TEST(Uninitialized, an_exchange_with_an_unused_result_is_a_write) {
  expect_correct("atom.shared.exch.b32 %r6, [%r2], 5; bar.sync 0; ld.shared.u32 %r7, [%r2];");
  EXPECT_EQ(check("atom.shared.exch.b32 %r6, [%r2], 5; st.global.u32 [%rd2], %r6;").hazards.size(), 1u);
}

TEST(Uninitialized, one_word_next_to_those_written_is_found) {
  const trace::Hazard hazard = only(
      check("st.shared.u32 [%r2], %r1; setp.eq.u32 %p1, %r1, 31; @%p1 ld.shared.u32 %r6, [%r2+4];").hazards);
  EXPECT_EQ(hazard.thread, (Dim3{31, 0, 0}));
  EXPECT_EQ(hazard.count, 1u);
}

TEST(Uninitialized, each_block_has_its_own_shared_memory) {
  // Block 0 writes, block 1 only reads.
  LaunchBuilder builder({2, 1, 1}, {32, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(32));
  const Checked checked = check_kernel(kernel("mov.u32 %r9, %ctaid.x; setp.eq.u32 %p1, %r9, 0; @%p1 "
                                              "st.shared.u32 [%r2], %r1; ld.shared.u32 %r6, [%r2];"),
                                       builder.launch);
  EXPECT_EQ(only(checked.hazards).block, (Dim3{1, 0, 0}));
}

TEST(Uninitialized, an_atomic_reads_too) {
  EXPECT_EQ(only(check("atom.shared.add.u32 %r6, [%r2], 1;").hazards).kind, trace::HazardKind::Uninitialized);
  expect_correct("st.shared.u32 [%r2], 0; atom.shared.add.u32 %r6, [%r2], 1;");
}

TEST(Uninitialized, a_word_made_of_bytes_is_written_when_all_are) {
  const auto bytes = [](int count) {
    std::string body = "cvt.u16.u32 %rs1, %r1;";
    for (int n = 0; n < count; ++n) body += fmt::format(" st.shared.u8 [%r2+{}], %rs1;", n);
    return body + " ld.shared.u32 %r6, [%r2];";
  };
  expect_correct(bytes(4));
  // Some bytes are missing: it may be padding that is copied.
  const Checked part = check(bytes(3));
  EXPECT_TRUE(part.hazards.empty());
  EXPECT_NE(only(part.notes).message.find("some of which are uninitialized"), std::string::npos);
}

TEST(Uninitialized, a_vector_with_one_word_missing_is_a_note) {
  const std::string_view address =
      "shl.b32 %r7, %r1, 4; add.u32 %r7, %r7, %r5; st.shared.v2.u32 [%r7], {%r1, %r1}; ";
  const Checked part = check(fmt::format(
      "{} st.shared.u32 [%r7+8], %r1; ld.shared.v4.u32 {{%r8, %r9, %r10, %r11}}, [%r7];", address));
  EXPECT_TRUE(part.hazards.empty());
  EXPECT_EQ(only(part.notes).kind, trace::HazardKind::Uninitialized);
  expect_correct(fmt::format(
      "{} st.shared.v2.u32 [%r7+8], {{%r1, %r1}}; ld.shared.v4.u32 {{%r8, %r9, %r10, %r11}}, [%r7];",
      address));
}

TEST(Uninitialized, local_memory_is_each_threads_own) {
  const std::string_view depot = ".local .align 8 .b8 depot[32]; .reg .b64 %SP; mov.u64 %SP, depot;";
  const Checked checked = check(fmt::format(
      "{} setp.lt.u32 %p1, %r1, 20; @%p1 st.local.u32 [%SP+8], %r1;\nld.local.u32 %r6, [%SP+8];", depot));
  const trace::Hazard hazard = only(checked.hazards);
  EXPECT_EQ(hazard.thread, (Dim3{20, 0, 0}));
  EXPECT_EQ(hazard.count, 12u);
  EXPECT_NE(hazard.message.find("offset 8 of its local memory"), std::string::npos) << hazard.message;
  expect_correct(fmt::format("{} st.local.u32 [%SP+8], %r1; ld.local.u32 %r6, [%SP+8];", depot));
  // Through an index that differs from lane to lane.
  expect_correct(fmt::format(
      "{} and.b32 %r7, %r1, 7; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd5, %SP, %rd5; st.local.u32 [%rd5], "
      "%r1; ld.local.u32 %r6, [%rd5];",
      depot));
}

TEST(Uninitialized, a_buffer_without_contents_is_to_be_written_first) {
  const trace::Hazard hazard = only(check("ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd2], %r6;").hazards);
  EXPECT_EQ(
      hazard.message,
      "reads 4 bytes at out[0], byte 0 of 'out', which are uninitialized; give the buffer contents, or write "
      "before reading");
  expect_correct("st.global.u32 [%rd2], %r1; ld.global.u32 %r6, [%rd2];");
}

TEST(Uninitialized, a_buffer_with_contents_may_be_read) {
  const Checked checked =
      check_kernel(kernel("ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd2], %r6;"), launch_of(32, 256, true));
  EXPECT_TRUE(checked.hazards.empty());
}

TEST(Uninitialized, a_buffer_that_is_only_read_is_checked_as_well) {
  EXPECT_EQ(only(check("ld.global.nc.u32 %r6, [%rd2];").hazards).kind, trace::HazardKind::Uninitialized);
}

TEST(Uninitialized, what_an_earlier_call_left_in_local_memory_is_not_this_ones) {
  // fill(w): a local word, written if w is not 0, and read.
  const auto calls = [](int first, int second) {
    LaunchBuilder builder;
    builder.buffer("out", std::vector<uint32_t>(32));
    return check_kernel(
        kernel_text(
            ".param .u64 out",
            fmt::format("{{ .param .b32 w; st.param.b32 [w], {}; call.uni fill, (w); }}\n"
                        "{{ .param .b32 w; st.param.b32 [w], {}; call.uni fill, (w); }}\nret;",
                        first, second),
            ".func fill(.param .b32 w) { .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p<2>; .local .align "
            "16 .b8 a[16]; mov.u64 %rd1, a; ld.param.b32 %r1, [w]; setp.ne.u32 %p1, %r1, 0; @%p1 "
            "st.local.u32 [%rd1+4], %r1; ld.local.u32 %r2, [%rd1+4]; ret; }"),
        builder.launch);
  };
  EXPECT_TRUE(calls(1, 1).hazards.empty());
  const trace::Hazard hazard = only(calls(1, 0).hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(hazard.count, 32u);
}

}  // namespace
}  // namespace lanescope::emulator
