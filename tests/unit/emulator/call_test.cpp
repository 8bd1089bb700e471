// Calls: arguments, early returns, recursion, pointers, separate local memory of every call.

#include "kernel_run.h"

#include <functional>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kFunctions =
    // twice(x) = 2 x
    ".func (.param .b32 result) twice(.param .b32 x) { .reg .b32 %r<4>; ld.param.b32 %r1, [x]; add.u32 %r2, "
    "%r1, %r1; st.param.b32 [result], %r2; ret; }\n"
    // triple(x) = 3 x, by way of twice
    ".func (.param .b32 result) triple(.param .b32 x) { .reg .b32 %r<4>; ld.param.b32 %r1, [x];\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a); ld.param.b32 %r2, [b]; "
    "}\n"
    "add.u32 %r3, %r2, %r1; st.param.b32 [result], %r3; ret; }\n"
    // sum(p) = p.a + p.b + p.c of a struct {u32 a; u64 b; u16 c}
    ".func (.param .align 8 .b8 result[8]) sum(.param .align 8 .b8 p[24]) { .reg .b64 %rd<6>; .reg .b32 "
    "%r<3>; "
    "ld.param.u32 %r1, [p]; cvt.u64.u32 %rd1, %r1; ld.param.u64 %rd2, [p+8]; ld.param.u16 %r2, [p+16]; "
    "cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, %rd3; st.param.b64 [result], %rd1; "
    "ret; }\n"
    // factorial(n), recursive
    ".func (.param .b32 result) factorial(.param .b32 n) { .reg .b32 %r<8>; .reg .pred %p<2>; ld.param.b32 "
    "%r1, [n]; setp.gt.u32 %p1, %r1, 1; @%p1 bra MORE; mov.b32 %r2, 1; bra OUT;\n"
    "MORE: sub.u32 %r3, %r1, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), factorial, "
    "(a); ld.param.b32 %r4, [b]; } mul.lo.u32 %r2, %r4, %r1;\n"
    "OUT: st.param.b32 [result], %r2; ret; }\n";

struct Lines {
  std::vector<uint32_t> out;  // [thread]
  Outcome outcome;
  std::vector<AccessList::Access> accesses;
};

/// Every thread t runs `body` with %r1 = t; what it leaves in %r2 is stored.
Lines run_body(std::string_view body, uint32_t threads, const std::string& before, Options options = {}) {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(threads, 0xdead));
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(".param .u64 out",
                         fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, "
                                     "%r1, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0;\n{}\nEND: "
                                     "st.global.u32 [%rd1], %r2; ret;",
                                     body),
                         before),
             builder.launch, options);
  if (kernel.outcome.buffers.empty()) return {};
  return {values_of<uint32_t>(kernel.outcome.buffers[0]), std::move(kernel.outcome),
          std::move(kernel.sink.list)};
}

void expect_threads(const Lines& lines, const std::function<uint32_t(uint32_t)>& expected) {
  ASSERT_FALSE(lines.out.empty());
  if (!lines.outcome.hazards.empty()) ADD_FAILURE() << lines.outcome.hazards[0].message;
  for (uint32_t thread = 0; thread < lines.out.size(); ++thread)
    EXPECT_EQ(lines.out[thread], expected(thread)) << thread;
}

/// In both schedulings.
void expect_body(std::string_view body, uint32_t threads, const std::string& before,
                 const std::function<uint32_t(uint32_t)>& expected) {
  for (const Scheduling scheduling : {Scheduling::Independent, Scheduling::Lockstep})
    expect_threads(run_body(body, threads, before, {.scheduling = scheduling}), expected);
}

const std::string kAll(kFunctions);

constexpr std::string_view kCallTriple =
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), triple, (a); ld.param.b32 %r2, "
    "[b]; "
    "}";

TEST(Call, a_function_takes_arguments_and_gives_a_result) {
  expect_body(kCallTriple, 70, kAll, [](uint32_t t) { return 3 * t; });
}

