// The recorders that a GPU would run, run by the emulator: their trace is the emulator's own, access by
// access and in its totals, for the test kernels and the lessons' kernels, and the kernels' results stay as
// they were.

#include "gpu/instrument/instrument.h"
#include "launch/argument_spec.h"
#include "model/cost.h"
#include "support/emulated_machine.h"
#include "support/kernel_ptx.h"
#include "support/lesson_kernels.h"
#include "support/matrix_run.h"
#include "support/project.h"
#include "support/test_kernel.h"
#include "support/trace_difference.h"
#include "support/trace_table.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();

/// Kernels whose threads wait for or overtake each other. In the emulator blocks come last in their order.
bool differs_by_run(const std::string& name) {
  if (name == "reduce_last_block") return false;
  static const std::set<std::string> kNames = tests::kernels_with(kProject, "order");
  return kNames.contains(name);
}

trace::Keep keep(trace::Keep::Blocks blocks) {
  trace::Keep keep;
  keep.blocks = blocks;
  return keep;
}

enum class Equal { Totals, Accesses };

/// Cost by what is written: the records of a GPU have the read and the write of an asynchronous copy apart.
trace::Cost cost_of_written(const trace::WarpAccess& access) {
  trace::WarpAccess written = access;
  written.reading = {};
  return model::cost_of(written);
}

void compare(const std::string& text, const std::string& entry, const launch::Launch& launch,
             const trace::Keep& keep, Equal equal, uint64_t first_bytes = 1 << 19) {
  const auto module = ptx::parse(text, entry + ".ptx");
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = ptx::lower(*module, entry);
  ASSERT_TRUE(program) << describe(program.error());
  if (const auto may = gpu::check_traceable(*module, *program); !may) GTEST_SKIP() << may.error().message;
  emulator::Pool pool(1);
  const auto expected = emulator::record(*program, launch, cost_of_written, keep, {.pool = &pool});
  ASSERT_TRUE(expected) << describe(expected.error());
  tests::EmulatedMachine machine(launch, entry, pool, first_bytes);
  const auto found = gpu::trace_kernel(
      machine, {*module, *program, launch, emulator::trace_header(*program, launch), cost_of_written, keep});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(tests::difference_of_totals(expected->trace, found->trace), "");
  if (equal == Equal::Accesses) {
    EXPECT_EQ(tests::difference_of_accesses(expected->trace, found->trace), "");
  }
  EXPECT_EQ(found->trace.dropped, expected->trace.dropped);
  for (size_t n = 0; n < launch.buffers.size(); ++n)
    EXPECT_TRUE(*found->buffers[n] == *expected->buffers[n]) << "buffer " << n << " differs";
}

class TestKernels : public testing::TestWithParam<tests::TestKernel> {};

TEST_P(TestKernels, leave_the_same_accesses_with_recorders) {
  const auto launch = tests::launch_of(GetParam());
  ASSERT_TRUE(launch) << describe(launch.error());
  if (differs_by_run(GetParam().name)) GTEST_SKIP() << "its result depends on which thread is first";
  const auto text = tests::read_file(kProject / "tests/data/kernels" / (GetParam().name + ".ptx"));
  ASSERT_TRUE(text);
  compare(*text, GetParam().name, *launch, {}, Equal::Accesses);
}

TEST_P(TestKernels, leave_the_same_totals_with_counters) {
  const auto launch = tests::launch_of(GetParam());
  ASSERT_TRUE(launch) << describe(launch.error());
  if (differs_by_run(GetParam().name)) GTEST_SKIP() << "its result depends on which thread is first";
  const auto text = tests::read_file(kProject / "tests/data/kernels" / (GetParam().name + ".ptx"));
  ASSERT_TRUE(text);
  compare(*text, GetParam().name, *launch, keep(trace::Keep::Blocks::None), Equal::Totals);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TestKernels, testing::ValuesIn(tests::kernels_of(tests::Tier::Fast)),
                         tests::kKernelName);
INSTANTIATE_TEST_SUITE_P(SlowKernels, TestKernels, testing::ValuesIn(tests::kernels_of(tests::Tier::Slow)),
                         tests::kKernelName);

/// Accesses that share a recorder are in program order. Warps of this kernel never diverge.
TEST(TestKernelOrder, leave_their_accesses_in_program_order) {
  const auto kernels = *tests::test_kernels(kProject / "tests/kernels");
  const auto found = std::ranges::find(kernels, "matmul_tiled", &tests::TestKernel::name);
  ASSERT_NE(found, kernels.end());
  const auto launch = tests::launch_of(*found);
  ASSERT_TRUE(launch) << describe(launch.error());
  const auto text = tests::read_file(kProject / "tests/data/kernels/matmul_tiled.ptx");
  const auto module = ptx::parse(*text, "matmul_tiled.ptx");
  const auto program = ptx::lower(*module, "matmul_tiled");
  ASSERT_TRUE(program) << describe(program.error());
  emulator::Pool pool(1);
  const auto expected = emulator::record(*program, *launch, model::cost_of, {}, {.pool = &pool});
  tests::EmulatedMachine machine(*launch, "matmul_tiled", pool, 1 << 19);
  const auto traced = gpu::trace_kernel(
      machine, {*module, *program, *launch, emulator::trace_header(*program, *launch), model::cost_of, {}});
  ASSERT_TRUE(traced) << describe(traced.error());
  using Step = std::pair<uint32_t, uint32_t>;
  const auto steps = [](const trace::StoredBlock& block) {
    std::map<uint32_t, std::vector<Step>> sites;  // [warp] (step, site)
    for (const trace::StoredAccess& access : block.accesses)
      sites[access.warp.value].emplace_back(access.step, access.site.value);
    return sites;
  };
  ASSERT_EQ(traced->trace.blocks.size(), expected->trace.blocks.size());
  for (size_t n = 0; n < expected->trace.blocks.size(); ++n)
    EXPECT_EQ(steps(traced->trace.blocks[n]), steps(expected->trace.blocks[n])) << "block " << n;
}

