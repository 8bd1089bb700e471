// alloca, stacksave, stackrestore: every lane has its own stack, which grows, shrinks and ends.

#include "check_run.h"

namespace lanescope::emulator {
namespace {

/// Threads t = %r1 run `body`; what it leaves in %r2 is stored.
std::string kernel(std::string_view body, std::string_view before = "") {
  return kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
                  "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0;\n{}\nst.global.u32 [%rd1], %r2; ret;",
                  body),
      before);
}

launch::Launch launch_of(uint32_t threads, uint32_t blocks = 1) {
  LaunchBuilder builder({blocks, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(threads, 0xdead));
  return builder.launch;
}

std::vector<uint32_t> run_body(std::string_view body, uint32_t threads = 40, std::string_view before = "",
                               uint32_t blocks = 1) {
  KernelRun of;
  run_kernel(of, kernel(body, before), launch_of(threads, blocks));
  if (of.outcome.buffers.empty()) return {};
  for (const trace::Hazard& hazard : of.outcome.hazards) ADD_FAILURE() << hazard.message;
  return values_of<uint32_t>(of.outcome.buffers[0]);
}

trace::Hazard hazard_of(std::string_view body, std::string_view before = "") {
  KernelRun of;
  run_kernel(of, kernel(body, before), launch_of(32));
  EXPECT_EQ(of.outcome.hazards.size(), 1u);
  return of.outcome.hazards.empty() ? trace::Hazard{} : of.outcome.hazards[0];
}

/// n = t mod 7 + 1 numbers 0, 1, ..., n - 1 in an array of n, added up from the last to the first.
constexpr std::string_view kSum =
    "rem.u32 %r3, %r1, 7; add.u32 %r3, %r3, 1; mul.wide.u32 %rd3, %r3, 4; alloca.u64 %rd4, %rd3, 16;\n"
    "mov.u32 %r4, 0; mov.u64 %rd5, %rd4;\n"
    "FILL: st.local.u32 [%rd5], %r4; add.u32 %r4, %r4, 1; add.u64 %rd5, %rd5, 4; setp.lt.u32 %p1, %r4, %r3;\n"
    "@%p1 bra FILL;\n"
    "ADD: sub.u64 %rd5, %rd5, 4; ld.local.u32 %r5, [%rd5]; add.u32 %r2, %r2, %r5; setp.gt.u64 %p1, %rd5, "
    "%rd4;\n"
    "@%p1 bra ADD;";
uint32_t sum_below(uint32_t n) { return n * (n - 1) / 2; }

TEST(Stack, every_lane_gets_as_much_as_it_asks_for) {
  const auto out = run_body(kSum);
  ASSERT_EQ(out.size(), 40u);
  for (uint32_t t = 0; t < out.size(); ++t) EXPECT_EQ(out[t], sum_below(t % 7 + 1)) << t;
}

TEST(Stack, a_later_block_starts_with_an_empty_stack) {
  const auto out = run_body(kSum, 40, "", 5);
  ASSERT_EQ(out.size(), 40u);
  for (uint32_t t = 0; t < out.size(); ++t) EXPECT_EQ(out[t], sum_below(t % 7 + 1)) << t;
}

TEST(Stack, allocations_are_aligned_and_consecutive) {
  // The kernel's own array of 20 bytes takes 32; the stack is the 64 KiB after it, taken from its end:
  // 65,568.
  const std::string_view body =
      ".local .align 4 .b8 own[20]; mov.u64 %rd9, own; alloca.u32 %r3, 1; alloca.u32 %r4, 5; "
      "alloca.u32 %r5, 4, 64; alloca.u32 %r6, 0, 1; sub.u32 %r3, 65568, %r3; sub.u32 %r4, 65568, %r4;\n"
      "sub.u32 %r5, 65568, %r5; sub.u32 %r6, 65568, %r6; mul.lo.u32 %r3, %r3, 1000000;\n"
      "mad.lo.u32 %r3, %r4, 10000, %r3; mad.lo.u32 %r3, %r5, 100, %r3; add.u32 %r2, %r3, %r6;";
  const auto out = run_body(body, 32);
  ASSERT_EQ(out.size(), 32u);
  EXPECT_EQ(out[0], 8u * 1000000 + 16 * 10000 + 32 * 100 + 32);
}

TEST(Stack, restoring_gives_back_what_was_taken_since) {
  const std::string_view body =
      "alloca.u64 %rd3, 16; stacksave.u32 %r3; alloca.u64 %rd4, 32; stackrestore.u32 %r3; alloca.u64 %rd5, "
      "32;\n"
      "stacksave.u64 %rd6; alloca.u64 %rd7, 8; stackrestore.u64 %rd6; alloca.u64 %rd8, 8;\n"
      "sub.u64 %rd4, %rd5, %rd4; sub.u64 %rd7, %rd8, %rd7; or.b64 %rd4, %rd4, %rd7; cvt.u32.u64 %r2, %rd4;";
  for (const uint32_t value : run_body(body)) EXPECT_EQ(value, 0u);
}

/// twice(n): takes n bytes twice over and gives how far apart they are; some lanes return early.
constexpr std::string_view kFunction =
    ".func (.param .b32 result) take(.param .b32 n) { .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
    "ld.param.u32 %r1, [n]; alloca.u32 %r2, %r1; alloca.u32 %r3, %r1; sub.u32 %r4, %r2, %r3;\n"
    "st.param.u32 [result], %r4; and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; @%p1 ret; @!%p1 bra OUT;\n"
    "st.param.u32 [result], 0; OUT: ret; }\n";

TEST(Stack, a_function_gives_back_what_it_took_where_it_returns) {
  const std::string_view body =
      "alloca.u32 %r3, 4; mul.lo.u32 %r4, %r1, 24; add.u32 %r4, %r4, 9; shr.u32 %r7, %r1, 1; add.u32 %r4, "
      "%r4, "
      "%r7; mov.u32 %r6, 0;\n"
      "AGAIN: call (%r5), take, (%r4); add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 200; @%p1 bra AGAIN;\n"
      "alloca.u32 %r8, 4; sub.u32 %r2, %r3, %r8;";
  for (const uint32_t value : run_body(body, 64, kFunction)) EXPECT_EQ(value, 8u);
}

TEST(Stack, every_call_of_a_recursive_function_has_its_own) {
  // fill(n): an array of n words that hold n; calls fill(n - 1); n times the sum of what is still there, plus
  // it.
  const std::string_view function =
      ".func (.param .b32 result) fill(.param .b32 n) { .reg .b32 %r<9>; .reg .b64 %rd<6>; .reg .pred "
      "%p<2>;\n"
      "ld.param.u32 %r1, [n]; mov.u32 %r6, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra OUT;\n"
      "mul.wide.u32 %rd1, %r1, 4; alloca.u64 %rd2, %rd1; mov.u32 %r2, 0; mov.u64 %rd3, %rd2;\n"
      "FILL: st.local.u32 [%rd3], %r1; add.u64 %rd3, %rd3, 4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, "
      "%r1;\n"
      "@%p1 bra FILL; sub.u32 %r3, %r1, 1;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), fill, (a); ld.param.b32 %r6, [b]; }\n"
      "ADD: sub.u64 %rd3, %rd3, 4; ld.local.u32 %r4, [%rd3]; add.u32 %r6, %r6, %r4; setp.gt.u64 %p1, %rd3, "
      "%rd2;\n"
      "@%p1 bra ADD;\n"
      "OUT: st.param.u32 [result], %r6; ret; }\n";
  const auto out = run_body("rem.u32 %r3, %r1, 9; call (%r2), fill, (%r3);", 40, function);
  ASSERT_EQ(out.size(), 40u);
  for (uint32_t t = 0; t < out.size(); ++t) {
    const uint32_t n = t % 9;
    EXPECT_EQ(out[t], n * (n + 1) * (2 * n + 1) / 6) << t;  // the sum of k x k
  }
}

TEST(Stack, more_than_there_is_is_an_overflow) {
  const trace::Hazard hazard = hazard_of(
      "mov.u64 %rd3, 40000; alloca.u64 %rd4, %rd3; setp.gt.u32 %p1, %r1, 4; @%p1 alloca.u64 %rd5, %rd3;");
  EXPECT_EQ(hazard.kind, trace::HazardKind::StackOverflow);
  EXPECT_EQ(hazard.thread, (Dim3{5, 0, 0}));
  EXPECT_EQ(hazard.message,
            "stack overflow: alloca asks for 40000 bytes, and 40000 of the 64 KiB of stack of a thread are "
            "taken; allocate less, or outside of the loop");
  EXPECT_EQ(hazard_of("mov.u64 %rd3, -8; alloca.u64 %rd4, %rd3; st.local.u32 [%rd4], %r1;").kind,
            trace::HazardKind::StackOverflow);
  EXPECT_EQ(hazard_of("L: alloca.u64 %rd4, 64; bra L;").kind, trace::HazardKind::StackOverflow);
}

TEST(Stack, its_accesses_are_those_of_local_memory) {
  KernelRun of;
  run_kernel(of,
             kernel("alloca.u64 %rd4, 64; st.local.u32 [%rd4+8], %r1; cvta.local.u64 %rd5, %rd4; "
                    "ld.u32 %r2, [%rd5+8];"),
             launch_of(32));
  ASSERT_EQ(of.sink.list.size(), 3u);
  for (const size_t n : {0u, 1u}) {
    EXPECT_EQ(of.sink.list[n].operation.space, trace::Space::Local);
    EXPECT_EQ(of.sink.list[n].addresses, std::vector<uint64_t>(32, 65536 - 64 + 8));
  }
  const auto out = values_of<uint32_t>(of.outcome.buffers[0]);
  EXPECT_EQ(out[31], 31u);
}

TEST(Stack, an_access_past_the_last_allocation_is_out_of_bounds) {
  const trace::Hazard hazard = hazard_of("alloca.u64 %rd4, 64; st.local.u32 [%rd4+64], %r1;");
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_NE(hazard.message.find("at offset 65536 of its local memory, 4 bytes beyond its end (it has 65536)"),
            std::string::npos)
      << hazard.message;
}

TEST(Stack, an_access_between_the_frames_and_the_stack_is_out_of_bounds) {
  const trace::Hazard hazard = hazard_of(
      ".local .align 4 .b8 own[32]; mov.u64 %rd9, own; alloca.u64 %rd4, 64; st.local.u32 [%rd4-4], %r1;");
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard_of(".local .align 4 .b8 own[32]; mov.u64 %rd9, own; st.local.u32 [%rd9+32], %r1; "
                      "alloca.u64 %rd4, 64;")
                .kind,
            trace::HazardKind::OutOfBounds);
}