TEST(Call, what_a_call_passes_is_no_memory_access) {
  const Lines lines = run_body(kCallTriple, 32, kAll);
  ASSERT_EQ(lines.accesses.size(), 1u);  // the kernel's own store
  EXPECT_EQ(lines.accesses[0].operation.space, trace::Space::Global);
}

TEST(Call, registers_and_constants_can_be_passed) {
  expect_body("call (%r2), triple, (%r1);", 40, kAll, [](uint32_t t) { return 3 * t; });
  expect_body("call (%r2), twice, (21);", 40, kAll, [](uint32_t) { return 42u; });
}

TEST(Call, structs_are_passed_by_value) {
  expect_body(
      "{ .param .align 8 .b8 p[24]; .param .align 8 .b8 s[8]; cvt.u64.u32 %rd5, %r1; mul.lo.u64 %rd6, %rd5, "
      "10; "
      "cvt.u16.u32 %rs1, %r1; st.param.u32 [p], %r1; st.param.b64 [p+8], %rd6; st.param.u16 [p+16], %rs1; "
      "call (s), sum, (p); ld.param.b64 %rd7, [s]; cvt.u32.u64 %r2, %rd7; }",
      40, kAll, [](uint32_t t) { return 12 * t; });
}

TEST(Call, only_some_lanes_may_call) {
  expect_body(
      "mov.u32 %r2, 7; setp.lt.u32 %p1, %r1, 5; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; @%p1 "
      "call "
      "(b), triple, (a); @%p1 ld.param.b32 %r2, [b]; } add.u32 %r2, %r2, 1;",
      40, kAll, [](uint32_t t) { return (t < 5 ? 3 * t : 7) + 1; });
  expect_body(
      "setp.lt.u32 %p1, %r1, 5; @!%p1 bra END; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call "
      "(b), "
      "triple, (a); ld.param.b32 %r2, [b]; }",
      40, kAll, [](uint32_t t) { return t < 5 ? 3 * t : 0; });
}

TEST(Call, lanes_that_return_early_wait_for_the_others) {
  // f(x): if (x < 4) return 1; s = 0; for (i = 0; i < x; ++i) s += i; return s;
  const std::string function =
      ".func (.param .b32 result) f(.param .b32 x) { .reg .b32 %r<8>; .reg .pred %p<4>; ld.param.b32 %r1, "
      "[x]; "
      "setp.lt.u32 %p1, %r1, 4; mov.b32 %r2, 1; st.param.b32 [result], %r2; @%p1 ret; mov.b32 %r2, 0; "
      "mov.b32 "
      "%r3, 0; L: add.u32 %r2, %r2, %r3; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra L; "
      "st.param.b32 [result], %r2; }";
  for (const Scheduling scheduling : {Scheduling::Independent, Scheduling::Lockstep}) {
    const Lines lines = run_body("call (%r2), f, (%r1);", 32, function, {.scheduling = scheduling});
    expect_threads(lines, [](uint32_t t) { return t < 4 ? 1 : t * (t - 1) / 2; });
    ASSERT_EQ(lines.accesses.size(), 1u);  // all store together
    EXPECT_EQ(lines.accesses[0].mask, 0xffffffffu);
  }
}

TEST(Call, a_function_may_end_its_threads) {
  const std::string function =
      ".func f(.param .b32 x) { .reg .b32 %r<8>; .reg .pred %p<4>; ld.param.b32 %r1, [x]; setp.lt.u32 %p1, "
      "%r1, "
      "4; @%p1 exit; ret; }";
  expect_body("call f, (%r1); bar.sync 0; mov.b32 %r2, 9;", 64, function,
              [](uint32_t t) { return t < 4 ? 0xdead : 9; });
}

