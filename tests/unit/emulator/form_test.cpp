// Registers in forms: whatever the shape of the block, lanes have the values that their thread computes, and
// accesses are those of warps whose lanes are computed one by one.

#include "emulator/values/form.h"

#include "kernel_run.h"
#include "support/engines.h"

#include <array>
#include <functional>
#include <optional>
#include <tuple>

namespace lanescope::emulator {
namespace {

constexpr std::array<Dim3, 10> kShapes{{{32, 8, 1},
                                        {16, 16, 1},
                                        {8, 8, 2},
                                        {4, 4, 4},
                                        {2, 100, 1},
                                        {48, 2, 1},
                                        {100, 1, 1},
                                        {1, 64, 1},
                                        {1024, 1, 1},
                                        {64, 1, 1}}};

/// Kernels of these tests: %r1, %r2, %r3 thread, %r4 its number in the block, %rd1 its 64-bit word of out.
constexpr std::string_view kBegin = R"(
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
  mov.u32 %r5, %ntid.x; mov.u32 %r6, %ntid.y; mad.lo.u32 %r4, %r3, %r6, %r2; mad.lo.u32 %r4, %r4, %r5, %r1;
  mul.wide.u32 %rd2, %r4, 8; add.u64 %rd1, %rd1, %rd2;)";

/// Runs `body`, which leaves the result in %rd3, in blocks of all shapes, with every instruction set;
/// compares with what `expected` says of each thread.
void expect_threads(std::string_view body,
                    const std::function<uint64_t(uint32_t x, uint32_t y, uint32_t z)>& expected) {
  for (const Dim3 shape : kShapes) {
    for (const Vectors vectors : kAllVectors) {
      LaunchBuilder builder({1, 1, 1}, shape);
      builder.buffer("out", std::vector<uint64_t>(volume(shape), 0xdead)).value(uint32_t{3});
      KernelRun kernel;
      run_kernel(kernel,
                 kernel_text(".param .u64 out, .param .u32 three",
                             fmt::format("{}\n{}\nst.global.u64 [%rd1], %rd3; ret;", kBegin, body)),
                 builder.launch, {.vectors = vectors});
      ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
      EXPECT_TRUE(kernel.outcome.hazards.empty());
      const auto out = values_of<uint64_t>(kernel.outcome.buffers[0]);
      for (uint32_t thread = 0; thread < out.size(); ++thread) {
        const Dim3 at = position_of(thread, shape);
        ASSERT_EQ(out[thread], expected(at.x, at.y, at.z))
            << "thread " << thread << " of " << shape.x << " x " << shape.y << " x " << shape.z;
      }
    }
  }
}

TEST(Forms, linear_arithmetic_of_32_bits) {
  expect_threads(
      "ld.param.u32 %r7, [three]; mad.lo.u32 %r8, %r1, %r7, %r2; sub.u32 %r8, %r8, %r3; shl.b32 %r9, %r8, 2; "
      "neg.s32 %r9, %r9; mul.lo.u32 %r9, %r7, %r9; add.u32 %r9, %r9, %r1; mov.u32 %r10, %r9; "
      "cvt.u64.u32 %rd3, %r10;",
      [](uint32_t x, uint32_t y, uint32_t z) { return uint32_t{3 * (0u - ((3 * x + y - z) << 2)) + x}; });
}

TEST(Forms, linear_arithmetic_of_64_bits) {
  expect_threads(
      "cvt.u64.u32 %rd4, %r1; shl.b64 %rd5, %rd4, 33; mul.lo.u64 %rd6, %rd5, 5; cvt.u64.u32 %rd7, %r2; "
      "mad.lo.u64 %rd8, %rd7, 7, %rd6; sub.u64 %rd3, %rd8, 11;",
      [](uint32_t x, uint32_t y, uint32_t) { return (uint64_t{x} << 33) * 5 + 7 * uint64_t{y} - 11; });
}

TEST(Forms, a_product_of_two_registers_that_differ_between_lanes) {
  expect_threads(
      "mul.lo.u32 %r8, %r1, %r2; mul.wide.u32 %rd4, %r2, %r2; cvt.u64.u32 %rd5, %r8; add.u64 %rd3, %rd4, "
      "%rd5;",
      [](uint32_t x, uint32_t y, uint32_t) { return uint64_t{y} * y + x * y; });
}

TEST(Forms, lanes_that_wrap_around_in_32_bits_are_widened_one_by_one) {
  expect_threads(
      "add.u32 %r8, %r1, 0xfffffff3; mul.wide.u32 %rd4, %r8, 4; cvt.u64.u32 %rd5, %r8; "
      "mad.wide.u32 %rd6, %r8, 3, %rd5; add.u64 %rd3, %rd4, %rd6;",
      [](uint32_t x, uint32_t, uint32_t) { return 8 * uint64_t{x + 0xfffffff3}; });
  expect_threads(
      "add.s32 %r8, %r1, 0x7ffffff3; mul.wide.s32 %rd4, %r8, -4; cvt.s64.s32 %rd5, %r8; "
      "add.s64 %rd3, %rd4, %rd5;",
      [](uint32_t x, uint32_t, uint32_t) {
        return static_cast<uint64_t>(-3 * int64_t{static_cast<int32_t>(x + 0x7ffffff3)});
      });
  expect_threads(
      "sub.s32 %r8, 7, %r1; cvt.s64.s32 %rd4, %r8; cvt.u64.u32 %rd5, %r8; sub.u64 %rd3, %rd4, %rd5;",
      [](uint32_t x, uint32_t, uint32_t) { return x <= 7 ? 0 : ~uint64_t{0} << 32; });
}

TEST(Forms, truncation_and_the_count_of_a_loop) {
  expect_threads(
      "cvt.u64.u32 %rd4, %r1; mul.lo.u64 %rd4, %rd4, 0x123456789; mov.u32 %r8, 0; mov.u32 %r9, 0; "
      "LOOP: cvt.u32.u64 %r10, %rd4; add.u32 %r9, %r9, %r10; add.u64 %rd4, %rd4, 1; "
      "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 5; @%p1 bra LOOP; cvt.u64.u32 %rd3, %r9;",
      [](uint32_t x, uint32_t, uint32_t) {
        return uint64_t{static_cast<uint32_t>(5 * (x * 0x123456789) + 10)};
      });
}

TEST(Forms, instructions_that_work_in_lanes_only_are_computed_once_where_all_lanes_have_one_value) {
  // Vectors, carries, and comparisons with two results or a register as the result; then one that differs.
  expect_threads(
      "ld.param.u32 %r7, [three]; mov.b64 %rd4, {%r7, %r5}; mov.b64 {%r8, %r9}, %rd4; sub.u32 %r9, %r9, %r5; "
      "add.cc.u32 %r10, %r7, 0xffffffff; addc.u32 %r11, 0, 0; setp.lt.u32 %p1|%p2, %r7, 4; "
      "set.lt.u32.u32 %r12, %r7, 4; and.b32 %r12, %r12, 4; selp.u32 %r13, 100, 200, %p1; "
      "selp.u32 %r14, 1000, 2000, %p2; add.u32 %r8, %r8, %r9; add.u32 %r8, %r8, %r10; add.u32 %r8, %r8, "
      "%r11; "
      "add.u32 %r8, %r8, %r12; add.u32 %r8, %r8, %r13; add.u32 %r8, %r8, %r14; "
      "add.cc.u32 %r8, %r8, %r1; addc.u32 %r9, %r7, 0; mov.b64 %rd3, {%r8, %r9};",
      [](uint32_t x, uint32_t, uint32_t) { return uint64_t{3} << 32 | (3 + 2 + 1 + 4 + 100 + 2000 + x); });
}

TEST(Forms, a_value_of_all_lanes_meets_values_of_each) {
  // %r8 is the same in all lanes, %r9 has no form; each is written over the other in turn.
  expect_threads(
      "ld.param.u32 %r7, [three]; xor.b32 %r9, %r1, %r2; mov.u32 %r8, 5; mov.u32 %r10, 0; "
      "LOOP: xor.b32 %r9, %r9, %r8; add.u32 %r8, %r8, %r7; add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 4; "
      "@%p1 bra LOOP; xor.b32 %r8, %r8, %r9; setp.lt.u32 %p2, %r1, 7; mov.u32 %r11, 9; "
      "@%p2 xor.b32 %r11, %r11, %r8; @%p2 bra OVER; xor.b32 %r11, %r8, %r11; OVER: cvt.u64.u32 %rd3, %r11;",
      [](uint32_t x, uint32_t y, uint32_t) { return uint64_t{(x ^ y ^ 5 ^ 8 ^ 11 ^ 14) ^ 17 ^ 9}; });
}

TEST(Forms, a_register_is_constant_if_the_threads_that_still_run_agree) {
  struct alignas(64) File {
    std::array<std::byte, FormLayout::kBytes> form{};
    std::array<std::array<uint32_t, kLanes>, 3> lanes{};
  };
  File file;
  auto* const registers = reinterpret_cast<std::byte*>(&file);
  const auto constant_in = [&](const Operand& operand, const std::array<uint32_t, 3>& alive) {
    drop_form(registers, operand);
    find_constant(registers, operand, alive);
    const Form& form = form_of(registers, operand);
    return form.state & kIsConstant ? std::optional(form.first) : std::nullopt;
  };
  const Operand word{.offset = FormLayout::kBytes, .stride = kLanes * sizeof(uint32_t)};
  for (auto& warp : file.lanes) warp.fill(7);
  file.lanes[0][3] = 8;
  EXPECT_EQ(constant_in(word, {~0u, ~0u, ~0u}), std::nullopt);
  EXPECT_EQ(constant_in(word, {~8u, ~0u, ~0u}), 7u);
  EXPECT_EQ(constant_in(word, {8, 0, 0}), 8u);
  EXPECT_EQ(constant_in(word, {8, 0, 1}), std::nullopt);
  file.lanes[1].fill(9);
  EXPECT_EQ(constant_in(word, {~8u, 0, ~0u}), 7u);

  const Operand predicate{
      .offset = FormLayout::kBytes, .stride = sizeof(uint32_t), .width = ptx::SlotWidth::Predicate};
  file.lanes[0] = {0xf0f, 0, 0xff};
  EXPECT_EQ(constant_in(predicate, {0xf0f, 0, 0xf}), 0xffffffffu);
  EXPECT_EQ(constant_in(predicate, {0xf0, ~0u, 0xff00}), 0u);
  EXPECT_EQ(constant_in(predicate, {0xf0, 0, 1}), std::nullopt);
}

TEST(Forms, what_some_lanes_overwrite_keeps_the_others) {
  expect_threads(
      "cvt.u64.u32 %rd3, %r4; sub.u64 %rd3, %rd3, %rd3; cvt.u64.u32 %rd4, %r1; add.u64 %rd3, %rd3, %rd4; "
      "and.b32 %r8, %r1, 3; setp.eq.u32 %p1, %r8, 2; @%p1 mul.lo.u64 %rd3, %rd3, 10; "
      "setp.ne.u32 %p2, %r8, 0; @%p2 bra JOIN; add.u64 %rd3, %rd3, 1000; JOIN: add.u64 %rd3, %rd3, 1;",
      [](uint32_t x, uint32_t, uint32_t) {
        return uint64_t{x} * (x % 4 == 2 ? 10 : 1) + (x % 4 == 0 ? 1000 : 0) + 1;
      });
}

TEST(Forms, comparisons_and_floating_point_numbers) {
  expect_threads(
      "setp.lt.u32 %p1, %r1, 9; setp.gt.u32 %p2, %r2, 1; cvt.rn.f32.u32 %f1, %r1; "
      "mul.f32 %f1, %f1, 0f40000000; cvt.rzi.u64.f32 %rd3, %f1; @%p1 add.u64 %rd3, %rd3, 100; "
      "@%p2 add.u64 %rd3, %rd3, 1000;",
      [](uint32_t x, uint32_t y, uint32_t) {
        return 2 * uint64_t{x} + (x < 9 ? 100 : 0) + (y > 1 ? 1000 : 0);
      });
}

/// Whether `%r8 < %r9`, `>=`, and the same with the operands exchanged, of signed and of unsigned numbers.
constexpr std::string_view kCompare =
    "setp.lt.u32 %p1, %r8, %r9; selp.b32 %r10, 1, 0, %p1; setp.ge.s32 %p2, %r8, %r9; selp.b32 %r11, 2, 0, "
    "%p2; "
    "setp.gt.u32 %p1, %r9, %r8; selp.b32 %r12, 4, 0, %p1; setp.le.s32 %p2, %r9, %r8; selp.b32 %r13, 8, 0, "
    "%p2; "
    "or.b32 %r10, %r10, %r11; or.b32 %r12, %r12, %r13; or.b32 %r10, %r10, %r12; cvt.u64.u32 %rd3, %r10;";
uint64_t compared(uint32_t a, uint32_t b) {
  const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  return (a < b ? 5 : 0) + (x >= y ? 10 : 0);
}

TEST(Forms, an_order_with_one_number_is_that_of_every_lane) {
  for (const uint32_t number : {0u, 1u, 7u, 31u, 32u, 100u, 1024u, 5000u, 0x80000000u, 0xffffffffu})
    expect_threads(fmt::format("mov.u32 %r9, {}; mad.lo.u32 %r8, %r2, 48, %r1; {}", number, kCompare),
                   [&](uint32_t x, uint32_t y, uint32_t) { return compared(48 * y + x, number); });
}

TEST(Forms, an_order_of_lanes_that_wrap_around_is_that_of_every_lane) {
  // The numbers of a warp pass 2^32, or 2^31, or fall below 0.
  for (const uint32_t begin : {0xfffffff0u, 0x7ffffff0u, 5u, 0x80000010u})
    for (const int32_t step : {1, -1, 0x4000000})
      for (const uint32_t number : {3u, 0x7fffffffu, 0xfffffff8u})
        expect_threads(
            fmt::format("mov.u32 %r9, {}; mov.u32 %r7, {}; mul.lo.u32 %r8, %r1, {}; add.u32 %r8, %r8, "
                        "%r7; {}",
                        number, begin, step, kCompare),
            [&](uint32_t x, uint32_t, uint32_t) {
              return compared(begin + x * static_cast<uint32_t>(step), number);
            });
}

/// Each number twice: what was found for it is used again, and not for the next.
TEST(Forms, a_comparison_with_another_number_in_each_lap_is_that_of_the_lap) {
  expect_threads(
      "mov.u32 %r8, 0; mov.u32 %r9, 0; LOOP: shr.u32 %r10, %r8, 1; add.u32 %r11, %r2, %r10; "
      "setp.lt.u32 %p2, %r1, %r10; selp.u32 %r12, 1, 0, %p2; add.u32 %r9, %r9, %r12; "
      "setp.eq.u32 %p3, %r1, %r11; @%p3 add.u32 %r9, %r9, 1000; "
      "setp.gt.and.s32 %p6, %r1, %r10, %p2; @%p6 add.u32 %r9, %r9, 1000000; "
      "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 40; @%p1 bra LOOP; cvt.u64.u32 %rd3, %r9;",
      [](uint32_t x, uint32_t y, uint32_t) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < 20; ++k) sum += 2 * ((x < k ? 1 : 0) + (x == y + k ? 1000 : 0));
        return sum;
      });
  expect_threads(
      "mov.u32 %r8, 0; mov.u32 %r9, 0; LOOP: shr.u32 %r10, %r8, 1; and.b32 %r11, %r1, 1; "
      "setp.eq.u32 %p2, %r11, 1; @%p2 bra NEXT; setp.lt.u32 %p3, %r1, %r10; @%p3 add.u32 %r9, %r9, 1; "
      "NEXT: add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 40; @%p1 bra LOOP; cvt.u64.u32 %rd3, %r9;",
      [](uint32_t x, uint32_t, uint32_t) { return x % 2 == 1 || x >= 19 ? 0 : uint64_t{2} * (19 - x); });
}