TEST(Stack, an_allocation_is_uninitialized_even_where_an_earlier_one_was_written) {
  const auto checked = [](std::string_view body) { return check_kernel(kernel(body), launch_of(32)); };
  const trace::Hazard fresh = only(checked("alloca.u64 %rd4, 64; ld.local.u32 %r2, [%rd4];").hazards);
  EXPECT_EQ(fresh.kind, trace::HazardKind::Uninitialized);
  const trace::Hazard again = only(
      checked("stacksave.u64 %rd3; alloca.u64 %rd4, 64; st.local.u32 [%rd4], %r1; stackrestore.u64 %rd3; "
              "alloca.u64 %rd5, 64; ld.local.u32 %r2, [%rd5];")
          .hazards);
  EXPECT_EQ(again.kind, trace::HazardKind::Uninitialized);
  EXPECT_EQ(
      checked("alloca.u64 %rd4, 64; st.local.u32 [%rd4], %r1; ld.local.u32 %r2, [%rd4];").hazards.size(), 0u);
}

TEST(Stack, an_alignment_that_is_no_power_of_two_is_refused) {
  EXPECT_NE(error_of(kernel("alloca.u64 %rd4, 64, 24;"), launch_of(32))
                .message.find("the alignment of 'alloca' is a power of two"),
            std::string::npos);
}

}  // namespace
}  // namespace lanescope::emulator