TEST(Call, recursion_keeps_the_registers_of_every_call) {
  const auto factorial = [](uint32_t n) {
    uint32_t product = 1;
    for (uint32_t i = 2; i <= n; ++i) product *= i;
    return product;
  };
  expect_body("call (%r2), factorial, (%r1);", 40, kAll, factorial);
  expect_body("mov.b32 %r5, 6; call (%r2), factorial, (%r5);", 40, kAll, [](uint32_t) { return 720u; });
}

TEST(Call, two_branches_of_a_recursion) {
  // fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
  const std::string function =
      ".func (.param .b32 result) fib(.param .b32 n) { .reg .b32 %r<8>; .reg .pred %p<2>; ld.param.b32 %r1, "
      "[n]; "
      "mov.b32 %r2, %r1; setp.lt.u32 %p1, %r1, 2; @%p1 bra OUT; sub.u32 %r3, %r1, 1; call (%r4), fib, (%r3); "
      "sub.u32 %r3, %r1, 2; call (%r5), fib, (%r3); add.u32 %r2, %r4, %r5; OUT: st.param.b32 [result], %r2; "
      "ret; }";
  expect_body("and.b32 %r3, %r1, 7; call (%r2), fib, (%r3);", 40, function, [](uint32_t t) {
    constexpr uint32_t kFib[] = {0, 1, 1, 2, 3, 5, 8, 13};
    return kFib[t & 7];
  });
}

TEST(Call, functions_that_call_each_other) {
  // even(n) = n == 0 ? 1 : odd(n - 1); odd(n) = n == 0 ? 0 : even(n - 1)
  const auto body = [](std::string_view name, std::string_view other, int at_zero) {
    return fmt::format(
        ".func (.param .b32 result) {0}(.param .b32 n) {{ .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.b32 "
        "%r1, "
        "[n]; mov.b32 %r2, {2}; setp.eq.u32 %p1, %r1, 0; @%p1 bra OUT; sub.u32 %r3, %r1, 1; call (%r2), {1}, "
        "(%r3); OUT: st.param.b32 [result], %r2; ret; }}\n",
        name, other, at_zero);
  };
  const std::string functions =
      ".func (.param .b32 result) odd(.param .b32 n);\n" + body("even", "odd", 1) + body("odd", "even", 0);
  expect_body("call (%r2), even, (%r1);", 64, functions, [](uint32_t t) { return t % 2 == 0; });
}

TEST(Call, every_call_has_separate_local_memory) {
  // depth(n): local x = n; if (n > 0) depth(n - 1); return x (+ what the callee returned): sum 0..n, by a
  // pointer to the caller's variable which the callee adds to.
  const std::string function =
      ".func add_up(.param .b64 to, .param .b32 n) { .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<2>; "
      ".local "
      ".align 4 .b8 depot[8]; ld.param.b64 %rd1, [to]; ld.param.b32 %r1, [n]; mov.u64 %rd2, depot; "
      "cvta.local.u64 %rd3, %rd2; st.local.u32 [%rd2+4], %r1; setp.eq.u32 %p1, %r1, 0; @%p1 bra OUT; sub.u32 "
      "%r2, %r1, 1; add.u64 %rd4, %rd3, 4; call add_up, (%rd4, %r2); OUT: ld.local.u32 %r3, [depot+4]; "
      "ld.u32 "
      "%r4, [%rd1]; add.u32 %r4, %r4, %r3; st.u32 [%rd1], %r4; ret; }\n";
  expect_body(
      ".local .align 4 .b8 mine[4]; mov.b32 %r3, 0; st.local.u32 [mine], %r3; mov.u64 %rd3, mine; "
      "cvta.local.u64 "
      "%rd3, %rd3; and.b32 %r4, %r1, 15; call add_up, (%rd3, %r4); ld.local.u32 %r2, [mine];",
      40, function, [](uint32_t t) {
        const uint32_t n = t & 15;
        return n * (n + 1) / 2;
      });
}