TEST(Forms, predicates_that_all_threads_share_are_like_others) {
  // %p1 is true and %p2 false in all threads; %p3 differs between them.
  constexpr std::string_view kPredicates =
      "ld.param.u32 %r7, [three]; setp.eq.u32 %p1, %r7, 3; setp.gt.and.u32 %p2, %r7, 2, !%p1; "
      "setp.lt.u32 %p3, %r1, 5; mov.u64 %rd3, 0;";
  struct Case {
    std::string_view body;
    uint64_t near;  // where x is below 5
    uint64_t far;
  };
  for (const Case& one : {
           Case{"and.pred %p4, %p1, !%p2; @%p4 add.u64 %rd3, %rd3, 1; @!%p4 add.u64 %rd3, %rd3, 2;", 1, 1},
           Case{"xor.pred %p4, %p1, %p2; not.pred %p5, %p4; @%p4 mov.u64 %rd3, 1; @%p5 mov.u64 %rd3, 2;", 1,
                1},
           Case{"or.pred %p4, %p2, %p3; @%p4 mov.u64 %rd3, 1; @!%p4 mov.u64 %rd3, 2;", 1, 2},
           Case{"setp.eq.or.u32 %p4, %r7, 4, %p3; @%p4 mov.u64 %rd3, 1; @!%p4 mov.u64 %rd3, 2;", 1, 2},
           // What was shared no longer is, and the other way around.
           Case{"mov.pred %p4, %p1; mov.pred %p4, %p3; @%p4 mov.u64 %rd3, 1; @!%p4 mov.u64 %rd3, 2;", 1, 2},
           Case{"mov.pred %p4, %p1; @%p3 mov.pred %p4, %p2; @%p4 mov.u64 %rd3, 1;", 0, 1},
           Case{"mov.pred %p4, %p3; setp.ne.u32 %p4, %r7, 3; @!%p4 mov.u64 %rd3, 1;", 1, 1},
           Case{"mov.pred %p4, %p2; @%p3 bra OVER; mov.pred %p4, %p1; OVER: @%p4 mov.u64 %rd3, 1;", 0, 1},
           Case{"mov.pred %p4, %p3; @%p2 mov.pred %p4, %p1; @%p4 mov.u64 %rd3, 1;", 1, 0},
           // Branches, exits and accesses.
           Case{"@%p2 bra OVER; mov.u64 %rd3, 1; OVER: @!%p1 bra END; add.u64 %rd3, %rd3, 2; END:", 3, 3},
           Case{"@%p1 st.global.u64 [%rd1], 7; @%p1 ld.global.u64 %rd3, [%rd1];", 7, 7},
           Case{"@%p2 ld.global.u64 %rd3, [%rd1]; @!%p2 ld.global.u32 %rd4, [%rd1+4]; add.u64 %rd3, %rd3, "
                "%rd4;",
                0, 0},
           Case{"mov.u64 %rd3, 9; @%p2 exit; @!%p1 exit; selp.u64 %rd3, %rd3, 1, %p3;", 9, 1},
           Case{"vote.sync.ballot.b32 %r8, %p1, -1; setp.ne.u32 %p4, %r8, 0; @%p4 mov.u64 %rd3, 1;", 1, 1},
       }) {
    SCOPED_TRACE(one.body);
    expect_threads(fmt::format("{}{}", kPredicates, one.body),
                   [&](uint32_t x, uint32_t, uint32_t) { return x < 5 ? one.near : one.far; });
  }
}

