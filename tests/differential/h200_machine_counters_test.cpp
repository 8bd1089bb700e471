// Requests, sectors and wavefronts of every test kernel at the level of its machine code against the H200's
// counters. Method: NVRTC makes PTX and machine code in one call; the PTX is the one that ran on the H200.
// machine_differences.csv holds each count that differs still, with its cause. A difference that appears,
// changes or vanishes fails. The driver of the H200 was of the release of this NVRTC.

#include "compile/compile.h"
#include "support/emulated_counts.h"
#include "support/h200_run.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kSources = tests::source_dir();
const fs::path kOfH200 = kSources / "tests/data/h200";

class H200MachineCounters : public testing::TestWithParam<tests::TestKernel> {};

/// "kernel,counter,emulated,h200" for each count that differs.
std::set<std::string> differences_of(const std::string& title, const std::map<std::string, std::string>& row,
                                     const tests::Counts& counts) {
  std::set<std::string> found;
  for (const auto& [name, text] : row) {
    if (name == "kernel") continue;
    const auto at = counts.find(name);
    const uint64_t emulated = at == counts.end() ? 0 : at->second;
    if (emulated != std::stoull(text)) found.insert(fmt::format("{},{},{},{}", title, name, emulated, text));
  }
  return found;
}

TEST_P(H200MachineCounters, equal_those_of_the_machine_code_but_for_the_listed_differences) {
  const tests::TestKernel& kernel = GetParam();
  static const auto compiler = compile::find_compiler(kSources / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  if (compiler->major() != tests::kKernelsMajor || compiler->minor() != tests::kKernelsMinor)
    GTEST_SKIP() << "the kept PTX is of another release of NVRTC";
  static const auto recorded = tests::read_table(kOfH200 / "counters.csv");
  ASSERT_TRUE(recorded) << describe(recorded.error());
  static const auto listed = tests::read_table(kOfH200 / "machine_differences.csv");
  ASSERT_TRUE(listed) << describe(listed.error());
  const auto row = std::ranges::find(*recorded, kernel.title(), [](const auto& r) { return r.at("kernel"); });
  ASSERT_NE(row, recorded->end()) << "no counters are recorded; see tests/data/h200/README.md";

  const fs::path source = kSources / "tests/kernels" / (kernel.name + ".cu");
  const compile::Source text{source.filename().string(), tests::read_file(source).value_or(""), {}};
  compile::Options options;
  options.with_machine_code = true;
  const auto compilation = compile::compile(*compiler, text, options);
  ASSERT_TRUE(compilation && compilation->cubin) << kernel.name;
  EXPECT_EQ(*compilation->ptx,
            tests::read_file(kSources / "tests/data/kernels" / (kernel.name + ".ptx")).value_or(""));
  const auto launch = tests::launch_of(kernel);
  ASSERT_TRUE(launch) << describe(launch.error());
  const auto counts = tests::machine_counts(*compilation->ptx, *compilation->cubin, kernel.name + ".ptx",
                                            kernel.name, *launch);
  ASSERT_TRUE(counts) << describe(counts.error());

  std::set<std::string> expected;
  for (const auto& difference : *listed) {
    if (difference.at("kernel") != kernel.title()) continue;
    EXPECT_GT(difference.at("cause").size(), 10u) << difference.at("counter") << " has no cause";
    expected.insert(fmt::format("{},{},{},{}", difference.at("kernel"), difference.at("counter"),
                                difference.at("emulated"), difference.at("h200")));
  }
  EXPECT_EQ(differences_of(kernel.title(), *row, *counts), expected);
}

INSTANTIATE_TEST_SUITE_P(Kernels, H200MachineCounters,
                         testing::ValuesIn(tests::kernels_of(tests::Tier::Fast)), tests::kKernelName);
INSTANTIATE_TEST_SUITE_P(SlowKernels, H200MachineCounters,
                         testing::ValuesIn(tests::kernels_of(tests::Tier::Slow)), tests::kKernelName);

}  // namespace
}  // namespace lanescope
