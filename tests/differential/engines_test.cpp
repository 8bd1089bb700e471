// The engines of the emulator agree on the test kernels and on the probes of instructions.

#include "support/engines.h"

#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// Kernels that poll: locks, compare-and-swap in a loop, mbarriers and barriers of clusters.
constexpr std::array<std::string_view, 7> kPoll{"atomics",           "barrier_object", "bulk_copy",
                                                "cluster_histogram", "cluster_shift",  "pipeline_object",
                                                "spin_lock"};

class EnginesOnKernels : public testing::TestWithParam<tests::TestKernel> {};

TEST_P(EnginesOnKernels, agree) {
  const tests::TestKernel& kernel = GetParam();
  const auto text = tests::read_file(tests::stored_kernel_file(tests::source_dir(), kernel.name + ".cu"));
  ASSERT_TRUE(text);
  const auto module = ptx::parse(*text, kernel.name);
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = ptx::lower(*module, kernel.name);
  ASSERT_TRUE(program) << describe(program.error());
  const auto launch = tests::launch_of(kernel);
  ASSERT_TRUE(launch) << describe(launch.error());
  const bool polls = std::ranges::find(kPoll, kernel.name) != kPoll.end();
  tests::expect_engines_agree(*program, *launch, kernel.title(),
                              polls ? tests::Common::Results : tests::Common::All);
}

INSTANTIATE_TEST_SUITE_P(Fast, EnginesOnKernels, testing::ValuesIn(tests::kernels_of(tests::Tier::Fast)),
                         tests::kKernelName);
INSTANTIATE_TEST_SUITE_P(Slow, EnginesOnKernels, testing::ValuesIn(tests::kernels_of(tests::Tier::Slow)),
                         tests::kKernelName);

}  // namespace
}  // namespace lanescope