TEST(Forms, a_loop_whose_warps_part_and_meet_at_a_barrier) {
  expect_threads(
      "mov.u32 %r8, 0; cvt.u64.u32 %rd3, %r1; LOOP: setp.ge.u32 %p1, %r1, %r8; @%p1 bra SKIP; "
      "add.u64 %rd3, %rd3, 3; SKIP: bar.sync 0; add.u32 %r8, %r8, 8; setp.le.u32 %p2, %r8, 64; "
      "@%p2 bra LOOP;",
      [](uint32_t x, uint32_t, uint32_t) {
        uint64_t sum = x;
        for (uint32_t round = 0; round <= 64; round += 8) sum += x < round ? 3 : 0;
        return sum;
      });
}

/// Wants no values, so that accesses may come all at once.
class GroupSink final : public trace::Sink {
 public:
  explicit GroupSink(AccessList& accesses) : sink_(accesses) {}
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess& access) override { sink_.on_access(access); }

 private:
  ListSink sink_;
};

TEST(Forms, the_one_lane_that_is_out_of_bounds_is_found_whatever_corner_it_is_at) {
  constexpr std::string_view kReversed =
      "mul.wide.s32 %rd5, %r4, -16; add.u64 %rd1, %rd1, %rd5; mul.wide.u32 %rd6, %r7, 8; add.u64 %rd1, %rd1, "
      "%rd6;";
  struct Case {
    std::string_view address;
    int offset;
    bool last;  // the thread whose word it is; else thread 0
  };
  for (const Case& one :
       {Case{"", 8, true}, Case{"", -8, false}, Case{kReversed, 8, false}, Case{kReversed, -8, true}}) {
    for (const Dim3 shape : kShapes) {
      for (const Vectors vectors : kAllVectors) {
        const auto threads = static_cast<uint32_t>(volume(shape));
        LaunchBuilder builder({1, 1, 1}, shape);
        builder.buffer("out", std::vector<uint64_t>(threads)).value(threads - 1);
        KernelRun kernel;
        run_kernel(kernel,
                   kernel_text(".param .u64 out, .param .u32 last",
                               fmt::format("{}\nld.param.u32 %r7, [last]; mov.u64 %rd3, 1;\n{}\n"
                                           "st.global.u64 [%rd1+{}], %rd3; ret;",
                                           kBegin, one.address, one.offset)),
                   builder.launch, {.vectors = vectors});
        ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
        EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
        EXPECT_EQ(kernel.outcome.hazards[0].thread, position_of(one.last ? threads - 1 : 0, shape));
      }
    }
  }
}

