#include "pipeline/launch_file.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(LaunchFile, what_is_written_is_read) {
  const tests::TemporaryFolder folder("launch");
  LaunchFile file;
  file.defines = {"N=4", "TEXT=\"a\\b\""};
  file.include_directories = {(folder / "headers").string(), "/far/away"};
  file.buffers = {"data=i32[16]:iota", "sums=f32[4]:zeros"};
  file.variables = {{"a::table", "f32[2]:iota"}};
  LaunchText launch;
  launch.file = "scan.cu";
  launch.kernel = "scan<int>";
  launch.grid = "4,2";
  launch.block = "32";
  launch.shared_bytes = 128;
  launch.arguments = {"data", "n=i32:4"};
  launch.times = 3;
  file.launches = {launch, launch};
  file.launches[1].kernel = "add";
  const auto path = folder / "launches.toml";
  std::ofstream(path) << launch_file_text(file);
  const auto read = read_launch_file(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->defines, file.defines);
  EXPECT_EQ(read->include_directories, file.include_directories);
  EXPECT_EQ(read->buffers, file.buffers);
  EXPECT_THAT(read->variables, ElementsAre(Pair("a::table", "f32[2]:iota")));
  ASSERT_EQ(read->launches.size(), 2u);
  EXPECT_EQ(read->launches[0].file, (folder / "scan.cu").string());
  EXPECT_EQ(read->launches[0].kernel, "scan<int>");
  EXPECT_EQ(read->launches[0].grid, "4,2");
  EXPECT_EQ(read->launches[0].block, "32");
  EXPECT_EQ(read->launches[0].shared_bytes, 128u);
  EXPECT_EQ(read->launches[0].arguments, launch.arguments);
  EXPECT_EQ(read->launches[0].times, 3u);
  EXPECT_EQ(read->launches[1].kernel, "add");
}

TEST(LaunchFile, a_launch_may_ask_for_a_cluster) {
  const std::string text =
      "file = \"a.cu\"\n[buffers]\n[[launch]]\nkernel = \"k\"\ngrid = 8\nblock = 32\ncluster = [2, 2]\n"
      "[[launch]]\nkernel = \"k\"\nblock = 32\n";
  const auto file = parse_launch_file(text, "/x/launches.toml");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->launches[0].cluster, "2,2");
  EXPECT_EQ(file->launches[1].cluster, "");
  EXPECT_EQ(parse_launch_file(launch_file_text(*file), "/x/launches.toml"), *file);
  const auto steps =
      steps_of(*file, [](const std::string&, const std::string&) -> Result<Job> { return Job{}; });
  ASSERT_TRUE(steps) << describe(steps.error());
  EXPECT_EQ((*steps)[0].job.launch->cluster, (Dim3{2, 2, 1}));
  EXPECT_EQ((*steps)[1].job.launch->cluster, std::nullopt);
}

TEST(LaunchFile, launches_share_buffers_also_those_of_an_argument) {
  LaunchFile file;
  file.buffers = {"x=i32[16]:iota"};
  LaunchText first;
  first.block = "32";
  first.arguments = {"x", "y=i32[8]:zeros"};
  LaunchText second = first;
  second.arguments = {"y", "x+4"};
  file.launches = {first, second};
  const auto steps =
      steps_of(file, [](const std::string&, const std::string&) { return Result<Job>(Job()); });
  ASSERT_TRUE(steps) << steps.error().message;
  const launch::Launch& launch = *(*steps)[1].job.launch;
  EXPECT_EQ(launch.buffers.size(), 2u);
  EXPECT_EQ((*steps)[0].job.launch->buffers.size(), 2u);
  EXPECT_EQ(std::get<launch::BufferArgument>(launch.arguments[0]), (launch::BufferArgument{1, 0}));
  EXPECT_EQ(std::get<launch::BufferArgument>(launch.arguments[1]), (launch::BufferArgument{0, 4}));
}

}  // namespace
}  // namespace lanescope::pipeline
