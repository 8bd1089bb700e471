// Requests, sectors and wavefronts of every test kernel in the emulator against the H200's counters.
// Method: tests/data/h200/counters.csv holds the counters of each launch, differences.csv each count in which
// the emulator differs, with its cause: mostly what the assembler changed between PTX and SASS. A difference
// that appears, changes or vanishes fails.

#include "support/emulated_counts.h"
#include "support/h200_run.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();
const fs::path kRecorded = kProject / "tests/data/h200";

using tests::Counts;

Result<Counts> emulated_counts(const tests::TestKernel& kernel) {
  const auto text = tests::read_file(kProject / "tests/data/kernels" / (kernel.name + ".ptx"));
  TRY(const launch::Launch launch, tests::launch_of(kernel));
  return tests::emulated_counts(text.value_or(""), kernel.name + ".ptx", kernel.name, launch);
}

struct Difference {
  std::string kernel, counter;
  uint64_t emulated = 0, hardware = 0;
  auto operator<=>(const Difference&) const = default;
};

void PrintTo(const Difference& difference, std::ostream* out) {
  *out << fmt::format("{},{},{},{}", difference.kernel, difference.counter, difference.emulated,
                      difference.hardware);
}

/// What differences.csv says of a launch.
std::set<Difference> listed_differences(const tests::Table& listed, const std::string& kernel) {
  std::set<Difference> differences;
  for (const auto& row : listed) {
    if (row.at("kernel") != kernel) continue;
    EXPECT_GT(row.at("cause").size(), 10u) << row.at("counter") << " has no cause";
    differences.insert(
        {kernel, row.at("counter"), std::stoull(row.at("emulated")), std::stoull(row.at("h200"))});
  }
  return differences;
}

class H200Counters : public testing::TestWithParam<tests::TestKernel> {};

TEST_P(H200Counters, equal_the_emulators_but_for_the_listed_differences) {
  const tests::TestKernel& kernel = GetParam();
  static const auto recorded = tests::read_table(kRecorded / "counters.csv");
  ASSERT_TRUE(recorded) << describe(recorded.error());
  static const auto listed = tests::read_table(kRecorded / "differences.csv");
  ASSERT_TRUE(listed) << describe(listed.error());
  const auto row = std::ranges::find(*recorded, kernel.title(), [](const auto& r) { return r.at("kernel"); });
  ASSERT_NE(row, recorded->end()) << "no counters are recorded; see tests/data/h200/README.md";
  const auto counts = emulated_counts(kernel);
  ASSERT_TRUE(counts) << describe(counts.error());
  std::set<Difference> found;
  for (const auto& [name, text] : *row) {
    if (name == "kernel") continue;
    const uint64_t hardware = std::stoull(text);
    const auto at = counts->find(name);
    const uint64_t emulated = at == counts->end() ? 0 : at->second;
    if (emulated != hardware) found.insert({kernel.title(), name, emulated, hardware});
  }
  const std::set<Difference> expected = listed_differences(*listed, kernel.title());
  for (const Difference& difference : found)
    EXPECT_TRUE(expected.contains(difference))
        << "not in differences.csv: " << testing::PrintToString(difference);
  for (const Difference& difference : expected)
    EXPECT_TRUE(found.contains(difference))
        << "in differences.csv, and not found: " << testing::PrintToString(difference);
}

INSTANTIATE_TEST_SUITE_P(Kernels, H200Counters, testing::ValuesIn(tests::kernels_of(tests::Tier::Fast)),
                         tests::kKernelName);
INSTANTIATE_TEST_SUITE_P(SlowKernels, H200Counters, testing::ValuesIn(tests::kernels_of(tests::Tier::Slow)),
                         tests::kKernelName);

}  // namespace
}  // namespace lanescope