TEST(Forms, a_loop_with_another_factor_each_time_is_right_when_spreads_run_out) {
  // The sum of i * x + y / (i + 1) for i up to 999 in each of three blocks; the second begins with spreads
  // forgotten.
  const std::string text = kernel_text(
      ".param .u64 out",
      fmt::format(
          "{}\nmov.u32 %r7, 0; mov.u32 %r8, 0;\n"
          "NEXT: mul.lo.u32 %r9, %r1, %r7; add.u32 %r8, %r8, %r9; add.u32 %r7, %r7, 1; "
          "div.u32 %r10, %r2, %r7; add.u32 %r8, %r8, %r10; setp.lt.u32 %p1, %r7, 1000; @%p1 bra NEXT;\n"
          "st.global.u32 [%rd1], %r8; ret;",
          kBegin));
  for (const Dim3 shape : {Dim3{32, 8, 1}, Dim3{8, 8, 2}, Dim3{100, 1, 1}}) {
    for (const Vectors vectors : kAllVectors) {
      LaunchBuilder builder({3, 1, 1}, shape);
      builder.buffer("out", std::vector<uint64_t>(volume(shape)));
      KernelRun kernel;
      run_kernel(kernel, text, builder.launch, {.vectors = vectors});
      ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
      const auto out = values_of<uint64_t>(kernel.outcome.buffers[0]);
      for (uint32_t thread = 0; thread < out.size(); ++thread) {
        const Dim3 at = position_of(thread, shape);
        uint32_t expected = 0;
        for (uint32_t i = 0; i < 1000; ++i) expected += i * at.x + at.y / (i + 1);
        ASSERT_EQ(out[thread], expected) << thread;
      }
    }
  }
}