TEST(Call, a_pointer_leads_each_lane_to_its_own_function) {
  expect_body(
      "mov.u64 %rd3, twice; mov.u64 %rd4, triple; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; selp.b64 "
      "%rd5, "
      "%rd3, %rd4, %p1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; P: .callprototype (.param "
      ".b32 "
      "_) _ (.param .b32 _); call (b), %rd5, (a), P; ld.param.b32 %r2, [b]; } add.u32 %r2, %r2, 1;",
      40, kAll, [](uint32_t t) { return (t % 2 == 0 ? 2 * t : 3 * t) + 1; });
  expect_body("mov.u64 %rd3, triple; T: .calltargets twice, triple; call (%r2), %rd3, (%r1), T;", 40, kAll,
              [](uint32_t t) { return 3 * t; });
}

TEST(Call, functions_in_a_table_can_be_called) {
  expect_body(
      "and.b32 %r3, %r1, 1; mul.wide.u32 %rd3, %r3, 8; mov.u64 %rd4, table; add.u64 %rd4, %rd4, %rd3; "
      "ld.global.u64 %rd5, [%rd4]; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (%r2), %rd5, "
      "(%r1), P;",
      40, kAll + ".global .align 8 .u64 table[2] = {twice, triple};",
      [](uint32_t t) { return t % 2 == 0 ? 2 * t : 3 * t; });
}

TEST(Call, a_pointer_that_leads_nowhere_is_a_hazard) {
  const Lines lines = run_body("mov.u64 %rd3, 64; P: .callprototype _ (); call %rd3, P;", 32, kAll);
  ASSERT_EQ(lines.outcome.hazards.size(), 1u);
  EXPECT_NE(lines.outcome.hazards[0].message.find("calls a function at address 0x40"), std::string::npos);
}

TEST(Call, recursion_without_end_overflows_the_stack_and_says_where) {
  const std::string function =
      ".func down(.param .b32 n) { .reg .b32 %r<4>; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, 1;\ncall down, "
      "(%r1); ret; }\n";
  const Lines lines = run_body("call down, (%r1);", 32, function);
  ASSERT_EQ(lines.outcome.hazards.size(), 1u);
  EXPECT_EQ(lines.outcome.hazards[0].kind, trace::HazardKind::StackOverflow);
  EXPECT_EQ(lines.outcome.hazards[0].ptx_line, 5);
  EXPECT_NE(lines.outcome.hazards[0].message.find("function down"), std::string::npos);
}

TEST(Call, functions_may_contain_barriers) {
  const std::string function =
      ".func (.param .b32 result) swap(.param .b32 x) { .reg .b32 %r<8>; .shared .u32 s[64]; mov.u32 %r1, "
      "%tid.x; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; ld.param.b32 %r4, [x]; st.shared.u32 [%r3], %r4; "
      "bar.sync 0; xor.b32 %r1, %r1, 32; mad.lo.u32 %r3, %r1, 4, %r2; ld.shared.u32 %r4, [%r3]; bar.sync 0; "
      "st.param.b32 [result], %r4; ret; }";
  expect_body("setp.lt.u32 %p1, %r1, 3; @%p1 mov.u32 %r9, 1; call (%r2), swap, (%r1);", 64, function,
              [](uint32_t t) { return t ^ 32; });
  // Also where the warps have parted before.
  expect_body(
      "setp.lt.u32 %p1, %r1, 3; @%p1 bra A; mov.u32 %r9, 1; A: call (%r2), swap, (%r1); call (%r2), "
      "swap, (%r2);",
      64, function, [](uint32_t t) { return t; });
}

TEST(Call, a_function_without_a_body_is_named) {
  const Error error =
      error_of(kernel_text("", "call missing, (); ret;", ".extern .func missing();"), LaunchBuilder().launch);
  EXPECT_EQ(error.kind, ErrorKind::Unsupported);
  EXPECT_NE(error.message.find("'missing'"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::emulator
