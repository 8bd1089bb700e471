#include "pipeline/file_job.h"

#include "support/temporary_folder.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// `launch`: which of the launches of the host code is of this kernel; none: no one.
ListedKernel kernel(const std::string& name, std::optional<size_t> launch = {}) {
  ListedKernel one;
  one.name = one.entry = name;
  if (launch) one.launches.emplace_back().order = *launch;
  return one;
}

TEST(FileJob, the_first_kernel_is_the_one_that_the_host_launches_first) {
  std::vector<ListedKernel> kernels{kernel("helper"), kernel("second", 1), kernel("first", 0)};
  EXPECT_EQ(in_order(kernels).front()->name, "first");
  kernels[2].refused = Error{};
  EXPECT_EQ(in_order(kernels).front()->name, "second");
  kernels.resize(1);
  EXPECT_EQ(in_order(kernels).front()->name, "helper");
  kernels[0].refused = Error{};
  EXPECT_TRUE(in_order(kernels).empty());
}

TEST(FileJob, a_kernel_without_a_name_is_the_only_one) {
  std::vector<ListedKernel> kernels{kernel("a")};
  EXPECT_EQ(kernel_named(kernels, ""), &kernels[0]);
  kernels.push_back(kernel("b"));
  EXPECT_EQ(kernel_named(kernels, ""), nullptr);
  EXPECT_EQ(kernel_named(kernels, "b"), &kernels[1]);
  EXPECT_EQ(kernel_named(kernels, "c"), nullptr);
}

TEST(FileJob, each_wrong_field_of_a_launch_is_named) {
  LaunchFile launches;
  launches.launches.push_back({.file = "a.cu",
                               .kernel = "a",
                               .grid = "4,x",
                               .block = "256",
                               .shared_bytes = 1 << 20,
                               .arguments = {"f32[16]:iota", "i32:many"}});
  const auto problems = problems_of(launches);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].grid, HasSubstr("4,x"));
  EXPECT_THAT(problems[0].block, IsEmpty());
  EXPECT_THAT(problems[0].shared, HasSubstr("1048576"));
  ASSERT_EQ(problems[0].arguments.size(), 2u);
  EXPECT_THAT(problems[0].arguments[0], IsEmpty());
  EXPECT_THAT(problems[0].arguments[1], HasSubstr("many"));
}

TEST(FileJob, a_file_and_its_headers_are_the_files_of_its_job) {
  const tests::TemporaryFolder folder("file-job");
  std::ofstream(folder.path() / "part.h") << "#include \"deep.h\"\n";
  std::ofstream(folder.path() / "deep.h") << "\n";
  std::ofstream(folder.path() / "a.cu") << "#include \"part.h\"\n__global__ void f() {}\n";
  const auto job = text_job_of_file(folder.path() / "a.cu", "", {});
  ASSERT_TRUE(job) << job.error().message;
  std::vector<std::string> names;
  for (const auto& file : files_of(*job)) names.push_back(file.filename().string());
  EXPECT_THAT(names, testing::UnorderedElementsAre("a.cu", "part.h", "deep.h"));
}

}  // namespace
}  // namespace lanescope::pipeline