/// Lanes of one warp store through one generic address into three spaces, and load from four: which lane
/// goes where rotates with its number, so that no space's lanes are adjacent.
constexpr std::string_view kSpaces = R"(.version 7.8
.target sm_75
.address_size 64
.const .align 4 .u32 constants[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
.visible .entry spaces(.param .u64 scratch, .param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  .shared .align 4 .b8 tile[256];
  .local .align 4 .b8 own[16];
  mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r2, %r1, %r3;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r2, %r2, 64, %r1;
  mul.wide.u32 %rd1, %r1, 4;
  mul.wide.u32 %rd2, %r2, 4;
  ld.param.u64 %rd3, [scratch];
  cvta.to.global.u64 %rd3, %rd3;
  cvta.global.u64 %rd3, %rd3;
  add.u64 %rd3, %rd3, %rd2;
  mov.u64 %rd4, tile;
  cvta.shared.u64 %rd4, %rd4;
  add.u64 %rd4, %rd4, %rd1;
  mov.u64 %rd5, own;
  cvta.local.u64 %rd5, %rd5;
  mov.u64 %rd6, constants;
  cvta.const.u64 %rd6, %rd6;
  add.u64 %rd6, %rd6, %rd1;
  and.b32 %r3, %r1, 3;
  setp.eq.u32 %p1, %r3, 1;
  setp.eq.u32 %p2, %r3, 2;
  setp.eq.u32 %p3, %r3, 3;
  selp.b64 %rd7, %rd4, %rd3, %p1;
  selp.b64 %rd7, %rd5, %rd7, %p2;
  st.u32 [%rd7], %r2;
  selp.b64 %rd7, %rd6, %rd7, %p3;
  ld.u32 %r4, [%rd7];
  ld.param.u64 %rd8, [out];
  add.u64 %rd8, %rd8, %rd2;
  st.global.u32 [%rd8], %r4;
  ret;
})";

TEST(SpacesOfOneAccess, are_counted_and_recorded_separately) {
  for (const Dim3 block : {Dim3{64, 1, 1}, Dim3{16, 4, 1}, Dim3{23, 1, 1}})
    for (const auto blocks : {trace::Keep::Blocks::None, trace::Keep::Blocks::All}) {
      SCOPED_TRACE(testing::Message() << "blocks of " << block.x << " x " << block.y);
      launch::Launch launch;
      launch.grid = {5, 1, 1};
      launch.block = block;
      ASSERT_TRUE(launch::add_argument(launch, "u32[320]:zeros"));
      ASSERT_TRUE(launch::add_argument(launch, "u32[320]:zeros"));
      const bool all = blocks == trace::Keep::Blocks::All;
      compare(std::string(kSpaces), "spaces", launch, keep(blocks), all ? Equal::Accesses : Equal::Totals);
    }
}

TEST(TraceKernel, refuses_a_header_that_is_not_of_this_kernel_and_launch) {
  const auto module = ptx::parse(kSpaces, "spaces.ptx");
  const auto program = ptx::lower(*module, "spaces");
  ASSERT_TRUE(program) << describe(program.error());
  launch::Launch launch;
  launch.block = {32, 1, 1};
  for (int n = 0; n < 2; ++n) ASSERT_TRUE(launch::add_argument(launch, "u32[64]:zeros"));
  emulator::Pool pool(1);
  const auto refused = [&](const trace::Trace& header) {
    tests::EmulatedMachine machine(launch, "spaces", pool);
    const auto traced =
        gpu::trace_kernel(machine, {*module, *program, launch, header, model::cost_of, trace::Keep{}});
    return !traced && traced.error().kind == ErrorKind::Launch && machine.runs == 0;
  };
  const trace::Trace right = emulator::trace_header(*program, launch);
  EXPECT_FALSE(refused(right));
  trace::Trace wrong = right;
  wrong.sites.pop_back();
  EXPECT_TRUE(refused(wrong));
  wrong = right;
  wrong.grid.x = 2;
  EXPECT_TRUE(refused(wrong));
  wrong = right;
  wrong.block.x = 64;
  EXPECT_TRUE(refused(wrong));
}

TEST(LessonKernels, leave_the_same_trace_with_recorders) {
  const lesson::Lesson lesson = tests::matrix_lesson().value();
  const auto kernels = tests::lesson_kernels();
  if (!kernels && kernels.error().kind == ErrorKind::File) GTEST_SKIP() << kernels.error().message;
  ASSERT_TRUE(kernels) << describe(kernels.error());
  int n = 0;
  for (const tests::StoredKernel& kernel : *kernels) {
    const lesson::MatrixSize sizes[] = {{64, 64}, {70, 33}, {33, 31}};
    const auto launch = tests::launch_of(lesson, kernel, sizes[n % 3]);
    ASSERT_TRUE(launch) << describe(launch.error());
    SCOPED_TRACE(kernel.text.substr(0, kernel.text.find('\n')));
    const auto blocks = n % 2 == 0 ? trace::Keep::Blocks::All : trace::Keep::Blocks::None;
    compare(kernel.text, kernel.entry(), *launch, keep(blocks), n % 2 == 0 ? Equal::Accesses : Equal::Totals);
    ++n;
  }
}

}  // namespace
}  // namespace lanescope
