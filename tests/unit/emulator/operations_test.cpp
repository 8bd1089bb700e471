// Operations of kernels whose steps are counted by hand.

#include "emulator/operations.h"

#include "emulator/run.h"
#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

trace::Cost no_cost_of(const trace::WarpAccess&) { return {}; }

trace::Operations operations_of_kernel(std::string_view body, Dim3 grid, Dim3 block) {
  const auto program = program_of(kernel_text("", body));
  EXPECT_TRUE(program) << program.error().message;
  launch::Launch launch;
  launch.grid = grid;
  launch.block = block;
  const auto recording = record(*program, launch, no_cost_of, {}, {});
  EXPECT_TRUE(recording) << recording.error().message;
  return recording->trace.operations;
}

TEST(Operations, multiply_add_counts_as_two) {
  // 2 blocks of 48 threads: a multiply-add and a sum of floats.
  const trace::Operations found = operations_of_kernel(
      "mov.f32 %f1, 0f3F800000; fma.rn.f32 %f2, %f1, %f1, %f1; add.f32 %f3, %f2, %f1; ret;", {2, 1, 1},
      {48, 1, 1});
  EXPECT_EQ(found, (trace::Operations{.fp32 = 2 * 48 * 3}));
}

TEST(Operations, lanes_of_a_branch_are_counted_alone) {
  // 8 of 32 lanes multiply doubles; each lane compares, which counts nothing.
  const trace::Operations found = operations_of_kernel(
      "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 8; @%p1 bra END; mov.f64 %fd1, 0d3FF0000000000000; "
      "mul.f64 %fd2, %fd1, %fd1; END: ret;",
      {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(found, (trace::Operations{.fp64 = 8}));
}

TEST(Operations, loop_counts_each_time) {
  // 5 times: a sum of integers for the counter, a multiply-add of floats.
  const trace::Operations found = operations_of_kernel(
      "mov.u32 %r1, 0; mov.f32 %f1, 0f3F800000;\nLOOP: fma.rn.f32 %f1, %f1, %f1, %f1; add.u32 %r1, %r1, 1; "
      "setp.lt.u32 %p1, %r1, 5; @%p1 bra LOOP; ret;",
      {3, 1, 1}, {32, 1, 1});
  EXPECT_EQ(found, (trace::Operations{.fp32 = 3 * 32 * 5 * 2, .integer = 3 * 32 * 5}));
}

TEST(Operations, pairs_of_halves_count_as_both) {
  const trace::Operations found =
      operations_of_kernel("mov.b32 %r1, 0; fma.rn.f16x2 %r2, %r1, %r1, %r1; ret;", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(found, (trace::Operations{.fp16 = 32 * 4}));
}

TEST(Operations, product_of_matrices_is_that_of_the_warp) {
  // 16 x 8 x 16 multiply-adds for each of two warps.
  const trace::Operations found = operations_of_kernel(
      "mov.b32 %r1, 0; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1, "
      "%r1, "
      "%r1}, {%r1, %r1}, {%f5, %f6, %f7, %f8}; ret;",
      {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(found, (trace::Operations{.tensor = 2 * 2 * 16 * 8 * 16}));
}

TEST(Operations, are_the_same_without_shortcuts) {
  const auto program = program_of(kernel_text(
      "",
      "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 7;\nLOOP: add.u32 %r2, %r2, 3; setp.lt.u32 %p1, %r2, 20; @%p1 "
      "bra LOOP; cvt.rn.f32.u32 %f1, %r2; mul.f32 %f2, %f1, %f1; ret;"));
  ASSERT_TRUE(program);
  launch::Launch launch;
  launch.grid = {40, 1, 1};
  launch.block = {96, 1, 1};
  Options reference;
  reference.engine = Engine::Reference;
  const auto fast = record(*program, launch, no_cost_of, {}, {});
  const auto slow = record(*program, launch, no_cost_of, {}, reference);
  ASSERT_TRUE(fast && slow);
  EXPECT_EQ(fast->trace.operations, slow->trace.operations);
  EXPECT_EQ(fast->trace.operations.fp32, 40u * 96);
}

}  // namespace
}  // namespace lanescope::emulator
