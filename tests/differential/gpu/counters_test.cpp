// Requests, sectors and address-based wavefronts of the emulator against the hardware counters of this
// machine's GPU: every text that the lessons' toggles can make, and every test kernel. Compared is what the
// hardware counts from addresses; the pipe's wavefronts carry arbitration noise and are left to the recorded
// run (h200_counters_test.cpp). A count that differs must be in a list of differences, with its cause: mostly
// what the assembler changed between PTX and machine code.

#include "gpu/counters.h"

#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "support/emulated_counts.h"
#include "support/h200_run.h"
#include "support/kernel_ptx.h"
#include "support/project_options.h"
#include "support/test_kernel.h"

#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();

/// Counters of the GPU, opened once: opening takes longer than counting.
Result<gpu::Counters>& counters() {
  static Result<gpu::Counters> opened = []() -> Result<gpu::Counters> {
    TRY(const gpu::Driver driver, gpu::Driver::open());
    TRY(const gpu::Context context, gpu::Context::make(driver));
    const std::array folders{kProject / ".cache/third_party/cupti/nvidia/cu13/lib"};
    return gpu::Counters::open(context, folders);
  }();
  return opened;
}

/// "kernel,counter" of every difference that has a cause.
std::set<std::string> listed(const char* file) {
  std::set<std::string> all;
  const auto table = tests::read_table(kProject / "tests/data/h200" / file);
  EXPECT_TRUE(table) << describe(table.error());
  if (table)
    for (const auto& row : *table) all.insert(row.at("kernel") + "," + row.at("counter"));
  return all;
}

/// Fails for every count that differs and is not listed.
void expect_equal(const std::string& title, std::string_view ptx, const std::string& entry,
                  const launch::Launch& launch, const std::set<std::string>& known) {
  const auto emulated = tests::emulated_counts(ptx, title, entry, launch);
  ASSERT_TRUE(emulated) << title << ": " << describe(emulated.error());
  const auto counted = counters()->count({ptx, title, entry}, launch, gpu::Filling::Initial);
  ASSERT_TRUE(counted) << title << ": " << describe(counted.error());
  for (const tests::CountDifference& difference : tests::differences_of(*emulated, *counted))
    if (!known.contains(title + "," + difference.count))
      ADD_FAILURE() << fmt::format("{},{},{},{}", title, difference.count, difference.emulated,
                                   difference.hardware);
}

TEST(GpuCounters, every_text_of_every_lesson_counts_as_in_the_emulator) {
  if (!counters()) GTEST_SKIP() << counters().error().message;
  const pipeline::Options options = tests::project_options(1);
  pipeline::Execution execution(options);
  const auto texts = pipeline::all_lesson_texts(options);
  ASSERT_TRUE(texts) << describe(texts.error());
  const std::set<std::string> known = listed("lesson_differences.csv");
  for (const pipeline::LessonText& text : *texts) {
    const auto lesson = lesson::find_lesson(options.assets / "lessons", text.lesson);
    ASSERT_TRUE(lesson) << describe(lesson.error());
    lesson::Settings settings = text.settings;
    settings.values["size"] = "256";
    const auto job = pipeline::job_of(*lesson, settings, options);
    ASSERT_TRUE(job) << describe(job.error());
    const auto ptx = execution.compiler().ptx_text(text.job);
    ASSERT_TRUE(ptx) << describe(ptx.error());
    const std::string title = fmt::format("{}:{}", text.job.kernel, fmt::join(text.job.options.defines, ":"));
    expect_equal(title, *ptx, text.job.kernel, *job->launch, known);
  }
}

TEST(GpuCounters, every_test_kernel_counts_as_in_the_emulator) {
  if (!counters()) GTEST_SKIP() << counters().error().message;
  const auto kernels = tests::test_kernels(kProject / "tests/kernels");
  ASSERT_TRUE(kernels) << describe(kernels.error());
  const std::set<std::string> known = listed("differences.csv");
  for (const tests::TestKernel& kernel : *kernels) {
    const auto ptx = tests::read_file(kProject / "tests/data/kernels" / (kernel.name + ".ptx"));
    ASSERT_TRUE(ptx) << kernel.name;
    const auto launch = tests::launch_of(kernel);
    ASSERT_TRUE(launch) << describe(launch.error());
    expect_equal(kernel.title(), *ptx, kernel.name, *launch, known);
  }
}

}  // namespace
}  // namespace lanescope
