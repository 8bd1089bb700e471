// The test kernels themselves: there are enough of them, each has its launch, and their PTX is fresh.

#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <set>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();

TEST(TestKernels, every_source_has_a_launch_and_its_ptx_and_there_are_at_least_forty) {
  const auto kernels = tests::test_kernels(kProject / "tests/kernels");
  ASSERT_TRUE(kernels) << describe(kernels.error());
  std::set<std::string> launched;
  for (const tests::TestKernel& kernel : *kernels) {
    launched.insert(kernel.name);
    const auto launch = tests::launch_of(kernel);
    EXPECT_TRUE(launch) << kernel.title() << ": " << describe(launch.error());
  }
  std::set<std::string> sources, stored;
  for (const fs::path& source : tests::kernel_sources(kProject)) sources.insert(source.stem());
  for (const auto& entry : fs::directory_iterator(kProject / "tests/data/kernels"))
    stored.insert(entry.path().stem());
  EXPECT_EQ(launched, sources);
  EXPECT_EQ(stored, sources) << "run the target store_kernels";
  EXPECT_GE(sources.size(), 40u);
  const size_t fast = tests::kernels_of(tests::Tier::Fast).size();
  EXPECT_GE(fast, 30u);
  EXPECT_EQ(fast + tests::kernels_of(tests::Tier::Slow).size(), kernels->size());
}

TEST(SlowTestKernels, the_compiler_still_writes_the_stored_ptx) {
  const auto compiler = compile::find_compiler(kProject / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  if (compiler->major() != tests::kKernelsMajor || compiler->minor() != tests::kKernelsMinor)
    GTEST_SKIP() << "another NVRTC: " << compiler->major() << "." << compiler->minor();
  const auto has_curand = [](const fs::path& folder) { return fs::exists(folder / "curand_kernel.h"); };
  const bool curand = std::ranges::any_of(compiler->include_directories(), has_curand);
  for (const fs::path& source : tests::kernel_sources(kProject)) {
    if (!curand && tests::read_file(source)->find("curand_kernel.h") != std::string::npos) continue;
    const auto ptx = tests::compile_kernel(*compiler, source);
    ASSERT_TRUE(ptx) << describe(ptx.error());
    EXPECT_TRUE(*ptx == tests::read_file(tests::stored_kernel_file(kProject, source)))
        << source.filename() << " has changed; run the target store_kernels";
  }
}

}  // namespace
}  // namespace lanescope