void expect_engines_agree_in_all_shapes(const std::string& text) {
  for (const Dim3 shape : kShapes) {
    if (shape.x > 64 || shape.y > 64) continue;
    LaunchBuilder builder({2, 1, 1}, shape);
    builder.buffer("out", std::vector<uint64_t>(volume(shape)));
    const auto program = program_of(text);
    ASSERT_TRUE(program);
    tests::expect_engines_agree(*program, builder.launch, text);
  }
}

/// The checks let the first warp pass, which has written the word itself, and look closer at the others.
TEST(Forms, a_load_from_one_address_has_its_value_in_warps_that_the_checks_part) {
  const std::string text =
      kernel_text(".param .u64 out",
                  fmt::format("{}\n.shared .align 8 .b8 tile[64];\n setp.eq.u32 %p1, %r4, 0; @!%p1 bra OVER; "
                              "st.shared.u32 [tile], 7; OVER: bar.warp.sync -1; ld.shared.u32 %r8, [tile]; "
                              "st.global.u32 [%rd1], %r8; ret;",
                              kBegin));
  for (const Vectors vectors : kAllVectors) {
    LaunchBuilder builder({1, 1, 1}, {32, 4, 1});
    builder.buffer("out", std::vector<uint64_t>(128));
    AccessList accesses;
    GroupSink sink(accesses);
    const auto program = program_of(text);
    ASSERT_TRUE(program);
    const auto outcome = run(*program, builder.launch, [&](unsigned) -> trace::Sink& { return sink; },
                             {.threads = 1, .vectors = vectors, .checks = Checks::All});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->hazards.size(), 1u);
    EXPECT_EQ(values_of<uint64_t>(outcome->buffers[0]), std::vector<uint64_t>(128, 7));
  }
}

