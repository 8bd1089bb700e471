// A GPU's trace of each test kernel and of each lesson's kernel against the emulator's: the same accesses,
// the same totals, the same results. A difference names site, block, warp, lane. The program travels like
// record_on_gpu: LANESCOPE_PROJECT says where the project is then.

#include "emulator/run.h"
#include "gpu/instrument/driver_trace_machine.h"
#include "gpu/instrument/instrument.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "support/kernel_ptx.h"
#include "support/matrix_run.h"
#include "support/project.h"
#include "support/test_kernel.h"
#include "support/trace_difference.h"
#include "support/trace_table.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

fs::path project() {
  const char* moved = std::getenv("LANESCOPE_PROJECT");  // NOLINT(concurrency-mt-unsafe): one thread
  return moved == nullptr ? tests::source_dir() : fs::path(moved);
}

/// The GPU, opened once for all tests: a process has one primary context.
Result<gpu::Context> open_context() {
  TRY(const gpu::Driver driver, gpu::Driver::open());
  return gpu::Context::make(driver);
}
const Result<gpu::Context>& context() {
  static const Result<gpu::Context> opened = open_context();
  return opened;
}

enum class Results { Exact, Near };

trace::Keep keep(trace::Keep::Blocks blocks) {
  trace::Keep keep;
  keep.blocks = blocks;
  return keep;
}

void compare(const std::string& text, const std::string& entry, const launch::Launch& launch,
             trace::Keep::Blocks blocks, Results results) {
  const auto module = ptx::parse(text, entry + ".ptx");
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = ptx::lower(*module, entry);
  ASSERT_TRUE(program) << describe(program.error());
  if (const auto may = gpu::check_traceable(*module, *program); !may) GTEST_SKIP() << may.error().message;
  const auto expected = emulator::record(*program, launch, model::cost_of, keep(blocks), {});
  ASSERT_TRUE(expected) << describe(expected.error());
  const auto found = gpu::trace_on_gpu(
      *context(),
      {*module, *program, launch, emulator::trace_header(*program, launch), model::cost_of, keep(blocks)});
  ASSERT_TRUE(found) << describe(found.error());
  const bool own_stack = program->functions.size() > 1 || program->stack != ptx::kNoSlot;
  const auto locals = own_stack ? tests::Locals::ByCount : tests::Locals::ByAddress;
  EXPECT_EQ(tests::difference_of_accesses(expected->trace, found->trace, locals), "");
  // Lanes that return from a recursive function, or whose stacks differ in size, do not all execute
  // together on a GPU: more requests, as many lanes.
  const bool part = program->recursive || program->stack != ptx::kNoSlot;
  const auto requests = part ? tests::Requests::AtLeast : tests::Requests::Equal;
  EXPECT_EQ(tests::difference_of_totals(expected->trace, found->trace, requests), "");
  EXPECT_EQ(found->trace.dropped, 0u);
  for (size_t n = 0; n < launch.buffers.size() && results == Results::Exact; ++n)
    EXPECT_TRUE(*found->buffers[n] == *expected->buffers[n]) << "buffer " << n << " differs";
}

/// Kernels whose threads wait for or overtake each other.
bool differs_by_run(const std::string& name) {
  static const std::set<std::string> kNames = tests::kernels_with(project(), "order");
  return kNames.contains(name);
}

class DeviceTestKernels : public testing::TestWithParam<tests::TestKernel> {
 protected:
  void SetUp() override {
    if (!context()) GTEST_SKIP() << context().error().message;
  }
  void compare_keeping(trace::Keep::Blocks blocks) {
    const auto launch = tests::launch_of(GetParam());
    ASSERT_TRUE(launch) << describe(launch.error());
    if (differs_by_run(GetParam().name)) GTEST_SKIP() << "its result depends on which thread is first";
    const auto text = tests::read_file(project() / "tests/data/kernels" / (GetParam().name + ".ptx"));
    ASSERT_TRUE(text);
    compare(*text, GetParam().name, *launch, blocks, GetParam().tolerance ? Results::Near : Results::Exact);
  }
};

TEST_P(DeviceTestKernels, access_on_a_gpu_what_they_access_in_the_emulator) {
  compare_keeping(trace::Keep::Blocks::All);
}
TEST_P(DeviceTestKernels, are_counted_on_a_gpu_as_in_the_emulator) {
  compare_keeping(trace::Keep::Blocks::None);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceTestKernels,
                         testing::ValuesIn(tests::test_kernels(project() / "tests/kernels")
                                               .value_or(std::vector<tests::TestKernel>())),
                         [](const auto& instance) {
                           std::string name = instance.param.title();
                           std::ranges::replace_if(name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

/// The lessons' texts in parts, since the driver takes a while to compile each: several processes can share
/// them (GTEST_TOTAL_SHARDS).
constexpr int kParts = 16;
class DeviceLessons : public testing::TestWithParam<int> {};

TEST_P(DeviceLessons, access_on_a_gpu_what_they_access_in_the_emulator) {
  if (!context()) GTEST_SKIP() << context().error().message;
  // `store_ptx FOLDER` writes every text that the toggles make; without it the presets alone are compared.
  const char* texts = std::getenv("LANESCOPE_LESSON_PTX");  // NOLINT(concurrency-mt-unsafe): one thread
  const auto kernels =
      tests::stored_kernels(texts == nullptr ? project() / "assets/ptx/transpose" : fs::path(texts));
  const lesson::Lesson lesson = tests::matrix_lesson(project()).value();
  int n = -1;
  for (const tests::StoredKernel& kernel : kernels) {
    if (++n % kParts != GetParam()) continue;
    const lesson::MatrixSize sizes[] = {{64, 64}, {70, 33}, {96, 64}};
    const auto launch = tests::launch_of(lesson, kernel, sizes[n / kParts % 3]);
    ASSERT_TRUE(launch) << describe(launch.error());
    SCOPED_TRACE(kernel.text.substr(0, kernel.text.find('\n')));
    compare(kernel.text, kernel.entry(), *launch,
            n / kParts % 4 == 0 ? trace::Keep::Blocks::None : trace::Keep::Blocks::All, Results::Exact);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, DeviceLessons, testing::Range(0, kParts));

}  // namespace
}  // namespace lanescope
