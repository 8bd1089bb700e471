// The table of what a GPU's trace cannot be held to, tests/data/h200/trace_differences.csv, is true: it names
// test kernels that there are, each difference has a cause, and what follows from a kernel's text is listed
// for those kernels and no others.

#include "support/trace_table.h"

#include "emulator/run.h"
#include "gpu/instrument/instrument.h"
#include "ptx/lower.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();

/// The test kernels of which `f(module, program)` is true.
template <class F>
std::set<std::string> kernels_where(F&& f) {
  std::set<std::string> names;
  const auto kernels = tests::test_kernels(kProject / "tests/kernels");
  EXPECT_TRUE(kernels);
  if (!kernels) return names;
  for (const tests::TestKernel& kernel : *kernels) {
    const auto text = tests::read_file(kProject / "tests/data/kernels" / (kernel.name + ".ptx"));
    const auto module = ptx::parse(text.value_or(""), kernel.name + ".ptx");
    EXPECT_TRUE(module) << describe(module.error());
    const auto program = ptx::lower(*module, kernel.name);
    EXPECT_TRUE(program) << describe(program.error());
    if (f(*module, *program)) names.insert(kernel.name);
  }
  return names;
}

TEST(TraceTable, names_existing_kernels_and_a_cause_for_each) {
  const std::set<std::string> all = kernels_where([](const auto&, const auto&) { return true; });
  const auto rows = tests::trace_table(kProject);
  ASSERT_FALSE(rows.empty());
  for (const tests::TraceDifference& row : rows) {
    EXPECT_TRUE(all.contains(row.kernel)) << row.kernel;
    EXPECT_GT(row.cause.size(), 10u) << row.kernel;
    EXPECT_THAT(row.difference, testing::AnyOf("order", "untraced", "requests", "stack"));
  }
}

TEST(TraceTable, lists_the_kernels_that_are_not_traced) {
  EXPECT_EQ(tests::kernels_with(kProject, "untraced"),
            kernels_where([](const auto& module, const auto& program) {
              return !gpu::check_traceable(module, program);
            }));
}

TEST(TraceTable, lists_the_kernels_whose_lanes_may_stay_diverged) {
  EXPECT_EQ(tests::kernels_with(kProject, "requests"), kernels_where([](const auto&, const auto& program) {
              return program.recursive || program.stack != ptx::kNoSlot;
            }));
}

TEST(TraceTable, lists_the_kernels_that_have_a_stack) {
  EXPECT_EQ(tests::kernels_with(kProject, "stack"),
            kernels_where([](const auto& module, const auto& program) {
              const bool own_stack = program.functions.size() > 1 || program.stack != ptx::kNoSlot;
              return own_stack && gpu::check_traceable(module, program).has_value() &&
                     std::ranges::any_of(program.sites, [](const ptx::MemorySite& site) {
                       return site.operation.space == trace::Space::Local;
                     });
            }));
}

TEST(TracingDocument, shows_what_recorders_cost_as_it_was_measured) {
  const std::string measured = tests::read_file(kProject / "tests/data/h200/overhead.md").value_or("");
  const size_t table = measured.find("| kernel |");
  ASSERT_NE(table, std::string::npos);
  EXPECT_THAT(tests::read_file(kProject / "app/docs/tracing.md").value_or(""),
              testing::HasSubstr(measured.substr(table)));
}

}  // namespace
}  // namespace lanescope