/// In an if, by the same lanes of each warp or of the first ones; the other lanes would be out of bounds, or
/// at other strides.
TEST(Forms, accesses_in_an_if_are_those_of_warps_one_by_one) {
  for (const std::string_view condition : {"setp.eq.u32 %p1, %r1, 0", "setp.lt.u32 %p1, %r4, 20",
                                           "setp.eq.u32 %p1, %r2, 0", "setp.gt.u32 %p1, %r1, 2"})
    for (const std::string_view address : {"mul.lo.u32 %r8, %r4, 4", "mad.lo.u32 %r8, %r2, 4, 64",
                                           "mul.lo.u32 %r8, %r1, 4", "mul.lo.u32 %r8, %r2, 132"}) {
      SCOPED_TRACE(fmt::format("{}, {}", condition, address));
      expect_engines_agree_in_all_shapes(kernel_text(
          ".param .u64 out",
          fmt::format(
              "{}\n.shared .align 8 .b8 tile[16384];\n mov.u32 %r7, tile; {}; {}; "
              "add.u32 %r8, %r8, %r7; mov.u32 %r10, 3; mov.u32 %r11, 5; @!%p1 bra OVER; "
              "st.shared.u32 [%r8], %r4; ld.shared.u32 %r10, [%r8+4]; ld.shared.u16 %r11, [tile+8]; "
              "ld.global.u32 %r12, [%rd1+4]; add.u32 %r10, %r10, %r12; OVER: add.u32 %r10, %r10, %r11; "
              "st.global.u32 [%rd1], %r10; ret;",
              kBegin, condition, address)));
    }
}

TEST(Forms, accesses_are_those_of_warps_one_by_one) {
  expect_engines_agree_in_all_shapes(kernel_text(
      ".param .u64 out",
      fmt::format(
          "{}\n.shared .align 8 .b8 tile[16384];\n mov.u32 %r7, tile; mad.lo.u32 %r8, %r1, 36, %r7; "
          "mad.lo.u32 %r8, %r2, 4, %r8; st.shared.u32 [%r8], %r4; mad.lo.u32 %r9, %r2, 100, %r7; "
          "ld.shared.u32 %r10, [%r9+8]; ld.shared.v2.u32 {{%r11, %r12}}, [tile]; ld.shared.u8 %r13, [%r8+1]; "
          "setp.lt.u32 %p1, %r1, 5; @%p1 ld.global.u64 %rd4, [%rd1]; ld.global.u32 %r14, [%rd1+4]; "
          "st.global.u64 [%rd1], %rd1; ret;",
          kBegin)));
}

}  // namespace
}  // namespace lanescope::emulator
